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
 * A row has a warp (TEAM 32) or a block. Each warp has digits of its own, so that warps need not agree
 * on a scale, and no barrier is in the loop. Predicted: half the speed of rows_lanes
 * for rows of a few hundred elements, which one lane rounds as slowly as long ones.
 */
enum {
    COUNT = LOADS * (int)PACK_WIDTH, /* elements of a thread at a time */
    LANES = TEAM ? TEAM : BLOCK,
    TEAMS = BLOCK / LANES
};

/* This thread's elements of the LANES * COUNT that begin at `first`; -0 behind the row's end. */
static __device__ __forceinline__ void row_read(const element *row, unsigned length, unsigned first,
                                                bool whole, value_t (&x)[COUNT])
{
    const unsigned lane = threadIdx.x % LANES;
    if (whole && length - first >= LANES * COUNT) {
        const pack *mine = (const pack *)(row + first) + lane;
        pack p[LOADS];
#pragma unroll
        for (int i = 0; i < LOADS; i++)
            p[i] = mine[i * LANES];
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            x[i] = convert(p[i / PACK_WIDTH].e[i % PACK_WIDTH]);
        return;
    }
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        unsigned at = first + i * LANES + lane;
        x[i] = at < length && at >= first ? convert(row[at]) : -(value_t)0;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    rows_exact(const element *input, value_t *output, size_t rows, unsigned row_length)
{
    enum { WARPS = BLOCK / 32 };
    __shared__ long long digits[WARPS][DIGITS];
    __shared__ unsigned specials[WARPS];
    __shared__ bool others[WARPS];
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const size_t row = (size_t)blockIdx.x * TEAMS + threadIdx.x / LANES;
    const bool whole = (((size_t)input | row_length * sizeof(element)) & 15) == 0;
#pragma unroll
    for (int i = 0; i < LANE_DIGITS; i++)
        if (lane + 32 * i < DIGITS)
            digits[warp][lane + 32 * i] = 0;
    __syncwarp();
    gathered g = gather_begin();
    unsigned taken = 0; /* elements of this thread since the last flush */
    for (unsigned first = 0; row < rows;) {
        value_t x[COUNT];
        row_read(input + row * row_length, row_length, first, whole, x);
        if (taken + COUNT > MOST_GATHERED) {
            gather_flush(&g, digits[warp]);
            taken = 0;
        }
        gather(&g, digits[warp], x);
        taken += COUNT;
        if (row_length - first <= LANES * COUNT)
            break;
        first += LANES * COUNT;
    }
    gather_flush(&g, digits[warp]);
    unsigned special = warp_or(g.special);
    bool other = __any_sync(0xffffffffu, g.other);
    lane_digits mine;
#pragma unroll
    for (int i = 0; i < LANE_DIGITS; i++)
        mine[i] = lane + 32 * i < DIGITS ? digits[warp][lane + 32 * i] : 0;
    if (LANES > 32) { /* the row's other warps */
        if (lane == 0) {
            specials[warp] = special;
            others[warp] = other;
        }
        __syncthreads();
        if (warp > 0)
            return;
        for (int w = 1; w < WARPS; w++) {
            special |= specials[w];
            other = other || others[w];
#pragma unroll
            for (int i = 0; i < LANE_DIGITS; i++)
                mine[i] += lane + 32 * i < DIGITS ? digits[w][lane + 32 * i] : 0;
        }
    }
    const value_t sum = digits_round(mine);
    if (lane == 0 && row < rows)
        output[row] = special ? special_value(special) : other ? sum : -(value_t)0;
}
