// kernel:     warp_atomic
// idea:       every warp adds its sum to the result with one atomic
// source:     examples/as-written
// result:     complete
// input:      untouched
// output:     zeroed
// covers:     BLOCK
// grid:       min(ceil_div(N, COVERS), SMS * 8)
// depth:      ceil_div(N, GRID * BLOCK) + 5 + GRID * BLOCK / 32
// blocks:     multiple of 32
// types:      int32 uint32 float32 float64
// ops:        sum
// min_arch:   sm_70
// uniform:    no
// varies:     yes
// entry:      sum_with_atomics<element>
// parameters: output input size_t(N)
/*
 * Each warp adds its sum to a zeroed output with one atomic, in a grid-stride loop over the input. The author's host
 * code called cudaMemsetAsync(sum, 0, sizeof *sum) before the launch.
 *
 * - "output: zeroed" replaces this memset. Without this fact, the output contains the harness's fill pattern, the result is
 *   wrong, and the message says so.
 * - Float atomics add in the order in which warps arrive. The facts are therefore "varies: yes" and a "depth:" that counts the warps.
 * - "types:" leaves out int64, for which atomicAdd has no overload.
 * - A zeroed output is right only for sums. For a maximum, write the identity into a cell of the workspace, as
 *   kernels/onepass/atomic.cu does.
 */
#include "common.cuh"

template <class T> __global__ void sum_with_atomics(T *sum, const T *x, size_t count)
{
    T mine = 0;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += (size_t)gridDim.x * blockDim.x)
        mine += x[i];
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        mine += __shfl_down_sync(0xffffffffu, mine, offset);
    if (threadIdx.x % warpSize == 0)
        atomicAdd(sum, mine);
}
