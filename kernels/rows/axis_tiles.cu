// kernel:     axis_tiles
// idea:       reduces an array (outer, length, inner) over its middle dimension: SIDE threads read
//             adjacent vectors of VECTOR bytes, and the block's other threads read further along
//             the length, with LOADS vectors per thread in flight; AHEAD 1 loads one more tile into
//             registers, 2 and more load that many into shared memory. Blocks that split a length
//             pass their partials to the last one, in groups. The inner dimension need not be whole
//             vectors
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
//             + BLOCK / SIDE + 2 * SPLITS + ceil_div(GRID / (N / (ROW_LENGTH * INNER)), SPLITS) + 16
// blocks:     power of two
// constant:   BLOCK
// tunable:    SIDE 16 1 2 4 8 32 64 128
// tunable:    VECTOR 16 1 2 4 8
// tunable:    LOADS 8 2 4 6 12 16
// tunable:    AHEAD 0 1 2 3 4 6
// tunable:    BLOCKS_PER_SM 8 1 2 4 6 16 32 64
// tunable:    SPLITS 32 8 16 64
// tunable:    MIN_BLOCKS 1 2 3 4 6 8
// tunable:    POLICY 1 0
// requires:   VECTOR % SIZEOF = 0 and OFFSET * SIZEOF % VECTOR = 0
// requires:   INNER * SIZEOF % VECTOR = 0 or SIDE > 1 and (INNER + 1) * SIZEOF >= VECTOR
//             and BLOCK / SIDE * INNER * SIZEOF % VECTOR = 0
// requires:   AHEAD <= 1 or VECTOR = 16 and BLOCK * AHEAD * LOADS * VECTOR <= 24576
// requires:   ROW_LENGTH < 2^32 and SIDE <= BLOCK and BLOCK * VECTOR / SIZEOF * ACCUMULATOR <= 40960
// requires:   BLOCK * MIN_BLOCKS * (LOADS * (if(AHEAD = 1, 2, 1)) * max(1, VECTOR / 4) + 24) <= 65536 and BLOCK * MIN_BLOCKS <= 2048
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
// overlap:    STRIPS * ROW_LENGTH * (if(INNER * SIZEOF % 32 = 0, 0, 32) + max(0, 32 - min(SIDE * VECTOR, INNER * SIZEOF)))
// types:      all
// ops:        all
// min_arch:   sm_80
// counts:     vary
// parameters: input output second workspace unsigned(ROW_LENGTH) size_t(INNER)
//             unsigned(ceil_div(INNER * SIZEOF, VECTOR * (SIDE - min(1, INNER * SIZEOF % VECTOR))))
//             unsigned(GRID / (N / (ROW_LENGTH * INNER)
//             * ceil_div(INNER * SIZEOF, VECTOR * (SIDE - min(1, INNER * SIZEOF % VECTOR)))))
#include "slots.cuh"
#include "stream.cuh"
#if AHEAD > 1
#include "copies.cuh"
#endif

/*
 * Prediction: blocks whose columns span 64 bytes or more are as fast as reading, because every sector is read
 * whole and only once. A thread keeps one partial per column and adds LOADS elements to it at a time. With
 * LOADS 8 and bfloat16, the sm_90 code takes 2.5 instructions per element for sums, 5.6 for variances and 8.4
 * for log-sum-exp. An H200 has time for 13 with half types, and for 26 otherwise. However, a warp has no loads
 * in flight while it folds a tile unless AHEAD is more than 0, and variances need so many registers that few
 * warps fit. Tiles in shared memory stay in flight during a fold and need no registers. If there are few
 * columns and many splits, the finish takes two trips to L2: 1.5 us, which is 3 % of the time for 2^26
 * elements.
 */
