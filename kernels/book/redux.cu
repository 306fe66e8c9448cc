// kernel:   redux
// idea:     like shuffle, but one instruction combines all 32 lanes of a warp
// source:   CUDA C++ Programming Guide, warp reduce functions
// result:   partial
// input:    untouched
// covers:   BLOCK * UNROLL
// blocks:   multiple of 32
// unroll:   1 2 4 8 16
// types:    int32 uint32
// ops:      sum max min
// min_arch: sm_80
// uniform:  yes
#include "common.cuh"

/* redux.sync exists for 32-bit integers only. */
static __device__ __forceinline__ element warp_combine(element value)
{
#if defined(OP_SUM)
    return __reduce_add_sync(0xffffffff, value);
#elif defined(OP_MAX)
    return __reduce_max_sync(0xffffffff, value);
#else
    return __reduce_min_sync(0xffffffff, value);
#endif
}

extern "C" __global__ void redux(element *input, element *output, index_t n)
{
    __shared__ element warps[32];
    unsigned tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    index_t first = (index_t)blockIdx.x * blockDim.x * UNROLL;
    unsigned here = elements_here(n, first, blockDim.x * UNROLL);
    const element *data = input + first;

    element sum = IDENTITY;
    if (tid + (UNROLL - 1) * blockDim.x < here) {
        sum = data[tid];
#pragma unroll
        for (unsigned k = 1; k < UNROLL; k++)
            sum = combine(sum, data[tid + k * blockDim.x]);
    } else { /* the last block may have fewer than UNROLL elements per thread */
        for (unsigned k = tid; k < here; k += blockDim.x)
            sum = combine(sum, data[k]);
    }

    sum = warp_combine(sum);
    if (lane == 0)
        warps[warp] = sum;
    __syncthreads();

    if (warp == 0) { /* the first warp adds the warps' sums */
        sum = warp_combine(lane < blockDim.x / 32 ? warps[lane] : IDENTITY);
        if (lane == 0)
            output[blockIdx.x] = sum;
    }
}
