// kernel:    onepass_poll
// idea:      like onepass_slots, but for small grids: once the last block has its own sum, a single
//            warp of this block polls the other blocks' sums and finishes without a block barrier
// source:    redsweep
// result:    complete
// input:     untouched
// covers:    BLOCK * LOADS * 16 / SIZEOF
// workspace: 2 * SIZEOF * GRID
// depth:     COVERS / BLOCK + log2(BLOCK) + ROWS + 8
// blocks:    power of two
// constant:  BLOCK
// tunable:   LOADS 1 2 3 4 6 8 12 16
// tunable:   MIN_BLOCKS 1 2 3 4 8
// tunable:   POLICY 0 1 2 3
// tunable:   GUARD 0 1
// tunable:   ROWS 8 4 2 1
// default:   LOADS 4 MIN_BLOCKS 2 POLICY 1
// requires:  BLOCK * MIN_BLOCKS * (4 * LOADS + 16) <= 65536 and BLOCK * MIN_BLOCKS <= 2048
// requires:  N <= COVERS * 32 * ROWS
// requires:  ROWS = 1 or N > COVERS * 16 * ROWS
// requires:  OFFSET * SIZEOF % 16 = 0
// min_arch:  sm_80
// uniform:   no
// counts:    vary
// standalone: yes
#include "slots.cuh"
#include "tile.cuh"

/*
 * Prediction: after the last word arrives, onepass_slots needs another block reduction, which is
 * two warp reductions with a barrier in between. A single warp needs just one warp reduction. The
 * kernel therefore takes 0.2 µs less than onepass_slots for n from 2^14 to 2^18. It still takes 0.3
 * µs more than onepass_packed, because of this reduction and a message to L2 and back.
 *
 * Lane l waits for ROWS slots: l, l + 32, …. The warp keeps reading the missing slots until a vote
 * says that none is missing. Two variants turned out slower: waiting for one slot after another
 * takes 0.3 µs longer, and keeping several reads of each slot in flight takes 0.15 µs (two reads)
 * or 0.5 µs (four) longer. The values are combined in a fixed order.
 */
static __device__ __forceinline__ element lane_gather(slot_word *slots, unsigned count)
{
    element found[ROWS], read[ROWS];
    bool there[ROWS], done[ROWS];
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        found[r] = IDENTITY;
        done[r] = threadIdx.x + 32 * r >= count;
    }
    for (;;) {
        bool all = true;
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            there[r] = !done[r] && slot_try(slots, threadIdx.x + 32 * r, &read[r]);
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            if (there[r]) {
                found[r] = read[r];
                done[r] = true;
            }
            all = all && done[r];
        }
        if (__all_sync(0xffffffff, all))
            break;
    }
    element sum = found[0];
#pragma unroll
    for (int r = 1; r < ROWS; r++)
        sum = combine(sum, found[r]);
    return sum;
}

extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    onepass_poll(element *input, element *output, index_t n, void *workspace)
{
    slot_word *slots = (slot_word *)workspace; /* zero before and after the launch */
    unsigned last = gridDim.x - 1;
    body b = body_find(input, n);
    pack p[LOADS];
    tile_load(b, (index_t)blockIdx.x * TILE_PACKS, p);
    element sum = combine(ends_load(input, n, b), tile_total(p));
    sum = block_total(sum);
    if (threadIdx.x >= 32)
        return;
    if (blockIdx.x != last) {
        if (threadIdx.x == 0)
            slot_put(slots, blockIdx.x, sum);
        return;
    }
    if (threadIdx.x > 0)
        sum = IDENTITY;
    sum = lanes_total<32, FIRST_LANE>(combine(sum, lane_gather(slots, last)));
    if (threadIdx.x == 0)
        output[0] = sum;
    for (unsigned k = threadIdx.x; k < last; k += 32)
        slot_clear<element>(slots, k);
}
