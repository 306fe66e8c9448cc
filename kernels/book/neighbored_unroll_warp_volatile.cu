// kernel:   neighbored_unroll_warp_volatile
// idea:     the original form of neighbored_unroll_warp: the last warp relies on volatile and
//           lockstep execution (racy, kept for study)
// source:   Nvprof study on a Tesla K80 (its third neighbored kernel)
// result:   partial
// input:    in place
// covers:   BLOCK
// blocks:   multiple of 32
// uniform:  yes
// racy:     the last warp's lanes read what their neighbours write without synchronization: volatile
//           orders a lane's own accesses only, and since Volta lanes need not run in lockstep
#include "common.cuh"

extern "C" __global__ void neighbored_unroll_warp_volatile(element *input, element *output,
                                                           index_t n)
{
    unsigned tid = threadIdx.x;
    index_t first = (index_t)blockIdx.x * blockDim.x;
    unsigned here = elements_here(n, first, blockDim.x);
    element *data = input + first;

    unsigned stride = 1;
    for (; 64 * stride < blockDim.x; stride *= 2) { /* until 64 or fewer results remain */
        unsigned index = 2 * stride * tid;
        if (index + stride < here)
            data[index] = combine(data[index], data[index + stride]);
        __syncthreads();
    }
    if (tid < 32) { /* one warp finishes, assuming that its lanes run in lockstep */
        volatile element *cells = data;
        unsigned index = stride * tid;
        for (unsigned apart = tree_start(blockDim.x); apart >= stride; apart /= 2)
            if (index + apart < here)
                cells[index] = combine(cells[index], cells[index + apart]);
        if (tid == 0)
            output[blockIdx.x] = cells[0];
    }
}
