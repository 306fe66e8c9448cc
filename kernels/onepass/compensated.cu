// kernel:    compensated
// idea:      like onepass_slots, but for float32 with compensated sums: each thread tracks the
//            rounding error of its sum, which makes the result nearly as accurate as the exact sum
//            rounded once
// source:    Knuth, The Art of Computer Programming, vol. 2, section 4.2.2 (TwoSum); Ogita, Rump
//            and Oishi, Accurate Sum and Dot Product, SIAM J. Sci. Comput. 26(6), 2005
// result:    complete
// input:     untouched
// covers:    BLOCK * LOADS * 16 / SIZEOF
// grid:      min(ceil_div(N, COVERS), SMS * BLOCKS_PER_SM)
// workspace: 4 * SIZEOF * GRID
// depth:     1.5
// blocks:    power of two
// constant:  BLOCK
// tunable:   LOADS 1 2 4 8
// tunable:   MIN_BLOCKS 1 2 4
// tunable:   BLOCKS_PER_SM 1 2 4
// tunable:   POLICY 0 1 2 3
// default:   LOADS 4 MIN_BLOCKS 2 BLOCKS_PER_SM 2 POLICY 1
// requires:  BLOCK * MIN_BLOCKS * (4 * LOADS + 20) <= 65536 and BLOCK * MIN_BLOCKS <= 2048
// requires:  BLOCKS_PER_SM = MIN_BLOCKS
// requires:  OFFSET * SIZEOF % 16 = 0
// types:     float32
// ops:       sum
// min_arch:  sm_80
// uniform:   no
// standalone: yes
#include "slots.cuh"
#include "tile.cuh"

/*
 * Prediction: an element takes seven additions instead of one, but an SM executes 128 additions per cycle
 * and receives only about five elements per cycle from memory, so the additions are hidden. The kernel is as
 * fast as onepass_slots from n = 2^22 on and 0.1 µs slower for smaller n.
 *
 * Relative to the sum of |x|, the result has an error of one rounding, 2^-24 (6e-8), plus terms on the order
 * of n·2^-48 divided by the number of threads. These terms are below 1e-9 for any n that fits on a GPU. The
 * harness's check of the result allows 1.5 roundings (see `depth` above), or 9e-8. Do not compile with
 * fast-math: it would optimize the error term of TwoSum to 0.
 */
struct alignas(8) pair {
    float sum, lost;
};

/* Returns a + x: the rounded sum of a.sum and x, and its rounding error added to a.lost. */
static __device__ __forceinline__ pair pair_add(pair a, float x)
{
    float sum = __fadd_rn(a.sum, x);
    float part = __fsub_rn(sum, a.sum);
    float lost = __fadd_rn(__fsub_rn(a.sum, __fsub_rn(sum, part)), __fsub_rn(x, part));
    pair r = {sum, __fadd_rn(a.lost, lost)};
    return r;
}

static __device__ __forceinline__ pair combine(pair a, pair b)
{
    pair r = pair_add(a, b.sum);
    r.lost = __fadd_rn(r.lost, b.lost);
    return r;
}

/*
 * Adds one tile to this thread's four sums, with all loads in flight. As the sums are independent, their
 * additions overlap.
 */
static __device__ __forceinline__ void tile_add(const body &b, index_t first, pair sums[4])
{
    pack p[LOADS];
    const pack *mine = b.packs + first + threadIdx.x;
    index_t left = b.count - first;
#pragma unroll
    for (unsigned k = 0; k < LOADS; k++) {
        pack none = {{0, 0, 0, 0}};
        p[k] = threadIdx.x + k * BLOCK < left ? pack_load(mine + k * BLOCK) : none;
    }
#pragma unroll
    for (unsigned k = 0; k < LOADS; k++)
#pragma unroll
        for (unsigned j = 0; j < 4; j++)
            sums[j] = pair_add(sums[j], p[k].e[j]);
}

extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    compensated(element *input, element *output, index_t n, void *workspace)
{
    __shared__ pair totals[1][BLOCK / 32];
    slot_word *slots = (slot_word *)workspace;
    bool gathers = blockIdx.x == gridDim.x - 1;
    if (gathers)
        for (unsigned k = threadIdx.x * 16; k < gridDim.x * 2; k += BLOCK * 16)
            fetch_ahead(slots + k);

    body b;
    pair sums[4] = {{ends_combine(input, n, &b), 0}, {0, 0}, {0, 0}, {0, 0}};
#pragma unroll 1
    for (index_t first = (index_t)blockIdx.x * TILE_PACKS; first < b.count;
         first += (index_t)gridDim.x * TILE_PACKS)
        tile_add(b, first, sums);
    pair sum = combine(combine(sums[0], sums[1]), combine(sums[2], sums[3]));
    if (gathers)
        sum = slots_gather(slots, gridDim.x - 1, sum);
    sum = lanes_total<32, FIRST_LANE>(sum);
    sum = warps_total<FIRST_LANE>(sum, [] { return pair{0, 0}; }, totals, 0);
    if (threadIdx.x == 0) {
        if (gathers)
            output[0] = __fadd_rn(sum.sum, sum.lost);
        else
            slot_put(slots, blockIdx.x, sum);
    }
}
