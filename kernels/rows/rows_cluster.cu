// kernel:     rows_cluster
// idea:       one cluster per row: its blocks take turns with the row's tiles and combine their
//             results through distributed shared memory, without a workspace
// source:     CUDA C++ Programming Guide, thread block clusters and distributed shared memory
// workload:   rows
// covers:     ROW_LENGTH / CLUSTER_BLOCKS
// grid:       N / ROW_LENGTH * CLUSTER_BLOCKS
// depth:      ceil_div(ROW_LENGTH, CLUSTER_BLOCKS * BLOCK) + LOADS * 16 / SIZEOF + CLUSTER_BLOCKS + 16
// blocks:     power of two
// constant:   BLOCK
// tunable:    LOADS 1 2 4 8 16
// tunable:    CLUSTER_BLOCKS 2 4 8
// tunable:    MIN_BLOCKS 1 2 4
// tunable:    POLICY 0 1
// default:    LOADS 4 CLUSTER_BLOCKS 4 MIN_BLOCKS 2 POLICY 1
// requires:   ROW_LENGTH * SIZEOF % 16 = 0 and OFFSET * SIZEOF % 16 = 0
// requires:   ROW_LENGTH % CLUSTER_BLOCKS = 0
// requires:   BLOCK * MIN_BLOCKS * (4 * LOADS + 20) <= 65536 and BLOCK * MIN_BLOCKS <= 2048
// cost:       ceil_div(GRID, SMS)
// types:      all
// ops:        sum max min prod argmax argmin sumsq norm2 mean_var logsumexp
// min_arch:   sm_90
// launch:     cluster(CLUSTER_BLOCKS)
// parameters: input output size_t(ROW_LENGTH * SIZEOF / 16)
#include "cluster.cuh"
#include "stream.cuh"

/*
 * Prediction: the kernel is no faster than rows_poll if a block's tile holds a whole row. For rows of 64 KB
 * to 1 MB, combining the blocks' results takes 0.2 µs through another block's shared memory. rows_poll takes
 * 0.5 µs for this through L2, but the difference matters only if there are few rows. A few long rows leave
 * most multiprocessors idle, because each row has only CLUSTER_BLOCKS blocks.
 */
extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    rows_cluster(const pack *input, result_t *output, size_t packs)
{
    __shared__ partial totals[CLUSTER_BLOCKS];
    unsigned rank = blockIdx.x % CLUSTER_BLOCKS;
    size_t row = blockIdx.x / CLUSTER_BLOCKS;
    cluster_arrive();

    vectors v = {input + row * packs, 0};
    partial part = nothing();
#pragma unroll 1
    for (size_t first = (size_t)rank * BLOCK * LOADS; first < packs;
         first += CLUSTER_BLOCKS * BLOCK * LOADS) {
        tile now;
        lanes_load<BLOCK>(&now, v, packs, first);
        part = combine(part, lanes_fold<BLOCK>(now, (unsigned)first * PACK_ELEMENTS));
    }
    part = team_total<BLOCK>(part, 0);

    cluster_wait(); /* block 0 is running, so its shared memory may be written */
    if (threadIdx.x == 0)
        put_in_first_block(&totals[rank], part);
    __syncwarp();
    cluster_arrive();
    if (rank != 0)
        return; /* no other block accesses this one's shared memory */
    cluster_wait();
    if (threadIdx.x >= 32)
        return;
    part = threadIdx.x < CLUSTER_BLOCKS ? totals[threadIdx.x] : nothing();
    part = warp_total<1, CLUSTER_BLOCKS>(&part);
    if (threadIdx.x == 0)
        output[row] = finish(part);
}
