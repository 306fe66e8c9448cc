// kernel:     rows_brief
// idea:       a few lanes or a block hold a whole row in registers, with loads as wide as its
//             length allows; the code is short, because small launches spend much of their time
//             fetching instructions
// source:     redsweep
// workload:   rows
// covers:     BLOCK / if(LANES = 0, BLOCK, LANES) * ROW_LENGTH
// depth:      LOADS * VECTOR / SIZEOF + 12
// blocks:     power of two
// constant:   BLOCK
// tunable:    LANES 8 1 2 4 16 32 0
// tunable:    VECTOR 16 1 2 4 8
// tunable:    LOADS 2 1 4 8 16
// requires:   VECTOR % SIZEOF = 0 and ROW_LENGTH * SIZEOF % VECTOR = 0 and OFFSET * SIZEOF % VECTOR = 0
// requires:   ROW_LENGTH > 1 and ROW_LENGTH * SIZEOF <= if(LANES = 0, BLOCK, LANES) * LOADS * VECTOR
// requires:   BLOCK * (LOADS * max(4, VECTOR) / 4 * if(SIZEOF < 4, 2, 1) + 24) <= 65536
// where:      TEAM if(LANES = 0, BLOCK, LANES)
// where:      STEPS ceil_div(ROW_LENGTH * SIZEOF, TEAM * VECTOR)
// where:      WAVES ceil_div(GRID * BLOCK, SMS * min(2048, 65536 / (LOADS * max(4, VECTOR) / 4 + 24)))
// where:      WARPS ceil_div(GRID, SMS) * BLOCK / 32
// cost:       WAVES
// cost:       WAVES * STEPS
// cost:       WARPS * STEPS * max(1, min(32 / TEAM, ROW_LENGTH * SIZEOF / 32))
// overlap:    WARPS
// overlap:    WARPS * STEPS
// overlap:    WARPS * LOADS * VECTOR / SIZEOF
// types:      all
// ops:        all
// min_arch:   sm_80
// invariant:  yes
// parameters: input output second size_t(N / ROW_LENGTH) unsigned(ROW_LENGTH)
//             double(1 / ROW_LENGTH) double(1 / max(1, ROW_LENGTH - 1))
#include "block.cuh"

/*
 * Prediction: on uncached inputs below 2^22 bytes, the kernel takes 0.3 to 0.8 us less than the other
 * row-wise kernels, with the largest gain for variances. It has no loop, no division, no exchange of counts
 * between threads, and no second path for elements outside whole packs; registers without an element hold the
 * fill value. The code resembles what a compiler generates for a fixed row length, but accepts any row that
 * fits its registers. With many rows, the kernel is slower than the others, because a team has only one row's
 * loads in flight and loading single elements costs instructions.
 */
enum {
    TEAM = LANES ? LANES : BLOCK,
    WIDTH = VECTOR / sizeof(element), /* elements per load */
    VALUES = LOADS * WIDTH,
    VECTOR_WORDS = VECTOR >= 4 ? VECTOR / 4 : 1
};

#if VECTOR == 16
typedef uint4 loaded;
#elif VECTOR == 8
typedef uint2 loaded;
#elif VECTOR == 4
typedef unsigned loaded;
#elif VECTOR == 2
typedef unsigned short loaded;
#else
typedef unsigned char loaded;
#endif

/* This thread's elements, converted to value_t. It loads every TEAM-th vector of VECTOR bytes of its row. */
struct held {
    value_t values[VALUES];
    unsigned real; /* number of this thread's vectors that exist */
};

static __device__ __forceinline__ value_t value_in(const unsigned *words, unsigned j)
{
#if ELEMENT_BYTES == 8
    union {
        unsigned words[2];
        value_t value;
    } x = {{words[2 * j], words[2 * j + 1]}};
    return x.value;
#else
    return word_value(words[j * ELEMENT_BYTES / 4], j % (ELEMENT_BYTES < 4 ? 4 / ELEMENT_BYTES : 1));
#endif
}

