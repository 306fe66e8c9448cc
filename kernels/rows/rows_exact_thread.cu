// kernel:     rows_exact_thread
// idea:       the exact sum of each short row, rounded once, with one thread per row: no reduction
//             across lanes, and a warp rounds 32 rows at once; rows that do not fit a thread's
//             integers are added by the whole warp
// source:     redsweep; see rows_exact
// workload:   rows
// covers:     BLOCK * ROW_LENGTH
// depth:      1
// blocks:     multiple of 32
// constant:   BLOCK
// requires:   ROW_LENGTH <= 256
// types:      float32 float64 float16 bfloat16
// ops:        sum
// min_arch:   sm_80
// exact:      yes
// parameters: input output size_t(N / ROW_LENGTH) unsigned(ROW_LENGTH)
#define LOADS 1 /* packs per lane, when a warp adds up a row */
#include "exact.cuh"

/*
 * Prediction: rows of 64 elements take a tenth of the instructions that they take in rows_exact,
 * where a warp spends about 500 instructions per row besides those for the row's elements.
 * Neighbouring lanes read packs that are one row apart; the other packs of the same sectors are
 * then read from L1.
 */
enum { WARPS = BLOCK / 32, TILE = 32 * PACK_COUNT /* elements that a warp adds at a time */ };

/* The shared memory that a warp needs if all its lanes add up one row. */
struct together {
    long long digits[DIGITS];
    record sum;
    uint4 room[32];
};

/* Loads the pack at `at`. The first `here` elements belong to the row; the others become -0. */
static __device__ __forceinline__ void pack_load(const element *at, unsigned here, bool aligned,
                                                 unsigned (&words)[PACK_WORDS])
{
    if (aligned && here >= PACK_COUNT) {
        const uint4 x = __ldg((const uint4 *)at);
        words[0] = x.x;
        words[1] = x.y;
        words[2] = x.z;
        words[3] = x.w;
        return;
    }
#pragma unroll
    for (int w = 0; w < PACK_WORDS; w++)
        words[w] = minus_zero(w);
#pragma unroll
    for (int e = 0; e < PACK_COUNT; e++)
        if (e < here)
            element_put(words + e / WORD_ELEMENTS * ELEMENT_WORDS, e % WORD_ELEMENTS, at[e]);
}

/* Returns the sum of a row of zeros: +0, unless all of them are -0. */
static __device__ __noinline__ value_t row_of_zeros(const element *row, unsigned length)
{
    bool minus = true;
#pragma unroll 1
    for (unsigned i = 0; i < length; i++) {
        unsigned words[ELEMENT_WORDS] = {};
        element_put(words, 0, row[i]);
        minus = minus && is_minus(words, 0);
    }
    return minus ? -(value_t)0 : (value_t)0;
}

/*
 * Adds up this lane's row in `g`. Returns the largest key, or ~0u if the row does not fit the sums
 * in `g`.
 */
static __device__ __forceinline__ unsigned row_gather(const element *row, unsigned length, bool aligned, gathered *g)
{
    unsigned largest = 0, smallest = ~0u; /* largest key, and smallest key less one: 0 wraps */
#pragma unroll 1
    for (unsigned first = 0; first < length; first += PACK_COUNT) {
        unsigned words[PACK_WORDS];
        pack_load(row + first, length - first, aligned, words);
#pragma unroll
        for (int e = 0; e < PACK_COUNT; e++) {
            const unsigned key = key_at(words, e);
            largest = key > largest ? key : largest;
            smallest = key - 1 < smallest ? key - 1 : smallest;
        }
        if (PARTS > 1 && first == 0 && largest && (largest >= g->top || largest < g->next)) {
            const int unit = unit_for(top_of(largest) + 2 * UNITS, LOWEST); /* room for larger ones */
            gather_at(g, unit);
        }
#pragma unroll
        for (int e = 0; e < PACK_COUNT; e++) {
            double x = double_at(words, e), *mine = g->sums[e % CHAINS];
#pragma unroll
            for (int p = PARTS - 1; p > 0; p--) {
                const double before = mine[p];
                mine[p] = before + x;
                x -= mine[p] - before;
            }
            mine[0] += x;
        }
    }
    return largest == 0 || (largest < g->top && smallest + 1 >= g->low) ? largest : ~0u;
}

