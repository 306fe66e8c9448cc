// kernel:    onepass_cluster
// idea:      a single launch: the blocks of a cluster combine their sums through distributed shared
//            memory, so only one block per cluster uses global memory, or none if there is just one
//            cluster
// source:    CUDA C++ Programming Guide, thread block clusters and distributed shared memory
// result:    complete
// input:     untouched
// covers:    BLOCK * LOADS * 16 / SIZEOF
// grid:      if(BLOCKS_PER_SM = 0, ceil_div(N, COVERS * CLUSTER_BLOCKS) * CLUSTER_BLOCKS,
//            min(ceil_div(N, COVERS * CLUSTER_BLOCKS) * CLUSTER_BLOCKS,
//            SMS * BLOCKS_PER_SM - SMS * BLOCKS_PER_SM % CLUSTER_BLOCKS))
// workspace: 2 * SIZEOF * GRID / CLUSTER_BLOCKS
// depth:     ceil_div(N, GRID * BLOCK) + COVERS / BLOCK + ceil_div(GRID, BLOCK) + CLUSTER_BLOCKS
//            + 20
// blocks:    power of two
// constant:  BLOCK
// tunable:   LOADS 1 2 4 8 16
// tunable:   CLUSTER_BLOCKS 2 4 8 16
// tunable:   MIN_BLOCKS 1 2 4
// tunable:   BLOCKS_PER_SM 0 1 2 4
// tunable:   POLICY 0 1 2 3
// default:   LOADS 4 CLUSTER_BLOCKS 4 MIN_BLOCKS 2 POLICY 1
// requires:  BLOCK * MIN_BLOCKS * (4 * LOADS + 16) <= 65536 and BLOCK * MIN_BLOCKS <= 2048
// requires:  BLOCKS_PER_SM = 0 or BLOCKS_PER_SM = MIN_BLOCKS
// requires:  BLOCKS_PER_SM > 0 or N <= COVERS * SMS * 64
// requires:  OFFSET * SIZEOF % 16 = 0
// min_arch:  sm_90
// launch:    cluster(CLUSTER_BLOCKS)
// uniform:   no
// counts:    vary
// standalone: yes
#include "cluster.cuh"
#include "slots.cuh"
#include "tile.cuh"

/*
 * Prediction: the latency is about 0.2 µs to a neighbour's shared memory, 0.3 µs to L2 and 0.6 µs to DRAM. A
 * single cluster (n ≤ 2^16) needs no global memory for its sums, so the kernel should be the fastest there
 * unless a cluster launch costs more than this saves. With many clusters, the step through shared memory
 * just delays the result, and a few SMs in each of the GPU's processing clusters (GPCs) stay idle.
 */
extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    onepass_cluster(element *input, element *output, index_t n, void *workspace)
{
    __shared__ element totals[CLUSTER_BLOCKS];
    /* There is one slot per cluster. All slots are zero before and after the launch. */
    slot_word *slots = (slot_word *)workspace;
    unsigned rank = blockIdx.x % CLUSTER_BLOCKS, cluster = blockIdx.x / CLUSTER_BLOCKS;
    unsigned clusters = gridDim.x / CLUSTER_BLOCKS;
    bool gathers = cluster == clusters - 1 && rank == 0;
    cluster_arrive();
    if (gathers && clusters > 1)
        for (unsigned k = threadIdx.x * 16; k < clusters * (sizeof(element) / 4); k += BLOCK * 16)
            fetch_ahead(slots + k);

    body b;
    element sum = ends_combine(input, n, &b);
#if BLOCKS_PER_SM == 0
    sum = combine(sum, tile_combine(b, (index_t)blockIdx.x * TILE_PACKS));
#else
    sum = tiles_strip(b, sum);
#endif
    sum = block_total(sum);

    cluster_wait(); /* block 0 is running, so its shared memory may be written */
    if (threadIdx.x == 0)
        put_in_first_block(&totals[rank], sum);
    __syncwarp();
    cluster_arrive();
    if (rank != 0)
        return; /* no other block accesses this one's shared memory */
    cluster_wait();

    sum = IDENTITY;
    if (gathers && clusters > 1)
        sum = slots_gather(slots, clusters - 1, sum);
    if (threadIdx.x < CLUSTER_BLOCKS)
        sum = combine(sum, totals[threadIdx.x]);
    sum = gathers && clusters > 1 ? block_total(sum) : lanes_total<32, FIRST_LANE>(sum);
    if (threadIdx.x == 0) {
        if (gathers)
            output[0] = sum;
        else
            slot_put(slots, cluster, sum);
    }
}