/*
 * Loads this thread's share of the `vectors` vectors from `at` on, all in flight at once, and sets the rest
 * of `h` to the fill value.
 */
static __device__ __forceinline__ void row_load(held *h, const element *at, unsigned vectors)
{
    const unsigned lane = threadIdx.x % TEAM;
    union word {
        __device__ word() {}
        loaded all;
        unsigned words[VECTOR_WORDS];
    } x[LOADS];
    h->real = vectors > lane ? (vectors - lane + TEAM - 1) / TEAM : 0;
#pragma unroll
    for (unsigned k = 0; k < LOADS; k++)
        if (lane + k * TEAM < vectors)
            x[k].all = __ldg((const loaded *)at + lane + k * TEAM);
#pragma unroll
    for (unsigned k = 0; k < LOADS; k++)
#pragma unroll
        for (unsigned j = 0; j < WIDTH; j++)
            h->values[k * WIDTH + j] = lane + k * TEAM < vectors ? value_in(x[k].words, j) : fill_value();
}

#if COUNTED
/*
 * Returns the sum of x over the team, in all threads of the team. Successive calls must use different places.
 */
static __device__ __forceinline__ value_t team_sum(value_t x, unsigned place)
{
    x = lanes_sum<(TEAM < 32 ? TEAM : 32)>(x);
    if (TEAM > 32) {
        __shared__ value_t sums[2][TEAM > 32 ? TEAM / 32 : 1];
        if (threadIdx.x % 32 == 0)
            sums[place][threadIdx.x / 32] = x;
        __syncthreads();
        x = sums[place][0];
#pragma unroll
        for (unsigned k = 1; k < TEAM / 32; k++)
            x += sums[place][k];
    }
    return x;
}

/*
 * Computes the mean and the variance of a row. The mean is computed relative to `pivot`, so that the variance
 * of equal elements is exactly 0. For rows of n elements, `inverse` is 1 / n, and `inverse_less` is 1 / (n -
 * 1).
 */
static __device__ __forceinline__ result_t row_result(const held &h, value_t pivot, double inverse,
                                                      double inverse_less)
{
    value_t sum = 0, squares = 0;
#pragma unroll
    for (unsigned k = 0; k < VALUES; k++)
        sum += k / WIDTH < h.real ? h.values[k] - pivot : 0;
    const value_t mean = pivot + team_sum(sum, 0) * (value_t)inverse;
#pragma unroll
    for (unsigned k = 0; k < VALUES; k++) {
        value_t delta = k / WIDTH < h.real ? h.values[k] - mean : 0;
        squares += delta * delta;
    }
    return {mean, team_sum(squares, 1) * (value_t)inverse_less};
}
#else
static __device__ __forceinline__ result_t row_result(const held &h, const held &other)
{
    partial part = fold_values<VALUES>(h.values, other.values, 0, 1, VALUES);
#if INDEXED
    part.index = (part.index / WIDTH * TEAM + threadIdx.x % TEAM) * WIDTH + part.index % WIDTH;
#endif
    return finish(team_total<TEAM>(h.real ? part : nothing(), 0));
}
#endif

extern "C" __global__ void __launch_bounds__(BLOCK)
    rows_brief(const element *input, result_t *output, const element *second, size_t rows, unsigned row_length,
               double inverse, double inverse_less)
{
    const size_t row = (size_t)blockIdx.x * (BLOCK / TEAM) + threadIdx.x / TEAM;
    const unsigned vectors = row < rows ? row_length / WIDTH : 0;
    held h;
    row_load(&h, input + row * row_length, vectors);
#if COUNTED
    value_t pivot = vectors ? convert(input[row * row_length]) : 0;
    result_t result = row_result(h, pivot, inverse, inverse_less);
#elif VECTORS == 2
    held other;
    row_load(&other, second + row * row_length, vectors);
    result_t result = row_result(h, other);
#else
    result_t result = row_result(h, h);
#endif
    if (threadIdx.x % TEAM == 0 && row < rows)
        output[row] = result;
}
