// kernel:    bulk_ring
// idea:      one thread issues bulk copies of whole tiles into a ring of shared-memory stages; the
//            block sums each stage as it arrives while the others are in flight
// source:    CUDA C++ Programming Guide, asynchronous bulk copies; PTX ISA, mbarrier
// result:    complete
// input:     untouched
// covers:    BLOCK * LOADS * 16 / SIZEOF
// grid:      min(ceil_div(N, COVERS), SMS * MIN_BLOCKS)
// shared:    STAGES * BLOCK * LOADS * 16
// workspace: 2 * SIZEOF * GRID
// depth:     ceil_div(N, GRID * BLOCK) + COVERS / BLOCK + ceil_div(GRID, BLOCK) + 16
// blocks:    power of two
// constant:  BLOCK
// tunable:   LOADS 1 2 4 8
// tunable:   STAGES 2 4 8 16
// tunable:   MIN_BLOCKS 1 2 4
// tunable:   POLICY 1 2
// default:   LOADS 4 STAGES 4
// requires:  STAGES * BLOCK * LOADS * 16 * MIN_BLOCKS <= 216 * 1024
// requires:  BLOCK * MIN_BLOCKS <= 2048 and BLOCK * LOADS * 16 >= 2048
// requires:  OFFSET * SIZEOF % 16 = 0
// min_arch:  sm_90
// uniform:   no
// counts:    vary
// standalone: yes
#include "ring.cuh"
#include "slots.cuh"
#include "tile.cuh"

/*
 * Prediction: since copies need no registers, 100 to 200 KB per SM can be in flight, compared with at most
 * 128 KB for loads into registers, and warps hardly spend instructions on copies. This makes the kernel
 * the fastest one from n = 2^26 on, unless all kernels are limited by memory bandwidth there. At small n,
 * the barrier and the detour through shared memory cost about 0.5 µs more than a plain load.
 */
/*
 * Starts the copy of the block's tile number `turn` into its stage of the ring, if there is such a
 * tile.
 */
static __device__ __forceinline__ void request(const body &b, unsigned turn, pack *ring,
                                               unsigned long long *full)
{
    index_t first = ((index_t)turn * gridDim.x + blockIdx.x) * TILE_PACKS;
    if (first >= b.count)
        return;
    unsigned packs = b.count - first < TILE_PACKS ? (unsigned)(b.count - first) : TILE_PACKS;
    unsigned stage = turn % STAGES;
    barrier_expect(&full[stage], packs * 16);
    bulk_copy<POLICY == POLICY_EVICT_FIRST>(ring + stage * TILE_PACKS, b.packs + first, packs * 16, &full[stage]);
}

/* Sums the tiles as they arrive. A stage is refilled one iteration after it was read. */
static __device__ __forceinline__ element ring_combine(const body &b, pack *ring,
                                                       unsigned long long *full,
                                                       unsigned long long *empty, element sum)
{
    unsigned turn = 0;
#pragma unroll 1
    for (index_t first = (index_t)blockIdx.x * TILE_PACKS; first < b.count;
         first += (index_t)gridDim.x * TILE_PACKS, turn++) {
        unsigned stage = turn % STAGES;
        const pack *mine = ring + stage * TILE_PACKS + threadIdx.x;
        unsigned here = b.count - first < TILE_PACKS ? (unsigned)(b.count - first) : TILE_PACKS;
        barrier_wait(&full[stage], turn / STAGES & 1);
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++)
            if (threadIdx.x + k * BLOCK < here)
                sum = combine(sum, pack_combine(mine[k * BLOCK]));
        __syncwarp();
        if (threadIdx.x % 32 == 0)
            barrier_arrive(&empty[stage]); /* this warp has read the stage */
        if (threadIdx.x == 0 && turn > 0) {
            barrier_wait(&empty[(turn - 1) % STAGES], (turn - 1) / STAGES & 1);
            request(b, turn - 1 + STAGES, ring, full);
        }
    }
    return sum;
}

extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    bulk_ring(element *input, element *output, index_t n, void *workspace)
{
    extern __shared__ __align__(128) unsigned char stages[];
    __shared__ unsigned long long full[STAGES], empty[STAGES];
    pack *ring = (pack *)stages;
    slot_word *slots = (slot_word *)workspace;
    bool gathers = blockIdx.x == gridDim.x - 1;

    body b;
    element sum = ends_combine(input, n, &b);
    if (threadIdx.x == 0) {
        for (unsigned s = 0; s < STAGES; s++) {
            barrier_init(&full[s], 1);
            barrier_init(&empty[s], BLOCK / 32);
        }
        asm volatile("fence.proxy.async.shared::cta;" : : : "memory"); /* so that copies see the barriers */
        for (unsigned turn = 0; turn < STAGES; turn++)
            request(b, turn, ring, full);
    }
    if (gathers)
        for (unsigned k = threadIdx.x * 16; k < gridDim.x * (sizeof(element) / 4); k += BLOCK * 16)
            fetch_ahead(slots + k);
    __syncthreads();

    sum = ring_combine(b, ring, full, empty, sum);
    if (gathers)
        sum = slots_gather(slots, gridDim.x - 1, sum);
    sum = block_total(sum);
    if (threadIdx.x == 0) {
        if (gathers)
            output[0] = sum;
        else
            slot_put(slots, blockIdx.x, sum);
    }
}
