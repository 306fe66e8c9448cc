// kernel:     rows_exact
// idea:       the sum of each row without any error, rounded once: warps turn their elements into integers, each by
//             its own largest exponent, and add them to fixed-point numbers in shared memory
// source:     redsweep; see onepass_exact
// workload:   rows
// covers:     if(TEAM = 0, 1, BLOCK / 32) * ROW_LENGTH
// depth:      1
// blocks:     multiple of 32
// constant:   BLOCK
// tunable:    TEAM 32 0
// tunable:    LOADS 1 2 4
// default:    LOADS 2
// requires:   ROW_LENGTH < 2^32 and LOADS * 16 / SIZEOF <= 32
// types:      float32 float64 float16 bfloat16
// ops:        sum
// min_arch:   sm_80
// exact:      yes
// parameters: input output size_t(N / ROW_LENGTH) unsigned(ROW_LENGTH)
#include "exact.cuh"

/*
 * A row has a warp (TEAM 32) or a block. Each warp has a number and digits of its own, so that warps need not agree
 * on a unit, and no barrier is in the loop. Predicted: half the speed of rows_lanes for rows of a few hundred
 * elements, which a warp adds up and rounds as slowly as long ones.
 */
enum {
    WORDS = 4 * LOADS,
    COUNT = LOADS * (int)PACK_WIDTH, /* elements of a thread at a time */
    LANES = TEAM ? TEAM : BLOCK,
    TEAMS = BLOCK / LANES,
    WARPS = BLOCK / 32
};

/* This thread's elements of the LANES * COUNT that begin at `first`; -0 behind the row's end. */
static __device__ __forceinline__ void row_read(const element *row, unsigned length, unsigned first,
                                                bool whole, unsigned (&words)[WORDS])
{
    const unsigned lane = threadIdx.x % LANES;
    if (whole && length - first >= LANES * COUNT) {
        const uint4 *mine = (const uint4 *)(row + first) + lane;
#pragma unroll
        for (int i = 0; i < LOADS; i++) {
            const uint4 x = mine[i * LANES];
            words[4 * i] = x.x;
            words[4 * i + 1] = x.y;
            words[4 * i + 2] = x.z;
            words[4 * i + 3] = x.w;
        }
        return;
    }
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        const unsigned at = first + i * LANES + lane;
        unsigned *word = words + i / WORD_ELEMENTS * ELEMENT_WORDS;
        if (i % WORD_ELEMENTS == 0)
#pragma unroll
            for (int k = 0; k < ELEMENT_WORDS; k++)
                word[k] = minus_zero(k);
        if (at < length && at >= first)
            element_put(word, i % WORD_ELEMENTS, row[at]);
    }
}

/* The sum of what warps have as digits, for one warp. */
static __device__ __noinline__ value_t digits_total(long long (*digits)[DIGITS], int count,
                                                    number sum)
{
    const unsigned lane = threadIdx.x % 32;
    lane_digits mine;
    if (lane == 0)
        number_to_digits(digits[0], sum);
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
    __shared__ number numbers[LANES > 32 ? WARPS : 1];
    __shared__ unsigned abouts[LANES > 32 ? WARPS : 1];
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const size_t row = (size_t)blockIdx.x * TEAMS + threadIdx.x / LANES;
    const bool whole = (((size_t)input | row_length * sizeof(element)) & 15) == 0;
#pragma unroll
    for (int i = 0; i < LANE_DIGITS; i++)
        if (lane + 32 * i < DIGITS)
            digits[warp][lane + 32 * i] = 0;
    __syncwarp();
    gathered g = gather_begin();
    number sum = number_none();
#pragma unroll 1
    for (unsigned first = 0; row < rows;) {
        unsigned words[WORDS];
        row_read(input + row * row_length, row_length, first, whole, words);
        gather(&g, &sum, digits[warp], words);
        if (row_length - first <= LANES * COUNT)
            break;
        first += LANES * COUNT;
    }
    gather_flush(&g, &sum, digits[warp]);
    unsigned about = warp_or(g.about);
    if (LANES > 32) { /* the row's other warps */
        if (lane == 0) {
            numbers[LANES > 32 ? warp : 0] = sum;
            abouts[LANES > 32 ? warp : 0] = about;
        }
        __syncthreads();
        if (warp > 0)
            return;
        sum = lane < WARPS ? numbers[LANES > 32 ? lane : 0] : number_none();
        about = warp_or(lane < WARPS ? abouts[LANES > 32 ? lane : 0] : 0);
        lanes_total(&sum, digits[0], &about);
    }
    const value_t total = about & HAS_DIGITS
                              ? digits_total(digits + warp, LANES > 32 ? WARPS : 1, sum)
                              : wide_round(sum.value, sum.unit);
    if (lane == 0 && row < rows)
        output[row] = about & HAS_SPECIAL ? special_value(about)
                      : about & HAS_OTHER ? total
                                          : -(value_t)0;
}
