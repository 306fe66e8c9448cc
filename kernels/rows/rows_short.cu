// kernel:     rows_short
// idea:       the row length is a compile-time constant: a thread reduces just enough rows to fill
//             whole 16-byte packs, and keeps every element in a register of its own
// source:     redsweep
// workload:   rows
// covers:     BLOCK * GROUPS * ROW_LENGTH * if(ROW_LENGTH * SIZEOF % 16 = 0, 1, if(ROW_LENGTH * SIZEOF % 8 = 0, 2,
//             if(ROW_LENGTH * SIZEOF % 4 = 0, 4, if(ROW_LENGTH * SIZEOF % 2 = 0, 8, 16))))
// depth:      ROW_LENGTH
// blocks:     power of two
// constant:   BLOCK
// tunable:    LENGTH 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
// tunable:    GROUPS 1 2 4 8
// tunable:    STAGED 0 1
// requires:   ROW_LENGTH = LENGTH and OFFSET * SIZEOF % 16 = 0 and COVERS * SIZEOF <= BLOCK * 256
// requires:   STAGED = 0 or COVERS * SIZEOF <= 20480
// where:      WAVES ceil_div(GRID * BLOCK, SMS * 2048)
// where:      WARPS ceil_div(GRID, SMS) * BLOCK / 32
// where:      PACKS COVERS * SIZEOF / (BLOCK * 16)
// cost:       WAVES
// cost:       WARPS
// cost:       WARPS * PACKS
// overlap:    WARPS * COVERS / BLOCK
// types:      all
// ops:        all
// min_arch:   sm_80
// invariant:  yes
// parameters: input output second size_t(N / ROW_LENGTH)
/* If STAGED is 0, loads go through L1, because lanes read neighbouring packs of a line one after another. */
#define POLICY (STAGED ? 1 : 0)
#include "operation.cuh"

/*
 * Prediction: rows of 2 to 16 elements are reduced as fast as they can be read and their results written, even for
 * variances of half types. rows_tile has to shift words if a row begins within one, and the lanes of rows_thread
 * read addresses one row apart. This kernel needs no address arithmetic within a row and no loop, and stores its
 * results 16 bytes at a time. If STAGED is 1, packs and results go through shared memory to make a warp's accesses
 * contiguous. If it is 0, the code is shorter, which matters because small launches spend most of their time
 * fetching instructions.
 */
enum {
    ROW_BYTES = LENGTH * ELEMENT_BYTES,
    COMMON = ROW_BYTES % 16 == 0 ? 16 : ROW_BYTES % 8 == 0 ? 8 : ROW_BYTES % 4 == 0 ? 4 : ROW_BYTES % 2 == 0 ? 2 : 1,
    ROWS = 16 / COMMON,         /* rows per group: the smallest number that fills whole packs */
    PACKS = ROW_BYTES / COMMON, /* packs per group */
    OUT = ROWS * sizeof(result_t),
    OUT_PACKS = OUT > 16 ? OUT / 16 : 1,
    MOST_PACKS = PACKS > OUT_PACKS ? PACKS : OUT_PACKS
};

/* A group's results. If the output is aligned, they are stored as the wider words `packs` or `pair`. */
union group_results {
    __device__ group_results() {}
    result_t rows[ROWS];
    uint4 packs[OUT_PACKS];
    uint2 pair;
};

/*
 * Returns the place in shared memory of a warp's pack i, where each lane has EACH packs. If EACH is even, one pack
 * of padding after every 8 packs avoids bank conflicts.
 */
template <unsigned EACH> static __device__ __forceinline__ unsigned staged_at(unsigned i)
{
    return EACH % 2 ? i : i + i / 8;
}

static __device__ __forceinline__ value_t group_value(const uint4 x[PACKS], unsigned i)
{
    const unsigned word = i * ELEMENT_BYTES / 4;
#if ELEMENT_BYTES == 8
    union {
        unsigned words[2];
        value_t value;
    } both = {{word_of(x[word / 4], word % 4), word_of(x[word / 4], word % 4 + 1)}};
    return both.value;
#else
    return word_value(word_of(x[word / 4], word % 4), i % (4 / ELEMENT_BYTES));
#endif
}

#if COUNTED
/*
 * Computes the mean and the variance of a row. The mean is computed relative to the row's first element, so that
 * the variance of equal elements is exactly 0.
 */
static __device__ __forceinline__ result_t row_result(const value_t x[LENGTH], const value_t *)
{
    value_t sum = 0, squares = 0;
#pragma unroll
    for (unsigned k = 1; k < LENGTH; k++)
        sum += x[k] - x[0];
    const value_t mean = x[0] + sum * ((value_t)1 / LENGTH);
#pragma unroll
    for (unsigned k = 0; k < LENGTH; k++)
        squares += (x[k] - mean) * (x[k] - mean);
    return {mean, squares * ((value_t)1 / (LENGTH - 1))};
}
#else
static __device__ __forceinline__ result_t row_result(const value_t x[LENGTH], const value_t y[LENGTH])
{
    return finish(fold_values<LENGTH>(x, y, 0, 1, LENGTH));
}
#endif

static __device__ __forceinline__ void group_fold(group_results *out, const uint4 x[PACKS], const uint4 y[PACKS])
{
#pragma unroll
    for (unsigned r = 0; r < ROWS; r++) {
        value_t a[LENGTH], b[LENGTH];
#pragma unroll
        for (unsigned j = 0; j < LENGTH; j++) {
            a[j] = group_value(x, r * LENGTH + j);
            b[j] = VECTORS == 2 ? group_value(y, r * LENGTH + j) : a[j];
        }
        out->rows[r] = row_result(a, b);
    }
}

