// kernel:    exact_ring
// idea:      like onepass_exact, but for large inputs: each warp keeps its own ring of bulk copies
//            full, so loads continue while it works on a tile
// source:    redsweep; see onepass_exact and bulk_ring
// result:    complete
// input:     untouched
// covers:    BLOCK * LOADS * 16 / SIZEOF
// grid:      max(1, min(ceil_div(N, COVERS), SMS * MIN_BLOCKS))
// shared:    (STAGES * BLOCK + 32) * LOADS * 16
// workspace: if(SIZEOF = 8, 64, 48) * (GRID + ceil_div(GRID, 256)) + 64 * if(SIZEOF = 8, 72, 16)
// depth:     1
// blocks:    power of two
// constant:  BLOCK
// tunable:   LOADS 1 2 4 6 8 12 16
// tunable:   STAGES 1 2 3 4 6 8
// tunable:   MIN_BLOCKS 1 2 3 4
// default:   LOADS 4 STAGES 4
// requires:  BLOCK >= 64 and BLOCK <= 512
// requires:  ((STAGES * BLOCK + 32) * LOADS * 16 + 1024 + BLOCK / 32 * (8 * STAGES + if(SIZEOF = 8, 640, 192))) * MIN_BLOCKS <= 227 * 1024
// requires:  OFFSET * SIZEOF % 16 = 0
// types:     float32 float64 float16 bfloat16
// ops:       sum
// min_arch:  sm_90
// uniform:   no
// counts:    vary
// standalone: yes
// exact:     yes
#include "exact_blocks.cuh"
#include "ring.cuh"

/*
 * Prediction: from 2^28 bytes on, the kernel is as fast as reading the input. Short types take 10 to 14 instructions
 * per element, and other types fewer. An SM executes these instructions in the time it takes memory to deliver the
 * element. A warp that never waits needs no other warps to hide its latency. A warp's tile is a single copy of LOADS *
 * 512 bytes.
 */
enum { STAGE = LOADS * 32 };

/*
 * A warp's ring of stages. `stage` is the one that the warp reads next, and `parity` is the parity of its barrier's
 * phase.
 */
struct ring {
    uint4 *stages;
    unsigned long long *full;
    unsigned stage, parity;
};

static __device__ __forceinline__ void ring_request(const ring &r, unsigned stage, const element *tile)
{
    barrier_expect(&r.full[stage], STAGE * 16);
    bulk_copy<true>(r.stages + stage * STAGE, tile, STAGE * 16, &r.full[stage]);
}

extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    exact_ring(element *input, value_t *output, index_t n, void *workspace)
{
    extern __shared__ __align__(128) uint4 stages[];
    __shared__ unsigned long long full[WARPS][STAGES];
    __shared__ joining all;
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const place here(workspace); /* zero before and after the launch */
    const tiles t = tiles_of(input, n);
    const index_t step = (index_t)gridDim.x * WARPS;
    index_t at = (index_t)blockIdx.x * WARPS + warp;
    ring r = {stages + warp * (STAGES * STAGE), full[warp], 0, 0};
    if (lane == 0) {
#pragma unroll
        for (int s = 0; s < STAGES; s++)
            barrier_init(&r.full[s], 1);
        asm volatile("fence.proxy.async.shared::cta;" : : : "memory"); /* so that copies see the barriers */
#pragma unroll 1
        for (int s = 0; s < STAGES && at + s * step < t.whole; s++)
            ring_request(r, s, t.body + (at + s * step) * WARP_TILE);
    }
    here.prefetch();
    joining_begin(&all);
    gathered g = gather_begin();
#pragma unroll 1
    for (; at < t.whole; at += step) {
        const shared_tile tile = {r.stages + r.stage * STAGE + lane};
        barrier_wait(&r.full[r.stage], r.parity);
        gather(&g, &all.records[warp], all.digits[warp], tile);
        __syncwarp(); /* all lanes have read the stage */
        if (lane == 0 && at + STAGES * step < t.whole)
            ring_request(r, r.stage, t.body + (at + STAGES * step) * WARP_TILE);
        r.parity ^= r.stage == STAGES - 1;
        r.stage = r.stage == STAGES - 1 ? 0 : r.stage + 1;
    }
    if (at == t.whole && (t.head || t.rest))
        g = ends_gather(g, &all.records[warp], all.digits[warp], stages + WARPS * STAGES * STAGE,
                        t.body + t.whole * WARP_TILE, t.rest, input, t.head);
    blocks_join(&g, &all, output, here, n);
}
