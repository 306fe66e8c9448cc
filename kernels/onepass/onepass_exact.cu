// kernel:    onepass_exact
// idea:      the exact sum, rounded once: threads convert elements to integers, which warps and
//            blocks add; the last block adds the blocks' sums and rounds. The result's bits depend
//            only on the elements, not on their order, the launch or the GPU
// source:    redsweep; exact sums by long fixed-point numbers: Kulisch, Computer Arithmetic and Validity (2008);
//            on GPUs: Collange, Defour, Graillat and Iakymchuk, Numerical Reproducibility for the Parallel
//            Reduction on Multi- and Many-Core Architectures, Parallel Computing 49 (2015)
// result:    complete
// input:     untouched
// covers:    BLOCK * LOADS * 16 / SIZEOF
// grid:      ceil_div(ceil_div(N, COVERS), ROUNDS)
// workspace: if(SIZEOF = 8, 64, 48) * (GRID + ceil_div(GRID, 256)) + 64 * if(SIZEOF = 8, 72, 16)
// depth:     1
// blocks:    power of two
// constant:  BLOCK
// tunable:   LOADS 1 2 3 4 6 8
// tunable:   ROUNDS 1 2 4 8 16 32 64
// tunable:   MIN_BLOCKS 1 2 3 4 5 6 8
// default:   LOADS 4 MIN_BLOCKS 2
// requires:  BLOCK >= 64 and BLOCK <= 512 and BLOCK * LOADS <= 2048
// requires:  ROUNDS = 1 or N >= COVERS * SMS * ROUNDS
// requires:  BLOCK * MIN_BLOCKS * (4 * LOADS + 40) <= 65536 and BLOCK * MIN_BLOCKS <= 2048
// requires:  OFFSET * SIZEOF % 16 = 0
// types:     float32 float64 float16 bfloat16
// ops:       sum
// min_arch:  sm_80
// uniform:   no
// counts:    vary
// standalone: yes
// exact:     yes
#include "exact_blocks.cuh"

/*
 * Prediction: the kernel takes 0.5 µs longer than onepass_any at any n, because of the rounding and because each
 * warp reduction adds at least twice as many integers as a partial of onepass_any has words. With one block per
 * tile, some blocks' loads are in flight while other blocks finish. If ROUNDS is more than 1, a block takes
 * several tiles in succession.
 */
extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    onepass_exact(element *input, value_t *output, index_t n, void *workspace)
{
    __shared__ joining all;
    __shared__ uint4 rooms[WARPS][LOADS * 32];
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const place here(workspace); /* zero before and after the launch */
    const tiles t = tiles_of(input, n);
    const index_t step = (index_t)gridDim.x * WARPS;
    index_t at = (index_t)blockIdx.x * WARPS + warp;
    register_tile tile;
    tile.room = &rooms[warp][lane];
    if (at < t.whole)
        tile.load((const uint4 *)(t.body + at * WARP_TILE) + lane);
    here.prefetch();
    joining_begin(&all);
    gathered g = gather_begin();
#pragma unroll 1
    for (; at < t.whole; at += step) {
        gather(&g, &all.records[warp], all.digits[warp], tile);
        if (ROUNDS > 1 && at + step < t.whole)
            tile.load((const uint4 *)(t.body + (at + step) * WARP_TILE) + lane);
    }
    if (at == t.whole && (t.head || t.rest))
        g = ends_gather(g, &all.records[warp], all.digits[warp], rooms[warp],
                        t.body + t.whole * WARP_TILE, t.rest, input, t.head);
    blocks_join(&g, &all, output, here, n);
}
