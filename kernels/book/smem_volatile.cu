// kernel:   smem_volatile
// idea:     smem as published: the last warp relies on volatile and lockstep execution
// source:   Professional CUDA C Programming, ch. 5 (reduceSmem)
// result:   partial
// input:    untouched
// covers:   BLOCK
// blocks:   multiple of 32
// constant: BLOCK
// uniform:  yes
// racy:     the last warp's lanes read what their neighbours write without synchronization: volatile
//           orders a lane's own accesses only, and since Volta lanes need not run in lockstep
#include "common.cuh"

extern "C" __global__ void smem_volatile(element *input, element *output, index_t n)
{
    __shared__ element tile[BLOCK];
    unsigned tid = threadIdx.x;
    index_t first = (index_t)blockIdx.x * blockDim.x;
    unsigned here = elements_here(n, first, blockDim.x);

    tile[tid] = tid < here ? input[first + tid] : IDENTITY;
    __syncthreads();

    if (blockDim.x > 512 && tid < 512 && tid + 512 < blockDim.x)
        tile[tid] = combine(tile[tid], tile[tid + 512]);
    __syncthreads();
    if (blockDim.x > 256 && tid < 256 && tid + 256 < blockDim.x)
        tile[tid] = combine(tile[tid], tile[tid + 256]);
    __syncthreads();
    if (blockDim.x > 128 && tid < 128 && tid + 128 < blockDim.x)
        tile[tid] = combine(tile[tid], tile[tid + 128]);
    __syncthreads();
    if (blockDim.x > 64 && tid < 64 && tid + 64 < blockDim.x)
        tile[tid] = combine(tile[tid], tile[tid + 64]);
    __syncthreads();
    if (tid < 32) { /* one warp finishes, assuming that its lanes run in lockstep */
        volatile element *cells = tile;
        if (tid + 32 < blockDim.x)
            cells[tid] = combine(cells[tid], cells[tid + 32]);
        if (tid + 16 < blockDim.x)
            cells[tid] = combine(cells[tid], cells[tid + 16]);
        if (tid + 8 < blockDim.x)
            cells[tid] = combine(cells[tid], cells[tid + 8]);
        if (tid + 4 < blockDim.x)
            cells[tid] = combine(cells[tid], cells[tid + 4]);
        if (tid + 2 < blockDim.x)
            cells[tid] = combine(cells[tid], cells[tid + 2]);
        if (tid + 1 < blockDim.x)
            cells[tid] = combine(cells[tid], cells[tid + 1]);
        if (tid == 0)
            output[blockIdx.x] = cells[0];
    }
}
