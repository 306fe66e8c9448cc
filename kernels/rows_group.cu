// kernel:     rows_group
// idea:       a part of a warp per row, several rows at once: all 16-byte loads are in flight before
//             the first is used, and one shuffle halves the rows or the lanes that share one
// source:     redsweep
// workload:   rows
// covers:     BLOCK / LANES * ROWS * ROW_LENGTH
// depth:      ceil_div(ROW_LENGTH, LANES) + 16 / SIZEOF + 6
// blocks:     power of two
// constant:   BLOCK
// tunable:    LANES 1 2 4 8 16 32
// tunable:    LOADS 1 2 4 8 16
// tunable:    ROWS 1 2 4 8 16
// tunable:    MIN_BLOCKS 1 2 4 8
// tunable:    POLICY 0 1 2
// default:    LANES 8 LOADS 2 ROWS 2 POLICY 1
// requires:   ROW_LENGTH * SIZEOF % 16 = 0 and OFFSET * SIZEOF % 16 = 0 and ROW_LENGTH < 2^32
// requires:   LOADS * ROWS <= 16
// requires:   BLOCK * MIN_BLOCKS * (4 * LOADS * ROWS + 20) <= 65536 and BLOCK * MIN_BLOCKS <= 2048
// min_arch:   sm_80
// parameters: input output size_t(N / ROW_LENGTH) unsigned(ROW_LENGTH * SIZEOF / 16)
#include "rows.cuh"
#include "tile.cuh"

/*
 * Predicted: rows of 64 bytes to a few KB at the speed of reading. A warp reads a contiguous piece
 * of memory as a whole, whatever the row's length is, and stores its results with one instruction
 * where ROWS = LANES. Longer rows than LANES * LOADS packs are read in several steps, in which the
 * loads wait for the sums before them; then more lanes are better.
 */
enum { WIDTH = 32 / LANES, WARP_ROWS = WIDTH * ROWS, STEP = LANES * LOADS };

static __device__ __forceinline__ pack pack_identity()
{
    pack p;
#pragma unroll
    for (unsigned j = 0; j < PACK_WIDTH; j++)
        p.e[j] = IDENTITY;
    return p;
}

/*
 * This lane's share of the packs [first, first + STEP) of its ROWS rows; `here` rows exist. All
 * there: no conditions.
 */
static __device__ __forceinline__ void rows_load(const pack *data, size_t here, unsigned packs,
                                                 unsigned first, pack p[ROWS][LOADS])
{
    unsigned lane = threadIdx.x % LANES, group = threadIdx.x % 32 / LANES;
    const pack *mine = data + (size_t)group * packs + first + lane;
    bool whole = here >= WARP_ROWS && packs - first >= STEP;
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++)
#pragma unroll
        for (unsigned j = 0; j < LOADS; j++)
            if (whole || (k * WIDTH + group < here && first + lane + j * LANES < packs))
                p[k][j] = pack_load(mine + (size_t)k * WIDTH * packs + j * LANES);
            else
                p[k][j] = pack_identity();
}

static __device__ __forceinline__ element packs_total(const pack p[LOADS])
{
    element sum = pack_combine(p[0]);
#pragma unroll
    for (unsigned j = 1; j < LOADS; j++)
        sum = combine(sum, pack_combine(p[j]));
    return sum;
}

extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    rows_group(const element *input, element *output, size_t rows, unsigned packs)
{
    size_t first_row = ((size_t)blockIdx.x * (BLOCK / 32) + threadIdx.x / 32) * WARP_ROWS;
    unsigned group = threadIdx.x % 32 / LANES;
    if (first_row >= rows) /* the same for the whole warp */
        return;
    const pack *data = (const pack *)input + first_row * packs;
    size_t here = rows - first_row;
    pack p[ROWS][LOADS];
    element sums[ROWS];
    rows_load(data, here, packs, 0, p);
#pragma unroll
    for (unsigned k = 0; k < ROWS; k++)
        sums[k] = packs_total(p[k]);
#pragma unroll 1
    for (unsigned first = STEP; first < packs; first += STEP) {
        rows_load(data, here, packs, first, p);
#pragma unroll
        for (unsigned k = 0; k < ROWS; k++)
            sums[k] = combine(sums[k], packs_total(p[k]));
    }
    lanes_combine<ROWS, LANES>(sums);
    unsigned first = lanes_first<ROWS, LANES>(), lane = threadIdx.x % LANES;
    if (ROWS < LANES && lane % (LANES / ROWS) != 0)
        return;
#pragma unroll
    for (unsigned k = 0; k < (ROWS > LANES ? ROWS / LANES : 1); k++)
        if ((first + k) * WIDTH + group < here)
            output[first_row + (first + k) * WIDTH + group] = sums[k];
}
