// kernel:    onepass_cluster_slots
// idea:      the whole grid is one cluster or one block; blocks store their totals in the shared
//            memory of the last block, in words with a flag besides the value, and the last block
//            polls these words. The kernel needs no workspace in global memory
// source:    PTX ISA, distributed shared memory and relaxed accesses of cluster scope
// result:    complete
// input:     untouched
// covers:    BLOCK * LOADS * 16 / SIZEOF
// grid:      CLUSTER_BLOCKS
// depth:     ceil_div(N, GRID * COVERS) * COVERS / BLOCK + log2(BLOCK) + 8
// blocks:    power of two
// constant:  BLOCK
// tunable:   LOADS 1 2 4 8 16
// tunable:   CLUSTER_BLOCKS 1 2 4 8 16
// tunable:   POLICY 0 1 2 3
// tunable:   GUARD 0 1
// default:   LOADS 4 CLUSTER_BLOCKS 8 POLICY 1 GUARD 1
// requires:  BLOCK * (4 * LOADS + 16) <= 65536
// requires:  N <= COVERS * CLUSTER_BLOCKS * 64
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
 * Prediction: a neighbour's shared memory is 0.1 µs away, and polling the block's own shared memory costs
 * 0.02 µs. To combine the blocks' totals therefore takes 0.2 µs, compared with 0.4 µs for an atomic. This
 * holds up to the size that a cluster reads fast (2^20 bytes with 16 SMs at about 100 GB/s each). At n =
 * 2^14, onepass_cluster lost 0.5 µs to the cluster launch and its two cluster barriers. This kernel has
 * one barrier, and the loads in flight hide it. A single block (CLUSTER_BLOCKS 1) needs neither a cluster
 * launch nor a barrier, and should be fastest up to 2^15 or 2^16 bytes.
 */
enum { LAST = CLUSTER_BLOCKS - 1, WORDS = sizeof(element) / 4 };

/* Writes `value` with its flag to the last block's copy of `mine`, which is in shared memory. */
static __device__ __forceinline__ void put_in_last_block(slot_word *mine, element value)
{
    unsigned there = cluster_address(mine, LAST);
    words_of<element> x;
    x.value = value;
#pragma unroll
    for (int k = 0; k < WORDS; k++)
        asm volatile("st.relaxed.cluster.shared::cluster.u64 [%0], %1;"
                     :
                     : "r"(there + 8 * k), "l"((slot_word)x.words[k] << 32 | 1)
                     : "memory");
}

static __device__ __forceinline__ element wait_for(const slot_word *words_of_block)
{
    words_of<element> x;
#pragma unroll
    for (int k = 0; k < WORDS; k++) {
        slot_word w;
        do
            asm volatile("ld.relaxed.cluster.shared::cta.u64 %0, [%1];"
                         : "=l"(w)
                         : "r"((unsigned)__cvta_generic_to_shared(words_of_block + k))
                         : "memory");
        while (!(w & 1));
        x.words[k] = (unsigned)(w >> 32);
    }
    return x.value;
}

extern "C" __global__ void __launch_bounds__(BLOCK, 1)
    onepass_cluster_slots(element *input, element *output, index_t n)
{
#if CLUSTER_BLOCKS > 1
    __shared__ slot_word slots[CLUSTER_BLOCKS * WORDS];
    if (blockIdx.x == LAST && threadIdx.x < LAST * WORDS)
        slots[threadIdx.x] = 0;
    cluster_arrive();
#endif
    body b = body_find(input, n);
    element sum = tiles_strip(b, ends_load(input, n, b));
    sum = block_total(sum);
#if CLUSTER_BLOCKS > 1
    cluster_wait(); /* the last block is running and has cleared its words */
    if (blockIdx.x != LAST) {
        if (threadIdx.x == 0)
            put_in_last_block(slots + blockIdx.x * WORDS, sum);
        return;
    }
    if (threadIdx.x >= 32)
        return;
    if (threadIdx.x != 0)
        sum = threadIdx.x < CLUSTER_BLOCKS ? wait_for(slots + (threadIdx.x - 1) * WORDS) : IDENTITY;
    sum = lanes_total<(CLUSTER_BLOCKS > 16 ? 32 : CLUSTER_BLOCKS), FIRST_LANE>(sum);
#endif
    if (threadIdx.x == 0)
        output[0] = sum;
}