/* Returns the total of a lane's sums, rounded once. */
static __device__ __forceinline__ value_t row_round(const gathered &g)
{
    total all;
    long long part = 0;
#pragma unroll
    for (int p = 0; p < PARTS; p++) {
#pragma unroll
        for (int c = 0; c < CHAINS; c++)
            part += bits_of(g.sums[c][p]) - bits_of(shifter_of(g.unit + GAP * p, c));
#pragma unroll
        for (int i = 2 * p; i < 2 * p + 2; i++) {
            all.sum.pieces[i] = (unsigned)part & ((1u << piece_bits(i)) - 1);
            part >>= piece_bits(i);
        }
    }
    all.sum.pieces[PIECES - 1] = (unsigned)part;
    all.sum.unit = (short)g.unit;
    all.sum.about = HAS_OTHER;
    all.top = part;
    return total_round(all);
}

/* Adds up one row with the whole warp, whatever its elements are. */
static __device__ __noinline__ value_t row_together(const element *row, unsigned length, together *mine)
{
    const unsigned lane = threadIdx.x % 32;
    const shared_tile tile = {mine->room + lane};
    gathered g = gather_begin();
    lane_digits sum;
    total all;
#pragma unroll
    for (int i = 0; i < LANE_DIGITS; i++)
        if (lane + 32 * i < DIGITS)
            mine->digits[lane + 32 * i] = 0;
    if (lane == 0)
        mine->sum = record_none();
    __syncwarp();
#pragma unroll 1
    for (unsigned first = 0; first < length; first += TILE) {
        tile_fill((element *)mine->room, TILE, row + first, min((unsigned)TILE, length - first));
        gather(&g, &mine->sum, mine->digits, tile);
    }
    gather_flush(&g, &mine->sum, mine->digits);
    const unsigned about = warp_or(g.about);
    all.sum = mine->sum;
    all.top = (int)all.sum.pieces[PIECES - 1];
    if (about & HAS_SPECIAL)
        return special_value(about);
    if (!(about & HAS_OTHER))
        return -(value_t)0;
    if (!(about & HAS_DIGITS))
        return total_round(all);
    total_carry(&all);
    if (lane == 0)
        record_to_digits(mine->digits, all.sum, all.top);
    __syncwarp();
#pragma unroll
    for (int i = 0; i < LANE_DIGITS; i++)
        sum[i] = lane + 32 * i < DIGITS ? mine->digits[lane + 32 * i] : 0;
    return digits_round(sum);
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    rows_exact_thread(const element *input, value_t *output, size_t rows, unsigned row_length)
{
    __shared__ together shared[WARPS];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const size_t row = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    const bool aligned = (((size_t)input | row_length * sizeof(element)) & 15) == 0;
    gathered g = gather_begin();
    bool left = false;
    if (row < rows) {
        const element *mine = input + row * row_length;
        const unsigned largest = row_gather(mine, row_length, aligned, &g);
        left = largest == ~0u;
        if (!left)
            output[row] = largest ? row_round(g) : row_of_zeros(mine, row_length);
    }
    unsigned others = __ballot_sync(0xffffffffu, left);
#pragma unroll 1
    for (; others; others &= others - 1) {
        const size_t other = row - lane + (unsigned)__ffs((int)others) - 1;
        const value_t value = row_together(input + other * row_length, row_length, &shared[warp]);
        if (lane == 0)
            output[other] = value;
        __syncwarp(); /* all lanes have read `shared` */
    }
}
