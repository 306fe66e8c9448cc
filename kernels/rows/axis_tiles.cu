// kernel:     axis_tiles
// idea:       reduces an array (outer, length, inner) over its middle dimension: SIDE threads side
//             by side read VECTOR bytes each, the block's other threads read the next elements of
//             the length, with LOADS of them in flight; blocks that divide a length pass their
//             parts to the last block, in groups
// source:     redsweep
// workload:   axis
// covers:     min(SIDE * VECTOR / SIZEOF, INNER) * min(ROW_LENGTH, BLOCK / SIDE * LOADS)
// grid:       N / (ROW_LENGTH * INNER) * ceil_div(INNER * SIZEOF, SIDE * VECTOR)
//             * min(ceil_div(ROW_LENGTH * SIDE, BLOCK * LOADS), ceil_div(SMS * BLOCKS_PER_SM,
//             N / (ROW_LENGTH * INNER) * ceil_div(INNER * SIZEOF, SIDE * VECTOR)))
// workspace:  if(GRID = N / (ROW_LENGTH * INNER) * ceil_div(INNER * SIZEOF, SIDE * VECTOR), 0, 2 * ACCUMULATOR
//             * SIDE * VECTOR / SIZEOF * (GRID + ceil_div(GRID, SPLITS) + N / (ROW_LENGTH * INNER)
//             * ceil_div(INNER * SIZEOF, SIDE * VECTOR)))
// depth:      ceil_div(ROW_LENGTH, GRID / (N / (ROW_LENGTH * INNER) * ceil_div(INNER * SIZEOF, SIDE * VECTOR))
//             * BLOCK / SIDE) + BLOCK / SIDE + 2 * SPLITS + ceil_div(GRID / (N / (ROW_LENGTH * INNER)), SPLITS) + 16
// blocks:     power of two
// constant:   BLOCK
// tunable:    SIDE 16 1 2 4 8 32 64 128
// tunable:    VECTOR 16 1 2 4 8
// tunable:    LOADS 8 2 4 6 12 16
// tunable:    BLOCKS_PER_SM 8 1 2 4 6 16 32 64
// tunable:    SPLITS 32 8 16 64
// tunable:    MIN_BLOCKS 1 2 3 4 6 8
// tunable:    POLICY 1 0
// requires:   VECTOR % SIZEOF = 0 and INNER * SIZEOF % VECTOR = 0 and OFFSET * SIZEOF % VECTOR = 0
// requires:   ROW_LENGTH < 2^32 and SIDE <= BLOCK and BLOCK * VECTOR / SIZEOF * ACCUMULATOR <= 40960
// requires:   BLOCK * MIN_BLOCKS * (LOADS * max(1, VECTOR / 4) + 24) <= 65536 and BLOCK * MIN_BLOCKS <= 2048
// where:      STRIPS N / (ROW_LENGTH * INNER) * ceil_div(INNER * SIZEOF, SIDE * VECTOR)
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
//             unsigned(ceil_div(INNER * SIZEOF, SIDE * VECTOR))
//             unsigned(GRID / (N / (ROW_LENGTH * INNER) * ceil_div(INNER * SIZEOF, SIDE * VECTOR)))
#include "slots.cuh"
#include "stream.cuh"

/*
 * The prediction was: columns of 64 bytes and more reach the speed of reading, because all sectors are read
 * whole and once. A thread keeps a partial of each of its columns, to which it adds LOADS elements at a
 * time. This takes 1 to 5 instructions per element, out of the 13 (half types) or 26 that an H200 leaves
 * free. If few columns make many splits, the finish takes two trips to L2. They take 1.5 us, which is 3 % of
 * the time for 2^26 elements.
 */
