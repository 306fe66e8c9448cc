// kernel:   unroll_warps_volatile
// idea:     unroll_warps as published: the last warp relies on volatile and lockstep execution
// source:   Professional CUDA C Programming, ch. 3 (reduceUnrollWarps8)
// result:   partial
// input:    in place
// covers:   BLOCK * UNROLL
// blocks:   multiple of 32
// unroll:   2 4 8 16
// uniform:  yes
// racy:     the last warp's lanes read what their neighbours write without synchronization: volatile
//           orders a lane's own accesses only, and since Volta lanes need not run in lockstep
#include "common.cuh"

extern "C" __global__ void unroll_warps_volatile(element *input, element *output, index_t n)
{
    unsigned tid = threadIdx.x;
    index_t first = (index_t)blockIdx.x * blockDim.x * UNROLL;
    unsigned here = elements_here(n, first, blockDim.x * UNROLL);
    element *data = input + first;

    if (tid + (UNROLL - 1) * blockDim.x < here) {
        element sum = data[tid];
#pragma unroll
        for (unsigned k = 1; k < UNROLL; k++)
            sum = combine(sum, data[tid + k * blockDim.x]);
        data[tid] = sum;
    } else if (tid < here) { /* the last block may have fewer than UNROLL elements per thread */
        element sum = data[tid];
        for (unsigned k = tid + blockDim.x; k < here; k += blockDim.x)
            sum = combine(sum, data[k]);
        data[tid] = sum;
    }
    __syncthreads();

    unsigned left = here < blockDim.x ? here : blockDim.x;
    for (unsigned stride = tree_start(blockDim.x); stride > 32; stride /= 2) {
        if (tid < stride && tid + stride < left)
            data[tid] = combine(data[tid], data[tid + stride]);
        __syncthreads();
    }
    if (tid < 32) { /* one warp finishes, assuming that its lanes run in lockstep */
        volatile element *cells = data;
        if (tid + 32 < left)
            cells[tid] = combine(cells[tid], cells[tid + 32]);
        if (tid + 16 < left)
            cells[tid] = combine(cells[tid], cells[tid + 16]);
        if (tid + 8 < left)
            cells[tid] = combine(cells[tid], cells[tid + 8]);
        if (tid + 4 < left)
            cells[tid] = combine(cells[tid], cells[tid + 4]);
        if (tid + 2 < left)
            cells[tid] = combine(cells[tid], cells[tid + 2]);
        if (tid + 1 < left)
            cells[tid] = combine(cells[tid], cells[tid + 1]);
        if (tid == 0)
            output[blockIdx.x] = cells[0];
    }
}