enum {
    HEIGHT = BLOCK / SIDE,
    COLUMNS = VECTOR / sizeof(element), /* columns per thread */
    STRIP = SIDE * COLUMNS,
    /* threads that share a column at the end */
    SHARERS = STRIP >= BLOCK ? 1 : BLOCK / STRIP > 32 ? 32 : BLOCK / STRIP,
    AT_ONCE = BLOCK / SHARERS,
    TURNS = STRIP > AT_ONCE ? STRIP / AT_ONCE : 1,
    VECTOR_WORDS = VECTOR >= 4 ? VECTOR / 4 : 1,
    READS = slot_of<partial>::BITS <= 3 ? 8 : 4, /* slots that a thread reads at once */
    STAGE = LOADS * BLOCK * VECTORS /* packs per stage in shared memory */
};

struct vector {
    unsigned words[VECTOR_WORDS];
};

static __device__ __forceinline__ vector vector_load(const element *at)
{
    vector v;
#if VECTOR == 16
    uint4 x = words_load((const pack *)at);
    v.words[0] = x.x;
    v.words[VECTOR_WORDS > 1 ? 1 : 0] = x.y;
    v.words[VECTOR_WORDS > 2 ? 2 : 0] = x.z;
    v.words[VECTOR_WORDS > 2 ? 3 : 0] = x.w;
#elif VECTOR == 8
    asm volatile("ld.global.nc.L1::no_allocate.v2.u32 {%0, %1}, [%2];"
                 : "=r"(v.words[0]), "=r"(v.words[VECTOR_WORDS - 1])
                 : "l"(at));
#elif VECTOR == 4
    asm volatile("ld.global.nc.L1::no_allocate.u32 %0, [%1];" : "=r"(v.words[0]) : "l"(at));
#elif VECTOR == 2
    asm volatile("{\n\t"
                 ".reg .b16 half;\n\t"
                 "ld.global.nc.L1::no_allocate.u16 half, [%1];\n\t"
                 "cvt.u32.u16 %0, half;\n\t"
                 "}"
                 : "=r"(v.words[0])
                 : "l"(at));
#else
    v.words[0] = *(const unsigned char *)at;
#endif
    return v;
}

/* Returns element j of a vector, converted. */
static __device__ __forceinline__ value_t vector_value(const vector &v, unsigned j)
{
#if ELEMENT_BYTES == 8
    union {
        unsigned words[2];
        value_t value;
    } x = {{v.words[2 * j], v.words[2 * j + 1 < VECTOR_WORDS ? 2 * j + 1 : 0]}};
    return x.value;
#else
    enum { EACH = 4 / ELEMENT_BYTES };
    return word_value(v.words[j / EACH], j % EACH);
#endif
}

/* Loads a vector that extends past the end of the array. Values past the end are 0. */
static __device__ __forceinline__ vector edge_load(const element *at, const element *end)
{
    vector v = {};
#pragma unroll
    for (unsigned j = 0; j < COLUMNS; j++)
#pragma unroll
        for (unsigned byte = 0; byte < ELEMENT_BYTES && at + j < end; byte++)
            v.words[(j * ELEMENT_BYTES + byte) / 4] |= (unsigned)((const unsigned char *)(at + j))[byte]
                                                       << (j * ELEMENT_BYTES + byte) % 4 * 8;
    return v;
}

/*
 * This thread's elements along the reduced axis. Its vectors are `step` elements apart, and the
 * next one is number `row`.
 */
struct strip {
    const element *x, *y, *end; /* end: of the array that x points into */
    size_t step;
    unsigned row;
};

/* The vectors that a thread loads at once, the row number of the first, and how many of them exist. */
struct rows_read {
    vector x[LOADS], y[VECTORS == 2 ? LOADS : 1];
    unsigned row, real;
};

/*
 * Issues the loads of a tile and advances the strip. A vector extends past the end of its row by at most VECTOR
 * / SIZEOF - 1 elements, and `requires` ensures that the next row has that many. Only vectors of the last row
 * can therefore extend past the end of the array, and no whole tile contains that row.
 */