enum {
    HEIGHT = BLOCK / SIDE,
    COLUMNS = VECTOR / sizeof(element), /* the columns of a thread */
    STRIP = SIDE * COLUMNS,
    /* threads that share a column at the end */
    SHARERS = STRIP >= BLOCK ? 1 : BLOCK / STRIP > 32 ? 32 : BLOCK / STRIP,
    AT_ONCE = BLOCK / SHARERS,
    TURNS = STRIP > AT_ONCE ? STRIP / AT_ONCE : 1,
    VECTOR_WORDS = VECTOR >= 4 ? VECTOR / 4 : 1,
    READS = slot_of<partial>::BITS <= 3 ? 8 : 4 /* slots that a thread reads at once */
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

/*
 * These are this thread's elements along the axis that is reduced. Its vectors are `step` elements
 * apart, and the first has the number `row`.
 */
struct strip {
    const element *x, *y;
    size_t step;
    unsigned row;
};

template <bool WHOLE>
static __device__ __forceinline__ void strip_add(partial sums[COLUMNS], const strip &s, unsigned end)
{
    vector x[LOADS], y[VECTORS == 2 ? LOADS : 1];
    unsigned real = WHOLE ? LOADS : s.row < end ? min((unsigned)LOADS, (end - s.row + HEIGHT - 1) / HEIGHT) : 0;
#pragma unroll
    for (unsigned k = 0; k < LOADS; k++)
        if (WHOLE || k < real) {
            x[k] = vector_load(s.x + k * s.step);
            if (VECTORS == 2)
                y[VECTORS == 2 ? k : 0] = vector_load(s.y + k * s.step);
        }
    if (real == 0)
        return;
    const value_t share = append_share(sums[0], real);
#pragma unroll
    for (unsigned j = 0; j < COLUMNS; j++) {
        value_t values[LOADS], others[LOADS];
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++) {
            bool exists = WHOLE || k < real;
            values[k] = exists ? vector_value(x[k], j) : fill_value();
            others[k] = VECTORS == 1 ? values[k] : exists ? vector_value(y[VECTORS == 2 ? k : 0], j) : 0;
        }
        append(&sums[j], fold_values<LOADS>(values, others, s.row, HEIGHT, real), share);
    }
}

/*
 * Combines the `count` slots 0, step, ..., and then `part`. Each of SHARERS neighbouring threads of a column
 * takes a share, and all of them return the total. `real` says whether this column exists. The order is
 * fixed.
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
    __shared__ unsigned parts[HELD_WORDS][HEIGHT][STRIP];
    /*
     * Block numbers run over neighbouring strips first, and then over the splits of a length, so that the
     * last split begins last.
     */
    const unsigned number = blockIdx.x % strips, above = blockIdx.x / strips, split = above % splits;
    const size_t outer = above / splits, place = outer * strips + number;
    const unsigned tx = threadIdx.x % SIDE, ty = threadIdx.x / SIDE;
    const unsigned each = ((length + splits - 1) / splits + HEIGHT - 1) / HEIGHT * HEIGHT;
    const size_t begin = (size_t)split * each;
    const unsigned end = begin + each < length ? (unsigned)begin + each : length;
    size_t column = ((size_t)number * SIDE + tx) * COLUMNS;
    /* In the last strip, some elements are read but not used. */
    column = column < inner ? column : inner - COLUMNS;
    partial sums[COLUMNS];
#pragma unroll
    for (unsigned j = 0; j < COLUMNS; j++)
        sums[j] = nothing();
    if (begin < length) {
        strip s = {0, 0, HEIGHT * inner, (unsigned)begin + ty};
        size_t at = (outer * length + s.row) * inner + column;
        s.x = input + at;
        s.y = second + at;
        unsigned whole = (end - (unsigned)begin) / (HEIGHT * LOADS);
#pragma unroll 1
        for (; whole > 0; whole--) {
            strip_add<true>(sums, s, end);
            s.x += LOADS * s.step;
            s.y += LOADS * s.step;
            s.row += LOADS * HEIGHT;
        }
        if (s.row - ty < end)
            strip_add<false>(sums, s, end);
    }
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
    /* The slots of groups follow those of splits. A strip has STRIP slots of each kind, side by side. */
    const size_t of_split = (place * splits + split) * STRIP, of_first = of_split - (size_t)(split % SPLITS) * STRIP;
    const size_t of_groups = ((size_t)gridDim.x + place * groups) * STRIP;
#pragma unroll 1
    for (unsigned turn = 0; turn < TURNS; turn++) {
        const unsigned mine = turn * AT_ONCE + threadIdx.x / SHARERS;
        const bool real = mine < STRIP && (size_t)number * STRIP + mine < inner;
        partial part = nothing();
#pragma unroll 1
        for (unsigned k = threadIdx.x % SHARERS; k < HEIGHT; k += SHARERS) {
            words_of<partial> x;
#pragma unroll
            for (unsigned w = 0; w < slot_of<partial>::BITS; w++)
                x.words[w] = w < HELD_WORDS ? parts[w < HELD_WORDS ? w : 0][k][mine < STRIP ? mine : 0] : 0;
            part = combine(part, x.value);
        }
        lanes_join<1, SHARERS>(&part);
        if (gathers && splits > 1) /* This condition is the same for the whole block. */
            part = column_gather(slots + (of_first + mine) * SLOT_WORDS, STRIP, split % SPLITS, real, part);
        if (last && splits > 1)
            part = column_gather(slots + (of_groups + mine) * SLOT_WORDS, STRIP, groups - 1, real, part);
        if (!real || threadIdx.x % SHARERS != 0)
            continue;
        if (last)
            output[outer * inner + (size_t)number * STRIP + mine] = finish(part);
        else
            slot_put(slots, (gathers ? of_groups + (size_t)group * STRIP : of_split) + mine, part);
    }
}
