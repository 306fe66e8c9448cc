// kernel:   shuffle
// idea:     lanes exchange sums through registers, so the tree needs just one word of shared memory
//           per warp
// source:   CUDA C++ Programming Guide, warp shuffle functions
// result:   partial
// input:    untouched
// covers:   BLOCK * UNROLL
// blocks:   multiple of 32
// unroll:   1 2 4 8 16
// types:    all
// ops:      all
// parameters: input output n second
// uniform:  yes
#include "operation.cuh"

extern "C" __global__ void shuffle(element *input, accumulator *output, index_t n, element *second)
{
    __shared__ accumulator warps[32];
    unsigned tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    index_t first = (index_t)blockIdx.x * blockDim.x * UNROLL;
    unsigned here = elements_here(n, first, blockDim.x * UNROLL);
    const part data = part_from(input, second, first);

    accumulator sum = identity();
    if (tid + (UNROLL - 1) * blockDim.x < here) {
        sum = lift_at(data, tid);
#pragma unroll
        for (unsigned k = 1; k < UNROLL; k++)
            sum = accumulate_at(sum, data, tid + k * blockDim.x);
    } else { /* the last block may have fewer than UNROLL elements per thread */
        for (unsigned k = tid; k < here; k += blockDim.x)
            sum = accumulate_at(sum, data, k);
    }

#pragma unroll
    for (unsigned offset = 16; offset > 0; offset /= 2)
        sum = combine(sum, shuffle_down(sum, offset));
    if (lane == 0)
        warps[warp] = sum;
    __syncthreads();

    if (warp == 0) { /* the first warp adds the warps' sums */
        sum = lane < blockDim.x / 32 ? warps[lane] : identity();
#pragma unroll
        for (unsigned offset = 16; offset > 0; offset /= 2)
            sum = combine(sum, shuffle_down(sum, offset));
        if (lane == 0)
            output[blockIdx.x] = sum;
    }
}