template <bool WHOLE>
static __device__ __forceinline__ void strip_load(rows_read *t, strip *s, unsigned end)
{
    t->row = s->row;
    t->real = WHOLE ? LOADS : s->row < end ? min((unsigned)LOADS, (end - s->row + HEIGHT - 1) / HEIGHT) : 0;
    const size_t last = WHOLE || t->real == 0 ? 0 : (t->real - 1) * s->step;
    const bool crosses = !WHOLE && t->real > 0 && s->x + last + COLUMNS > s->end;
#pragma unroll
    for (unsigned k = 0; k < LOADS; k++)
        if (WHOLE || k + crosses < t->real) {
            t->x[k] = vector_load(s->x + k * s->step);
            if (VECTORS == 2)
                t->y[VECTORS == 2 ? k : 0] = vector_load(s->y + k * s->step);
        }
    if (crosses) {
        const vector edge = edge_load(s->x + last, s->end);
        const vector other = VECTORS == 2 ? edge_load(s->y + last, s->y + (s->end - s->x)) : edge;
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++)
            if (k + 1 == t->real) {
                t->x[k] = edge;
                t->y[VECTORS == 2 ? k : 0] = other;
            }
    }
    s->x += LOADS * s->step;
    s->y += LOADS * s->step;
    s->row += LOADS * HEIGHT;
}

template <bool WHOLE>
static __device__ __forceinline__ void strip_fold(partial sums[COLUMNS], const rows_read &t)
{
    if (t.real == 0)
        return;
    const value_t share = append_share(sums[0], t.real);
#pragma unroll
    for (unsigned j = 0; j < COLUMNS; j++) {
        value_t values[LOADS], others[LOADS];
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++) {
            bool exists = WHOLE || k < t.real;
            values[k] = exists ? vector_value(t.x[k], j) : fill_value();
            others[k] = VECTORS == 1 ? values[k] : exists ? vector_value(t.y[VECTORS == 2 ? k : 0], j) : 0;
        }
        append(&sums[j], fold_values<LOADS>(values, others, t.row, HEIGHT, t.real), share);
    }
}

#if AHEAD > 1
/*
 * Copies a whole tile to the thread's places in a stage and advances the strip, except for its row number, which
 * strip_take() advances. Each thread reads only what it copied itself, so there is no barrier.
 */
static __device__ __forceinline__ void strip_copy(uint4 *stage, strip *s)
{
#pragma unroll
    for (unsigned k = 0; k < LOADS; k++) {
        pack_copy(stage + k * BLOCK, s->x + k * s->step);
        if (VECTORS == 2)
            pack_copy(stage + (LOADS + k) * BLOCK, s->y + k * s->step);
    }
    s->x += LOADS * s->step;
    s->y += LOADS * s->step;
}

static __device__ __forceinline__ vector stage_load(const uint4 *at)
{
    const uint4 x = *at;
    return {{x.x, x.y, x.z, x.w}};
}

/* Reads the tile from the thread's places in a stage. */
static __device__ __forceinline__ void strip_take(rows_read *t, strip *s, const uint4 *stage)
{
    t->row = s->row;
    t->real = LOADS;
#pragma unroll
    for (unsigned k = 0; k < LOADS; k++) {
        t->x[k] = stage_load(stage + k * BLOCK);
        if (VECTORS == 2)
            t->y[VECTORS == 2 ? k : 0] = stage_load(stage + (LOADS + k) * BLOCK);
    }
    s->row += LOADS * HEIGHT;
}
#endif

/*
 * Folds `whole` whole tiles and then the remaining elements before `end`. `stages`, which is used only if AHEAD is
 * more than 1, is this thread's place in the first stage.
 */
