// kernel:     axis_flat
// idea:       reduces an array (outer, length, inner) over its middle dimension: a block reads
//             whole rows like one flat vector, as many of them at a time as make up whole packs of
//             16 bytes, so that each of its threads always reads the same columns. Blocks that
//             split a length pass their partials to the last one, in groups. Rows may begin at any
//             element
// source:     redsweep
// workload:   axis
// covers:     max(1, 16 / SIZEOF * (BLOCK - BLOCK % if(INNER * SIZEOF % 16 = 0, INNER * SIZEOF / 16, if(INNER * SIZEOF % 8 = 0,
//             INNER * SIZEOF / 8, if(INNER * SIZEOF % 4 = 0, INNER * SIZEOF / 4, if(INNER * SIZEOF % 2 = 0, INNER * SIZEOF / 2,
//             INNER * SIZEOF))))))
// grid:       N / (ROW_LENGTH * INNER) * min(ceil_div(ROW_LENGTH * INNER, COVERS * LOADS),
//             ceil_div(SMS * BLOCKS_PER_SM, N / (ROW_LENGTH * INNER)))
// workspace:  if(GRID = N / (ROW_LENGTH * INNER), 0,
//             2 * ACCUMULATOR * INNER * (GRID + ceil_div(GRID, SPLITS) + N / (ROW_LENGTH * INNER)))
// depth:      ceil_div(ROW_LENGTH, GRID / (N / (ROW_LENGTH * INNER)) * max(1, COVERS / INNER)) + LOADS
//             + 2 * SPLITS + ceil_div(GRID / (N / (ROW_LENGTH * INNER)), SPLITS) + 32
// blocks:     multiple of 32
// constant:   BLOCK
// tunable:    LOADS 8 2 4 6 12 16
// tunable:    AHEAD 0 1
// tunable:    BLOCKS_PER_SM 4 1 2 3 6 8 16
// tunable:    SPLITS 32 8 16 64
// tunable:    MIN_BLOCKS 1 2 3 4 6 8
// tunable:    POLICY 1 0
// requires:   COVERS * SIZEOF >= 16 and INNER * SIZEOF <= 512 and OFFSET * SIZEOF % 16 = 0 and ROW_LENGTH * INNER < 2^32
// requires:   BLOCK * 16 / SIZEOF * if(ACCUMULATOR = 16 and SIZEOF < 8, 12, ACCUMULATOR) <= 49152
// requires:   BLOCK * MIN_BLOCKS * (LOADS * (AHEAD + 1) * 4 + 24) <= 65536 and BLOCK * MIN_BLOCKS <= 2048
// where:      PARTS GRID / (N / (ROW_LENGTH * INNER))
// where:      STEPS ceil_div(ROW_LENGTH * INNER, COVERS * PARTS)
// where:      WAVES ceil_div(GRID, SMS * MIN_BLOCKS)
// where:      WARPS ceil_div(GRID, SMS) * BLOCK / 32
// cost:       WAVES
// cost:       WAVES * ceil_div(STEPS, LOADS)
// cost:       if(PARTS = 1, 0, 1)
// cost:       if(PARTS = 1, 0, ceil_div(PARTS, SPLITS) + min(PARTS, SPLITS))
// cost:       if(PARTS = 1, 0, INNER * (ceil_div(PARTS, SPLITS) + min(PARTS, SPLITS)))
// overlap:    WARPS
// overlap:    WARPS * STEPS
// overlap:    WARPS * STEPS * 16 / SIZEOF
// types:      all
// ops:        all
// min_arch:   sm_80
// counts:     vary
// parameters: input output second workspace unsigned(ROW_LENGTH) unsigned(INNER) unsigned(COVERS * SIZEOF / 16)
//             unsigned(GRID / (N / (ROW_LENGTH * INNER)))
#define VECTOR 16
#include "columns.cuh"

/*
 * Prediction: reading is as fast as for a single row, because a block's loads are adjacent and aligned, and nearly
 * all of its threads have a pack to read. The kernel is meant for short rows that are not a power of two of packs,
 * for which axis_tiles has idle threads, and for rows of a few elements, for which it reads single elements. Combining
 * partials takes longer than in axis_tiles, because each column has one partial for every row that the block holds.
 */
enum { AT_A_TIME = 4 }; /* rows that are combined at a time */

/* Combines the `rows` rows of `width` partials in `held`, and leaves the result in the first row. */
static __device__ __forceinline__ void rows_join(held_words held, unsigned rows, unsigned width)
{
#pragma unroll 1
    while (rows > 1) {
        const unsigned next = (rows + AT_A_TIME - 1) / AT_A_TIME;
#pragma unroll 1
        for (unsigned i = threadIdx.x; i < next * width; i += BLOCK) {
            partial parts[AT_A_TIME];
#pragma unroll
            for (unsigned k = 0; k < AT_A_TIME; k++)
                parts[k] = i + k * next * width < rows * width
                               ? held_load(held, i + k * next * width)
                               : nothing();
            held_put(held, i, partials_join<AT_A_TIME>(parts));
        }
        __syncthreads();
        rows = next;
    }
}

