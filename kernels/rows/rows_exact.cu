// kernel:     rows_exact
// idea:       the exact sum of each row, rounded once: each warp converts elements to integers,
//             scaled by its own largest exponent, and adds them to fixed-point numbers in shared
//             memory
// source:     redsweep; see onepass_exact
// workload:   rows
// covers:     if(TEAM = 0, 1, BLOCK / 32) * ROW_LENGTH
// depth:      1
// blocks:     multiple of 32
// constant:   BLOCK
// tunable:    TEAM 32 0
// tunable:    LOADS 1 2 4
// default:    LOADS 2
// requires:   ROW_LENGTH < 2^32 and BLOCK * LOADS <= 2048 and (SIZEOF < 8 or BLOCK / 32 * (512 * LOADS + 592) <= 48 * 1024)
// types:      float32 float64 float16 bfloat16
// ops:        sum
// min_arch:   sm_80
// exact:      yes
// parameters: input output size_t(N / ROW_LENGTH) unsigned(ROW_LENGTH)
#include "exact.cuh"

/*
 * A row is added up by a warp if TEAM is 32, and by a block otherwise. Each warp has its own record, digits and unit
 * (see exact.cuh), so the loop has no barrier. The next tile loads while the current one is added. Prediction: for rows
 * of a few hundred elements, the kernel is half as fast as rows_lanes, because a warp takes as long to round a short
 * row as a long one.
 */
enum {
    LANES = TEAM ? TEAM : BLOCK,
    TEAMS = BLOCK / LANES,
    WARPS = BLOCK / 32,
    TILE = 32 * LOADS * PACK_COUNT /* elements that a warp adds at a time */
};

/* Loads this lane's elements of the tile at `first`. Elements beyond the end of the row are -0. */
static __device__ __forceinline__ void row_read(const element *row, unsigned length, unsigned first, bool aligned,
                                                register_tile *tile)
{
    const unsigned lane = threadIdx.x % 32;
    if (aligned && length - first >= TILE) {
        tile->load((const uint4 *)(row + first) + lane);
        return;
    }
#pragma unroll
    for (int i = 0; i < LOADS * PACK_COUNT; i++) {
        const unsigned at = first + i * 32 + lane;
        const int e = i % PACK_COUNT;
        unsigned *word = tile->words[i / PACK_COUNT] + e / WORD_ELEMENTS * ELEMENT_WORDS;
        if (e % WORD_ELEMENTS == 0)
#pragma unroll
            for (int k = 0; k < ELEMENT_WORDS; k++)
                word[k] = minus_zero(k);
        if (at < length && at >= first)
            element_put(word, e % WORD_ELEMENTS, row[at]);
    }
}

/* Rounds the sum of `all` and the digits of `count` warps. Called by one warp. */
static __device__ __noinline__ value_t digits_total(long long (*digits)[DIGITS], int count, total all)
{
    const unsigned lane = threadIdx.x % 32;
    lane_digits mine;
    total_carry(&all);
    if (lane == 0)
        record_to_digits(digits[0], all.sum, all.top);
    __syncwarp();
#pragma unroll
    for (int i = 0; i < LANE_DIGITS; i++) {
        mine[i] = 0;
        if (lane + 32 * i < DIGITS)
            for (int w = 0; w < count; w++)
                mine[i] += digits[w][lane + 32 * i];
    }
    return digits_round(mine);
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    rows_exact(const element *input, value_t *output, size_t rows, unsigned row_length)
{
    __shared__ long long digits[WARPS][DIGITS];
    __shared__ record records[WARPS];
    __shared__ uint4 rooms[WARPS][LOADS * 32];
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const size_t row = (size_t)blockIdx.x * TEAMS + threadIdx.x / LANES;
    const bool aligned = (((size_t)input | row_length * sizeof(element)) & 15) == 0;
    const element *mine = input + row * row_length;
    unsigned first = threadIdx.x % LANES / 32 * TILE;
    bool more = row < rows && first < row_length;
    register_tile tile;
    tile.room = &rooms[warp][lane];
    if (more)
        row_read(mine, row_length, first, aligned, &tile);
#pragma unroll
    for (int i = 0; i < LANE_DIGITS; i++)
        if (lane + 32 * i < DIGITS)
            digits[warp][lane + 32 * i] = 0;
    if (lane == 0)
        records[warp] = record_none();
    __syncwarp();
    gathered g = gather_begin();
#pragma unroll 1
    while (more) {
        register_tile next;
        next.room = tile.room;
        more = row_length - first > LANES / 32 * TILE;
        first += LANES / 32 * TILE;
        if (more)
            row_read(mine, row_length, first, aligned, &next);
        gather(&g, &records[warp], digits[warp], tile);
        tile = next;
    }
    const int unit = g.unit;
    gather_flush(&g, &records[warp], digits[warp]);
    const unsigned about = warp_or(g.about);
    if (lane == 0)
        records[warp].about = (unsigned short)about;
    if (LANES > 32) { /* wait for the row's other warps */
        __syncthreads();
        if (warp > 0)
            return;
    } else {
        __syncwarp();
    }
    total all;
    if (LANES > 32) {
        all = records_total(lane < WARPS ? records[LANES > 32 ? lane : 0] : record_none(), unit, digits[0]);
    } else { /* the row has a single record */
        all.sum = records[warp];
        all.top = (int)all.sum.pieces[PIECES - 1];
    }
    const value_t value = all.sum.about & HAS_DIGITS ? digits_total(digits + warp, LANES > 32 ? WARPS : 1, all)
                                                     : total_round(all);
    if (lane == 0 && row < rows)
        output[row] = all.sum.about & HAS_SPECIAL ? special_value(all.sum.about)
                      : all.sum.about & HAS_OTHER ? value
                                                  : -(value_t)0;
}
