/*
 * What the kernels by rows share. The input is `rows` rows of `row_length` elements, one after the
 * other; element i of the output is the reduction of row i.
 *
 * Everything is in a fixed order: a float result depends on the row and the launch shape only.
 */
#ifndef REDSWEEP_KERNELS_ROWS_CUH
#define REDSWEEP_KERNELS_ROWS_CUH

#include "pack.cuh"

/*
 * Many values from each lane, COUNT (a power of two) of them: value k is combined over SHARERS (a
 * power of two, up to 32) neighbouring lanes. Each step halves either the values or the
 * lanes that still share one, so it takes COUNT - 1 + log2(SHARERS / COUNT) shuffles instead of
 * COUNT * log2(SHARERS).
 *
 * Returned in values[0 … max(COUNT / SHARERS, 1) - 1] are those that begin with value number
 * lanes_first(); where COUNT < SHARERS, SHARERS / COUNT neighbouring lanes return the same one.
 */
template <unsigned COUNT, unsigned SHARERS>
static __device__ __forceinline__ void lanes_combine(element values[COUNT])
{
    unsigned lane = threadIdx.x % SHARERS, left = COUNT;
#pragma unroll
    for (unsigned offset = SHARERS / 2; offset > 0; offset /= 2) {
        bool upper = lane & offset;
        if (left > 1) {
            left /= 2;
#pragma unroll
            for (unsigned k = 0; k < (COUNT + 1) / 2; k++)
                if (k < left) {
                    element keep = upper ? values[k + left] : values[k];
                    element pass = upper ? values[k] : values[k + left];
                    values[k] = combine(keep, __shfl_xor_sync(0xffffffff, pass, offset));
                }
        } else {
            values[0] = combine(values[0], __shfl_xor_sync(0xffffffff, values[0], offset));
        }
    }
}

template <unsigned COUNT, unsigned SHARERS> static __device__ __forceinline__ unsigned lanes_first()
{
    unsigned lane = threadIdx.x % SHARERS;
    return COUNT >= SHARERS ? lane * (COUNT / SHARERS) : lane / (SHARERS / COUNT);
}

#endif
