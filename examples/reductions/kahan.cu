// kernel:     kahan
// idea:       compensated sums: what rounding loses is carried along
// source:     examples/reductions/README.md
// result:     partial
// input:      untouched
// covers:     64 * BLOCK
// blocks:     power of two
// constant:   BLOCK
// types:      float32 float64
// ops:        sum
// uniform:    yes
#include "common.cuh"

/* Aligned so that one instruction loads both members. */
struct alignas(2 * sizeof(element)) compensated {
    element sum, lost;
};

__device__ compensated add(compensated a, element x)
{
    element y = x - a.lost, t = a.sum + y;
    return {t, (t - a.sum) - y};
}

extern "C" __global__ void kahan(element *input, element *output, index_t n)
{
    __shared__ compensated tile[BLOCK];
    index_t first = (index_t)blockIdx.x * BLOCK * 64 + threadIdx.x;
    compensated x = {0, 0};

    for (int k = 0; k < 64 && first + k * BLOCK < n; k++)
        x = add(x, input[first + k * BLOCK]);
    tile[threadIdx.x] = x;
    __syncthreads();
    for (unsigned s = BLOCK / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) {
            compensated other = tile[threadIdx.x + s];
            tile[threadIdx.x] = add(add(tile[threadIdx.x], other.sum), -other.lost);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0)
        output[blockIdx.x] = tile[0].sum;
}