static __device__ __forceinline__ void strip_reduce(partial sums[COLUMNS], strip s, unsigned whole, unsigned end,
                                                    uint4 *stages)
{
    rows_read now, next;
#if AHEAD > 1
#pragma unroll
    for (unsigned k = 0; k < AHEAD; k++) {
        if (k < whole)
            strip_copy(stages + k * STAGE, &s);
        copies_commit();
    }
    unsigned stage = 0;
#pragma unroll 1
    for (unsigned k = 0; k < whole; k++) {
        copies_wait<AHEAD - 1>();
        strip_take(&now, &s, stages + stage * STAGE);
        if (k + AHEAD < whole)
            strip_copy(stages + stage * STAGE, &s);
        copies_commit(); /* commits an empty group if there were no copies, to keep the count */
        stage = stage + 1 < AHEAD ? stage + 1 : 0;
        strip_fold<true>(sums, now);
    }
    strip_load<false>(&next, &s, end);
    strip_fold<false>(sums, next);
#elif AHEAD == 1
    if (whole > 0) {
        strip_load<true>(&now, &s, end);
#pragma unroll 1
        for (; whole > 1; whole--) {
            strip_load<true>(&next, &s, end);
            strip_fold<true>(sums, now);
            now = next;
        }
        strip_load<false>(&next, &s, end);
        strip_fold<true>(sums, now);
    } else {
        strip_load<false>(&next, &s, end);
    }
    strip_fold<false>(sums, next);
#else
#pragma unroll 1
    for (; whole > 0; whole--) {
        strip_load<true>(&now, &s, end);
        strip_fold<true>(sums, now);
    }
    strip_load<false>(&next, &s, end);
    strip_fold<false>(sums, next);
#endif
}

/*
 * Combines the `count` slots 0, step, ..., and then `part`, in a fixed order. SHARERS neighbouring threads
 * of a column share the slots, and all of them return the total. `real` says whether this column exists.
 */
static __device__ __forceinline__ partial column_gather(slot_word *slots, size_t step, unsigned count, bool real,
                                                        partial part)
{
    const unsigned lane = threadIdx.x % SHARERS;
    const slot_word none[SLOT_WORDS] = {};
    partial sum = nothing();
#pragma unroll 1
    for (unsigned first = lane; first - lane < count; first += SHARERS * READS) {
        slot_word words[READS][SLOT_WORDS];
        unsigned marks;
#pragma unroll
        for (unsigned k = 0; k < READS; k++)
#pragma unroll
            for (unsigned w = 0; w < SLOT_WORDS; w++)
                words[k][w] = 1;
        do {
            marks = 1;
#pragma unroll
            for (unsigned k = 0; k < READS; k++)
                slot_load_if<SLOT_WORDS>(words[k], slots + (first + SHARERS * k) * step * SLOT_WORDS,
                                         real && first + SHARERS * k < count);
#pragma unroll
            for (unsigned k = 0; k < READS; k++)
#pragma unroll
                for (unsigned w = 0; w < SLOT_WORDS; w++)
                    marks = mark_and(marks, words[k][w]);
        } while (!__all_sync(0xffffffff, marks));
#pragma unroll
        for (unsigned k = 0; k < READS; k++)
            if (real && first + SHARERS * k < count) {
                sum = combine(sum, slot_value<partial>(words[k]));
                slot_store<SLOT_WORDS>(slots + (first + SHARERS * k) * step * SLOT_WORDS, none);
            }
    }
    lanes_join<1, SHARERS>(&sum);
    return combine(sum, part);
}

extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    axis_tiles(const element *input, result_t *output, const element *second, void *workspace, unsigned length,
               size_t inner, unsigned strips, unsigned splits)
{
    typedef unsigned parts_of_rows[HEIGHT][STRIP];
#if AHEAD > 1
    /* Write the partials only after all stages have been read. */
    __shared__ union {
        uint4 stages[AHEAD * STAGE];
        parts_of_rows parts[HELD_WORDS];
    } held;
    parts_of_rows *parts = held.parts;
    uint4 *stages = held.stages + threadIdx.x;
#else
    __shared__ parts_of_rows parts[HELD_WORDS];
    uint4 *stages = 0;
#endif
    /*
     * Block numbers run over neighbouring strips first and over the splits of a length second, so the
     * last split starts last.
     */
    const unsigned number = blockIdx.x % strips, above = blockIdx.x / strips, split = above % splits;
    const size_t outer = above / splits, place = outer * strips + number;
    const unsigned tx = threadIdx.x % SIDE, ty = threadIdx.x / SIDE;
    const unsigned each = ((length + splits - 1) / splits + HEIGHT - 1) / HEIGHT * HEIGHT;
    const size_t begin = (size_t)split * each;
    const unsigned end = begin + each < length ? (unsigned)begin + each : length;
    /*
     * Vectors begin at multiples of VECTOR bytes. If rows do not, a row's strip begins `skipped` columns into
     * its first vector and has one vector less. `skipped` is the same for all rows of a thread. Elements of
     * other columns are read, too, but not used.
     */
    const unsigned width = inner % COLUMNS == 0 ? STRIP : STRIP - COLUMNS;
    const size_t first = (size_t)number * width, from = (outer * length + begin) * inner + first;
    const unsigned skipped = ((unsigned)from + ty * (unsigned)inner) % COLUMNS;
    const unsigned used = inner - first < width ? (unsigned)(inner - first) : width;
    partial sums[COLUMNS];
#pragma unroll
    for (unsigned j = 0; j < COLUMNS; j++)
        sums[j] = nothing();
    if (begin < length) {
        const size_t outers = gridDim.x / (strips * splits);
        strip s = {0, 0, input + outers * length * inner, HEIGHT * inner, (unsigned)begin + ty};
        const size_t at = from + ty * inner - skipped + min(tx, (skipped + used - 1) / COLUMNS) * COLUMNS;
        s.x = input + at;
        s.y = second + at;
        const unsigned kept = width < STRIP && outer + 1 == outers && end == length;
        unsigned whole = (end - (unsigned)begin - kept) / (HEIGHT * LOADS);
        strip_reduce(sums, s, whole, end, stages);
    }
#if AHEAD > 1
    __syncthreads();
#endif
#pragma unroll
    for (unsigned j = 0; j < COLUMNS; j++) {
        words_of<partial> x;
        x.value = sums[j];
#pragma unroll
        for (unsigned w = 0; w < HELD_WORDS; w++)
            parts[w][ty][tx * COLUMNS + j] = x.words[w];
    }
    __syncthreads();
    slot_word *slots = (slot_word *)workspace;
    const unsigned groups = (splits + SPLITS - 1) / SPLITS, group = split / SPLITS;
    const bool last = split == splits - 1, gathers = last || split % SPLITS == SPLITS - 1;
    /* The groups' slots follow those of the splits. A strip has STRIP adjacent slots of each kind. */
    const size_t of_split = (place * splits + split) * STRIP, of_first = of_split - (size_t)(split % SPLITS) * STRIP;
    const size_t of_groups = ((size_t)gridDim.x + place * groups) * STRIP;
#pragma unroll 1
    for (unsigned turn = 0; turn < TURNS; turn++) {
        const unsigned mine = turn * AT_ONCE + threadIdx.x / SHARERS;
        const bool real = mine < used;
        partial part = nothing();
#pragma unroll 1
        for (unsigned k = threadIdx.x % SHARERS; k < HEIGHT; k += SHARERS) {
            words_of<partial> x;
            const unsigned at = real ? mine + ((unsigned)from + k * (unsigned)inner) % COLUMNS : 0;
#pragma unroll
            for (unsigned w = 0; w < slot_of<partial>::BITS; w++)
                x.words[w] = w < HELD_WORDS ? parts[w < HELD_WORDS ? w : 0][k][at] : 0;
            part = combine(part, x.value);
        }
        lanes_join<1, SHARERS>(&part);
        if (gathers && splits > 1) /* uniform across the block */
            part = column_gather(slots + (of_first + mine) * SLOT_WORDS, STRIP, split % SPLITS, real, part);
        if (last && splits > 1)
            part = column_gather(slots + (of_groups + mine) * SLOT_WORDS, STRIP, groups - 1, real, part);
        if (!real || threadIdx.x % SHARERS != 0)
            continue;
        if (last)
            output[outer * inner + first + mine] = finish(part);
        else
            slot_put(slots, (gathers ? of_groups + (size_t)group * STRIP : of_split) + mine, part);
    }
}