/* A row that belongs to no whole group. It is loaded element by element. */
struct lone_row {
    value_t x[LENGTH], y[VECTORS == 2 ? LENGTH : 1];
};

static __device__ __forceinline__ void lone_load(lone_row *l, const element *x, const element *y)
{
#pragma unroll
    for (unsigned j = 0; j < LENGTH; j++) {
        l->x[j] = convert(x[j]);
        if (VECTORS == 2)
            l->y[VECTORS == 2 ? j : 0] = convert(y[j]);
    }
}

/* Stores a group's results from `at` on. */
static __device__ __forceinline__ void group_store(result_t *at, const group_results &out)
{
    if ((size_t)at % (OUT < 16 ? OUT : 16) == 0) {
        if (OUT == 8)
            *(uint2 *)at = out.pair;
        else if (OUT >= 16) {
#pragma unroll
            for (unsigned k = 0; k < OUT_PACKS; k++)
                ((uint4 *)at)[k] = out.packs[k];
        } else
            at[0] = out.rows[0];
        return;
    }
#pragma unroll
    for (unsigned r = 0; r < ROWS; r++)
        at[r] = out.rows[r];
}

/*
 * Reads the packs of a warp's groups into the registers of the lanes that fold them. The first `whole` groups
 * exist. A lane's groups are 32 apart. All loads are in flight before the first is used.
 */
static __device__ __forceinline__ void tile_read(uint4 x[GROUPS][PACKS], const pack *at, unsigned whole, uint4 *staged)
{
    const unsigned lane = threadIdx.x % 32;
#if STAGED
    if (whole == 32 * GROUPS) {
        uint4 loaded[GROUPS * PACKS];
#pragma unroll
        for (unsigned k = 0; k < GROUPS * PACKS; k++)
            loaded[k] = words_load(at + k * 32 + lane);
#pragma unroll
        for (unsigned k = 0; k < GROUPS * PACKS; k++)
            staged[staged_at<PACKS>(k * 32 + lane)] = loaded[k];
        __syncwarp();
#pragma unroll
        for (unsigned g = 0; g < GROUPS; g++)
#pragma unroll
            for (unsigned k = 0; k < PACKS; k++)
                x[g][k] = staged[staged_at<PACKS>((g * 32 + lane) * PACKS + k)];
        __syncwarp();
        return;
    }
#endif
#pragma unroll
    for (unsigned g = 0; g < GROUPS; g++)
#pragma unroll
        for (unsigned k = 0; k < PACKS; k++)
            if (g * 32 + lane < whole)
                x[g][k] = words_load(at + (g * 32 + lane) * PACKS + k);
}

/* Writes the results of a warp's first `whole` groups contiguously from `at` on. */
static __device__ __forceinline__ void tile_write(result_t *at, const group_results out[GROUPS], unsigned whole,
                                                  uint4 *staged)
{
    const unsigned lane = threadIdx.x % 32;
#if STAGED
    if (OUT > 16 && whole == 32 * GROUPS && (size_t)at % 16 == 0) {
#pragma unroll
        for (unsigned g = 0; g < GROUPS; g++)
#pragma unroll
            for (unsigned k = 0; k < OUT_PACKS; k++)
                staged[staged_at<OUT_PACKS>((g * 32 + lane) * OUT_PACKS + k)] = out[g].packs[k];
        __syncwarp();
#pragma unroll
        for (unsigned k = 0; k < GROUPS * OUT_PACKS; k++)
            ((uint4 *)at)[k * 32 + lane] = staged[staged_at<OUT_PACKS>(k * 32 + lane)];
        return;
    }
#endif
#pragma unroll
    for (unsigned g = 0; g < GROUPS; g++)
        if (g * 32 + lane < whole)
            group_store(at + (g * 32 + lane) * ROWS, out[g]);
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    rows_short(const element *input, result_t *output, const element *second, size_t rows)
{
#if STAGED
    __shared__ uint4 shared[BLOCK / 32][VECTORS][32 * GROUPS * MOST_PACKS * 9 / 8];
    uint4 *staged = shared[threadIdx.x / 32][0], *others = shared[threadIdx.x / 32][VECTORS - 1];
#else
    uint4 *staged = 0, *others = 0;
#endif
    const size_t first = ((size_t)blockIdx.x * (BLOCK / 32) + threadIdx.x / 32) * (32 * GROUPS * ROWS);
    if (first >= rows) /* uniform across the warp */
        return;
    const unsigned whole = rows - first < 32 * GROUPS * ROWS ? (unsigned)(rows - first) / ROWS : 32 * GROUPS;
    /* the row that this lane handles after the whole groups, if there is one */
    const size_t lone = first + whole * ROWS + threadIdx.x % 32;
    const bool alone = whole < 32 * GROUPS && lone < rows;
    uint4 x[GROUPS][PACKS], y[VECTORS == 2 ? GROUPS : 1][PACKS];
    group_results out[GROUPS];
    lone_row mine;
    tile_read(x, (const pack *)(input + first * LENGTH), whole, staged);
    if (VECTORS == 2)
        tile_read(y, (const pack *)(second + first * LENGTH), whole, others);
    if (alone)
        lone_load(&mine, input + lone * LENGTH, second + lone * LENGTH);
#pragma unroll
    for (unsigned g = 0; g < GROUPS; g++)
        group_fold(&out[g], x[g], VECTORS == 2 ? y[VECTORS == 2 ? g : 0] : x[g]);
    tile_write(output + first, out, whole, staged);
    if (alone)
        output[lone] = row_result(mine.x, VECTORS == 2 ? mine.y : mine.x);
}