/*
 * Combines the values in `count` slots of `column`, which are `inner` slots apart, and then `part`, in a fixed order.
 * A column's slots are shared by `lanes` threads with the numbers `lane`. The thread of lane 0 returns the total.
 */
static __device__ __forceinline__ partial column_gather(held_words held, slot_word *slots,
                                                        unsigned inner, unsigned column,
                                                        unsigned lane, unsigned lanes,
                                                        unsigned count, partial part)
{
    const bool real = lane < lanes && column < inner;
    partial sum = slots_share(slots + (size_t)column * SLOT_WORDS, inner, lane, lanes, count, real);
    if (lanes > 1) {
        __syncthreads();
        if (real)
            held_put(held, lane * inner + column, sum);
        __syncthreads();
        rows_join(held, lanes, inner);
        sum = held_load(held, column);
    }
    return combine(sum, part);
}

/*
 * Adds those elements of `column` that are in no whole pack: elements before number `head`, and from number `tail` on,
 * of the `count` elements in x.
 */
static __device__ __forceinline__ partial ends_add(partial part, const element *x, const element *y,
                                                   unsigned column, unsigned inner, unsigned head,
                                                   unsigned tail, unsigned count)
{
#pragma unroll 1
    for (unsigned i = column; i < count; i += inner) {
        if (i >= head && i < tail)
            i = column + (tail - column + inner - 1) / inner * inner;
        if (i < count)
            part = combine(
                part, partial_of(convert(x[i]), convert(VECTORS == 2 ? y[i] : x[i]), i / inner));
    }
    return part;
}

extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    axis_flat(const element *input, result_t *output, const element *second, void *workspace,
              unsigned length, unsigned inner, unsigned packs, unsigned splits)
{
    __shared__ held_words held;
    const unsigned split = blockIdx.x % splits, count = length * inner;
    const size_t outer = blockIdx.x / splits, start = outer * count;
    const element *x = input + start, *y = second + start;
    /* The first `head` elements precede the first multiple of 16 bytes. Each step of the block reads `packs` packs. */
    const unsigned head = min((unsigned)(-start % COLUMNS), count), all = (count - head) / COLUMNS;
    const unsigned height = packs * COLUMNS / inner;
    const unsigned from = head + threadIdx.x * COLUMNS;
    partial sums[COLUMNS];
    unsigned rows[COLUMNS], row = from / inner, column = from % inner;
#pragma unroll
    for (unsigned j = 0; j < COLUMNS; j++) {
        sums[j] = nothing();
        rows[j] = row;
        row += ++column == inner;
        column = column == inner ? 0 : column;
    }
    if (threadIdx.x < packs) {
        const unsigned mine = threadIdx.x < all ? (all - threadIdx.x + packs - 1) / packs : 0,
                       whole = mine / LOADS;
        const size_t step = packs * COLUMNS, at = split * LOADS * step + from;
        const strip s = {x + at, y + at, 0, step, split * LOADS, mine, splits * LOADS};
        strip_reduce<false>(sums, s, whole > split ? (whole - split + splits - 1) / splits : 0,
                            height, rows);
        held_store(held, sums);
    }
    __syncthreads();
    rows_join(held, height, inner);
    slot_word *slots = (slot_word *)workspace;
    const unsigned groups = (splits + SPLITS - 1) / SPLITS, group = split / SPLITS;
    const bool last = split == splits - 1, gathers = last || split % SPLITS == SPLITS - 1;
    /* The slots of the groups follow those of the splits. */
    const size_t of_split = (size_t)blockIdx.x * inner,
                 of_first = of_split - (size_t)(split % SPLITS) * inner;
    const size_t of_groups = ((size_t)gridDim.x + outer * groups) * inner;
    const unsigned lanes = inner < BLOCK ? BLOCK / inner : 1,
                   lane = inner < BLOCK ? threadIdx.x / inner : 0;
    /* Places 0 to inner - 1 of `held` now have the totals of the columns, beginning with column `head`. */
#pragma unroll 1
    for (unsigned turn = 0; turn < inner; turn += BLOCK) {
        const unsigned place = turn + threadIdx.x - lane * inner;
        const bool real = lane == 0 && place < inner;
        partial part = real ? held_load(held, place) : nothing();
        if (gathers && splits > 1) /* uniform across the block */
            part = column_gather(held, slots + of_first * SLOT_WORDS, inner, place, lane, lanes,
                                 split % SPLITS, part);
        if (last && splits > 1)
            part = column_gather(held, slots + of_groups * SLOT_WORDS, inner, place, lane, lanes,
                                 groups - 1, part);
        if (!real)
            continue;
        const unsigned c = (head + place) % inner;
        if (last)
            output[outer * inner + c] =
                finish(ends_add(part, x, y, c, inner, head, head + all * COLUMNS, count));
        else
            slot_put(slots, (gathers ? of_groups + (size_t)group * inner : of_split) + place, part);
    }
}
