/* Exchanges values of any type between the lanes of a warp, word by word. */
#ifndef REDSWEEP_KERNELS_LANES_CUH
#define REDSWEEP_KERNELS_LANES_CUH

#include "types.cuh"

template <class T> union words_of {
    __device__ words_of() {}
    T value;
    unsigned words[sizeof(T) / 4];
};

static __device__ __forceinline__ value_t shuffle_down(value_t value, unsigned offset)
{
    return __shfl_down_sync(0xffffffff, value, offset);
}

static __device__ __forceinline__ value_t shuffle_xor(value_t value, unsigned mask)
{
    return __shfl_xor_sync(0xffffffff, value, mask);
}

template <class T> static __device__ __forceinline__ T shuffle_down(T value, unsigned offset)
{
    words_of<T> x;
    x.value = value;
#pragma unroll
    for (unsigned k = 0; k < sizeof(T) / 4; k++)
        x.words[k] = __shfl_down_sync(0xffffffff, x.words[k], offset);
    return x.value;
}

template <class T> static __device__ __forceinline__ T shuffle_xor(T value, unsigned mask)
{
    words_of<T> x;
    x.value = value;
#pragma unroll
    for (unsigned k = 0; k < sizeof(T) / 4; k++)
        x.words[k] = __shfl_xor_sync(0xffffffff, x.words[k], mask);
    return x.value;
}

/*
 * Returns the sum of x over WIDTH neighbouring lanes in each of these lanes. WIDTH is a power of
 * two up to 32.
 */
template <unsigned WIDTH> static __device__ __forceinline__ value_t lanes_sum(value_t x)
{
#pragma unroll
    for (unsigned offset = WIDTH / 2; offset > 0; offset /= 2)
        x += shuffle_xor(x, offset);
    return x;
}

#endif
