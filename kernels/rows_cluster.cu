// kernel:     rows_cluster
// idea:       one cluster per row: its blocks take the row's tiles in turn, and combine through each
//             other's shared memory; no word in global memory
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
// tunable:    POLICY 0 1 2
// default:    LOADS 4 CLUSTER_BLOCKS 4 MIN_BLOCKS 2 POLICY 1
// requires:   ROW_LENGTH * SIZEOF % 16 = 0 and OFFSET * SIZEOF % 16 = 0
// requires:   ROW_LENGTH % CLUSTER_BLOCKS = 0
// requires:   BLOCK * MIN_BLOCKS * (4 * LOADS + 20) <= 65536 and BLOCK * MIN_BLOCKS <= 2048
// min_arch:   sm_90
// launch:     cluster(CLUSTER_BLOCKS)
// parameters: input output size_t(ROW_LENGTH * SIZEOF / 16)
#include "tile.cuh"

/*
 * Predicted: no better than rows_tiles where a row is one tile of a block; for rows of 64 KB to
 * 1 MB the finish is 0.2 µs in another block's shared memory instead of 0.5 in L2, which matters
 * only where there are few rows. Few long rows leave most multiprocessors idle.
 */
static __device__ __forceinline__ unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

/* Writes `value` to the same variable of the cluster's block 0. */
static __device__ __forceinline__ void put_in_first_block(element *variable, element value)
{
    unsigned there;
    asm("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(there) : "r"(shared_address(variable)));
    union {
        element value;
        unsigned bits[sizeof(element) / 4];
    } x;
    x.value = value;
#pragma unroll
    for (unsigned k = 0; k < sizeof(element) / 4; k++)
        asm volatile("st.shared::cluster.u32 [%0], %1;"
                     :
                     : "r"(there + 4 * k), "r"(x.bits[k])
                     : "memory");
}

/* Every thread of the cluster arrives twice: after starting, and after passing on its total. */
#define CLUSTER_ARRIVE() asm volatile("barrier.cluster.arrive.release.aligned;" : : : "memory")
#define CLUSTER_WAIT() asm volatile("barrier.cluster.wait.acquire.aligned;" : : : "memory")

extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    rows_cluster(const element *input, element *output, size_t packs)
{
    __shared__ element totals[CLUSTER_BLOCKS];
    unsigned rank = blockIdx.x % CLUSTER_BLOCKS;
    size_t row = blockIdx.x / CLUSTER_BLOCKS;
    CLUSTER_ARRIVE();

    body b = {(const pack *)input + row * packs, (index_t)packs};
    element sum = IDENTITY;
#pragma unroll 1
    for (index_t first = (index_t)rank * TILE_PACKS; first < b.count;
         first += CLUSTER_BLOCKS * TILE_PACKS)
        sum = combine(sum, tile_combine(b, first));
    sum = block_total(sum);

    CLUSTER_WAIT(); /* block 0 runs, so its shared memory may be written */
    if (threadIdx.x == 0)
        put_in_first_block(&totals[rank], sum);
    __syncwarp();
    CLUSTER_ARRIVE();
    if (rank != 0)
        return; /* no other block accesses the shared memory of this one */
    CLUSTER_WAIT();
    if (threadIdx.x == 0) {
        sum = totals[0];
#pragma unroll
        for (unsigned k = 1; k < CLUSTER_BLOCKS; k++)
            sum = combine(sum, totals[k]);
        output[row] = sum;
    }
}
