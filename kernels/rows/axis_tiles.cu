// kernel:     axis_tiles
// idea:       reduces an array (outer, length, inner) over its middle dimension: SIDE threads read
//             adjacent vectors of VECTOR bytes, and the block's other threads read further along
//             the length, with LOADS vectors per thread in flight, and with AHEAD 1 another LOADS
//             during a fold. Blocks that split a length pass their partials to the last one, in
//             groups. The inner dimension need not be whole vectors
// source:     redsweep
// workload:   axis
// covers:     min(VECTOR * (SIDE - min(1, INNER * SIZEOF % VECTOR)) / SIZEOF, INNER)
//             * min(ROW_LENGTH, BLOCK / SIDE * LOADS)
// grid:       N / (ROW_LENGTH * INNER) * ceil_div(INNER * SIZEOF, VECTOR * (SIDE - min(1, INNER * SIZEOF % VECTOR)))
//             * min(ceil_div(ROW_LENGTH * SIDE, BLOCK * LOADS), ceil_div(SMS * BLOCKS_PER_SM,
//             N / (ROW_LENGTH * INNER) * ceil_div(INNER * SIZEOF, VECTOR * (SIDE - min(1, INNER * SIZEOF % VECTOR)))))
// workspace:  if(GRID = N / (ROW_LENGTH * INNER) * ceil_div(INNER * SIZEOF, VECTOR * (SIDE - min(1, INNER * SIZEOF % VECTOR))),
//             0, 2 * ACCUMULATOR * SIDE * VECTOR / SIZEOF * (GRID + ceil_div(GRID, SPLITS) + N / (ROW_LENGTH * INNER)
//             * ceil_div(INNER * SIZEOF, VECTOR * (SIDE - min(1, INNER * SIZEOF % VECTOR)))))
// depth:      ceil_div(ROW_LENGTH, GRID / (N / (ROW_LENGTH * INNER)
//             * ceil_div(INNER * SIZEOF, VECTOR * (SIDE - min(1, INNER * SIZEOF % VECTOR)))) * BLOCK / SIDE)
//             + LOADS + BLOCK / SIDE + 2 * SPLITS + ceil_div(GRID / (N / (ROW_LENGTH * INNER)), SPLITS) + 16
// blocks:     power of two
// constant:   BLOCK
// tunable:    SIDE 16 1 2 4 8 32 64 128
// tunable:    VECTOR 16 1 2 4 8
// tunable:    LOADS 8 2 4 6 12 16
// tunable:    AHEAD 0 1
// tunable:    BLOCKS_PER_SM 8 1 2 4 6 16 32 64
// tunable:    SPLITS 32 8 16 64
// tunable:    MIN_BLOCKS 1 2 3 4 6 8
// tunable:    POLICY 1 0
// requires:   SIDE <= BLOCK and VECTOR % SIZEOF = 0 and OFFSET * SIZEOF % VECTOR = 0
// requires:   INNER * SIZEOF % VECTOR = 0 or SIDE > 1 and (INNER + 1) * SIZEOF >= VECTOR
//             and BLOCK / SIDE * INNER * SIZEOF % VECTOR = 0
// requires:   VECTOR * (SIDE - min(1, INNER * SIZEOF % VECTOR)) >= min(64, INNER * SIZEOF / 2 + 1)
// requires:   ROW_LENGTH < 2^32 and BLOCK * VECTOR / SIZEOF * ACCUMULATOR <= 40960
// requires:   BLOCK * MIN_BLOCKS * (LOADS * (AHEAD + 1) * max(1, VECTOR / 4) + 24) <= 65536 and BLOCK * MIN_BLOCKS <= 2048
// where:      STRIPS N / (ROW_LENGTH * INNER) * ceil_div(INNER * SIZEOF, VECTOR * (SIDE - min(1, INNER * SIZEOF % VECTOR)))
// where:      PARTS GRID / STRIPS
// where:      STEPS ceil_div(ceil_div(ROW_LENGTH, PARTS), BLOCK / SIDE)
// where:      WAVES ceil_div(GRID, SMS * MIN_BLOCKS)
// where:      WARPS ceil_div(GRID, SMS) * BLOCK / 32
// cost:       WAVES
// cost:       WAVES * ceil_div(STEPS, LOADS)
// cost:       if(PARTS = 1, 0, 1)
// cost:       if(PARTS = 1, 0, ceil_div(PARTS, SPLITS) + min(PARTS, SPLITS))
// overlap:    WARPS
// overlap:    WARPS * STEPS
// overlap:    WARPS * STEPS * VECTOR / SIZEOF
// overlap:    STRIPS * ROW_LENGTH * if(INNER * SIZEOF % 32 = 0, 0, 32)
// types:      all
// ops:        all
// min_arch:   sm_80
// counts:     vary
// parameters: input output second workspace unsigned(ROW_LENGTH) size_t(INNER)
//             unsigned(ceil_div(INNER * SIZEOF, VECTOR * (SIDE - min(1, INNER * SIZEOF % VECTOR))))
//             unsigned(GRID / (N / (ROW_LENGTH * INNER)
//             * ceil_div(INNER * SIZEOF, VECTOR * (SIDE - min(1, INNER * SIZEOF % VECTOR)))))
#include "columns.cuh"

/*
 * Prediction: blocks whose columns span 64 bytes or more are as fast as reading, because they read whole sectors
 * and read each sector only once. A thread keeps one partial per column and adds LOADS elements to it at a time.
 * With LOADS 8 and bfloat16, the sm_90 code takes 2.5 instructions per element for sums, 5.6 for variances and 8.4
 * for log-sum-exp. An H200 has time for 13 with half types, and for 26 otherwise. However, without AHEAD a warp has
 * no loads in flight while it folds a tile, and variances need so many registers that few warps fit. If there are
 * few columns and many splits, combining the splits takes two trips to L2: 1.5 us, which is 3 % of the time for
 * 2^26 elements. The splits of a length take its tiles in turn, so that at any time all blocks read neighboring rows.
 */
enum {
    HEIGHT = BLOCK / SIDE,
    STRIP = SIDE * COLUMNS,
    /* threads that share a column at the end, and how many of the block's partials each of them combines */
    SHARERS = STRIP >= BLOCK       ? 1
              : BLOCK / STRIP > 32 ? 32
                                   : BLOCK / STRIP,
    EACH = HEIGHT / SHARERS,
    AT_ONCE = BLOCK / SHARERS,
    TURNS = STRIP > AT_ONCE ? STRIP / AT_ONCE : 1
};

/*
 * Combines the values in `count` slots, which are `step` slots apart, and then `part`, in a fixed order. SHARERS
 * neighboring threads share the slots of a column, and all of them return the total. `real` says whether the
 * column exists.
 */
static __device__ __forceinline__ partial column_gather(slot_word *slots, size_t step,
                                                        unsigned count, bool real, partial part)
{
    partial sum = slots_share(slots, step, threadIdx.x % SHARERS, SHARERS, count, real);
    lanes_join<1, SHARERS>(&sum);
    return combine(sum, part);
}

extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    axis_tiles(const element *input, result_t *output, const element *second, void *workspace,
               unsigned length, size_t inner, unsigned strips, unsigned splits)
{
    __shared__ held_words held;
    /*
     * Block numbers run over neighbouring strips first and over the splits of a length second, so the
     * last split starts last.
     */
    const unsigned number = blockIdx.x % strips, above = blockIdx.x / strips,
                   split = above % splits;
    const size_t outer = above / splits, place = outer * strips + number;
    const unsigned tx = threadIdx.x % SIDE, ty = threadIdx.x / SIDE;
    /*
     * Vectors begin at multiples of VECTOR bytes. If rows do not, a row's strip begins `skipped` columns into
     * its first vector and has one vector less. `skipped` is the same for all rows of a thread. Elements of
     * other columns are read, too, but not used.
     */
    const unsigned width = inner % COLUMNS == 0 ? STRIP : STRIP - COLUMNS;
    const size_t first = (size_t)number * width, from = outer * length * inner + first;
    const unsigned skipped = ((unsigned)from + ty * (unsigned)inner) % COLUMNS;
    const unsigned used = inner - first < width ? (unsigned)(inner - first) : width;
    partial sums[COLUMNS];
    unsigned rows[COLUMNS];
#pragma unroll
    for (unsigned j = 0; j < COLUMNS; j++) {
        sums[j] = nothing();
        rows[j] = ty;
    }
    const size_t outers = gridDim.x / (strips * splits), step = HEIGHT * inner;
    const size_t at = from + ty * inner - skipped +
                      min(tx, (skipped + used - 1) / COLUMNS) * COLUMNS + split * LOADS * step;
    const strip s = {
        input + at,    second + at,   input + outers * length * inner,
        step,          split * LOADS, ty < length ? (length - ty + HEIGHT - 1) / HEIGHT : 0,
        splits * LOADS};
    /*
     * The splits take turns at the whole tiles. A vector extends past the end of its row by at most VECTOR / SIZEOF - 1
     * elements, and `requires` ensures that the next row has that many. Only vectors of the last row can therefore
     * extend past the end of the array, and no whole tile contains that row.
     */
    const unsigned whole = (length - (width < STRIP && outer + 1 == outers)) / (HEIGHT * LOADS);
    strip_reduce<true>(sums, s, whole > split ? (whole - split + splits - 1) / splits : 0, HEIGHT,
                       rows);
    held_store(held, sums);
    __syncthreads();
    slot_word *slots = (slot_word *)workspace;
    const unsigned groups = (splits + SPLITS - 1) / SPLITS, group = split / SPLITS;
    const bool last = split == splits - 1, gathers = last || split % SPLITS == SPLITS - 1;
    /* The groups' slots follow those of the splits. A strip has STRIP adjacent slots of each kind. */
    const size_t of_split = (place * splits + split) * STRIP,
                 of_first = of_split - (size_t)(split % SPLITS) * STRIP;
    const size_t of_groups = ((size_t)gridDim.x + place * groups) * STRIP;
#pragma unroll 1
    for (unsigned turn = 0; turn < TURNS; turn++) {
        const unsigned mine = turn * AT_ONCE + threadIdx.x / SHARERS;
        const bool real = mine < used;
        partial parts[EACH];
#pragma unroll
        for (unsigned k = 0; k < EACH; k++) {
            const unsigned row = threadIdx.x % SHARERS + k * SHARERS;
            parts[k] = held_load(held, real ? row * STRIP + mine +
                                                  ((unsigned)from + row * (unsigned)inner) % COLUMNS
                                            : 0);
        }
        partial part = partials_join<EACH>(parts);
        lanes_join<1, SHARERS>(&part);
        if (gathers && splits > 1) /* uniform across the block */
            part = column_gather(slots + (of_first + mine) * SLOT_WORDS, STRIP, split % SPLITS,
                                 real, part);
        if (last && splits > 1)
            part = column_gather(slots + (of_groups + mine) * SLOT_WORDS, STRIP, groups - 1, real,
                                 part);
        if (!real || threadIdx.x % SHARERS != 0)
            continue;
        if (last)
            output[outer * inner + first + mine] = finish(part);
        else
            slot_put(slots, (gathers ? of_groups + (size_t)group * STRIP : of_split) + mine, part);
    }
}
