// kernel:    onepass_fixed
// idea:      float sums at the speed of integer sums, reproducible from launch to launch (another
//            grid may round differently): all blocks read the same sample of the input and derive a
//            common scale from it, which turns sums into fixed-point integers; 64-bit atomics add
//            one or two limbs of these integers, each together with a count of blocks
// source:    redsweep; fixed-point sums that do not depend on the order: Demmel and Nguyen, Parallel
//            Reproducible Summation, IEEE Trans. Computers 64(7), 2015
// result:    complete
// input:     untouched
// covers:    BLOCK * LOADS * 16 / SIZEOF
// workspace: 32 + 2 * SIZEOF * GRID
// depth:     COVERS / BLOCK + log2(BLOCK) + ceil_div(GRID, 32) + 12
// blocks:    power of two
// constant:  BLOCK
// tunable:   LOADS 1 2 3 4 6 8 12 16
// tunable:   MIN_BLOCKS 1 2 3 4 8
// tunable:   POLICY 0 1 2 3
// tunable:   GUARD 0 1
// tunable:   LIMBS 2 1
// tunable:   LEVEL 0 1
// tunable:   SAMPLE 0 1
// default:   LOADS 4 MIN_BLOCKS 2 POLICY 1
// requires:  BLOCK * MIN_BLOCKS * (4 * LOADS + 16) <= 65536 and BLOCK * MIN_BLOCKS <= 2048
// requires:  LEVEL = 1 or (4 * LIMBS + 1) * log2(ceil_div(N, COVERS)) / 2 + (2 * LIMBS + 1)
//            * log2(BLOCK) / 2 + log2(COVERS / BLOCK) <= 60 * LIMBS - if(SIZEOF = 8, 59, 30)
// requires:  LEVEL = 0 or (4 * LIMBS + 1) * log2(ceil_div(N, COVERS)) / 2 + log2(COVERS)
//            <= 60 * LIMBS - if(SIZEOF = 8, 59, 30)
// requires:  OFFSET * SIZEOF % 16 = 0
// types:     float32 float64
// ops:       sum
// min_arch:  sm_80
// uniform:   no
// standalone: yes
#include "slots.cuh"
#include "tile.cuh"

/*
 * Prediction: the kernel takes as long as onepass_packed plus 0.1 to 0.15 µs for the conversion. One round
 * trip to L2 follows the loads, without polling.
 *
 * The scale comes from a sample that every block reads: 8 elements spread over the input (SAMPLE 0), or 32 in
 * its middle (SAMPLE 1), which touch one line of memory instead of 8. Their largest magnitude M is below
 * 2^(E+1), and the sum of all |x| is at least M. A sum s becomes the integer s / 2^Q with Q = E + headroom -
 * digits. The headroom allows for the number of elements in s and for elements up to 8 times larger than M,
 * so an integer has at most `digits` bits. If LIMBS is 2, the rounding error becomes a second integer, or
 * limb, of the same size. LEVEL 0 converts each thread's sum, because redux.sync adds integers faster than
 * five shuffles add floats. LEVEL 1 converts the block's sum in one thread. The fact `requires` keeps the
 * conversion error, taken as 8 standard deviations, below one rounding of M for any input.
 *
 * A word holds one limb of the total, a bit that says whether any block is odd (see below), and a count of
 * blocks. Integer addition gives the same result in any order. The two limbs may be completed by different
 * blocks; the first of these blocks then leaves its word to the second.
 *
 * A block is *odd* if any of its sums has too many digits, is infinite or is NaN. An odd block leaves a float
 * in a slot, and the block that completes the total adds these floats in slot order, which costs about 2 µs.
 * If the sample is all zeros, every block is odd. The data thus affect the speed of the sum but not its
 * correctness.
 */
enum {
    ELEMENTS = LOADS * PACK_WIDTH, /* per thread, besides at most one outside whole packs */
    HEADROOM = 4 + (ELEMENTS > 1) + (ELEMENTS > 2) + (ELEMENTS > 4) + (ELEMENTS > 8) +
               (ELEMENTS > 16) + (ELEMENTS > 32),
    MOST_DIGITS = LEVEL == 0 ? 45 : 50 /* with 45, sums of 32 * 32 values fit redux.sync; 50 fit SHIFTER */
};
#define SHIFTER 6755399441055744.0 /* 1.5 * 2^52: adding it to x rounds x to an integer if |x| < 2^51 */
#define LOW_BITS 24                /* limbs are added in two parts: the lower 24 bits and the rest */

typedef unsigned long long word;

/* The fixed-point format, the same in all blocks. */
struct format {
    int count_bits, digits;
    double limit;       /* values of this magnitude or more have too many digits */
    double scale, unit; /* 2^-Q and 2^Q */
};

static __device__ __forceinline__ double power_of_two(int exponent)
{
    return __hiloint2double((1023 + exponent) << 20, 0);
}

/* Returns log2 of BLOCK, which is a power of two. */
static __device__ __forceinline__ int block_bits()
{
    return 31 - __clz(BLOCK);
}

/* Loads the elements whose largest magnitude sets the scale, one in each lane. */
static __device__ __forceinline__ element sample_load(const element *input, index_t n)
{
    unsigned lane = threadIdx.x % 32;
#if SAMPLE == 0
    return input[lane % 8 * (n / 8)];
#else
    return input[lane < n - n / 2 ? n / 2 + lane : 0];
#endif
}

static __device__ __forceinline__ format format_find(element sample)
{
    format f;
    f.count_bits = 32 - __clz((int)gridDim.x);
    f.digits = 62 - 2 * f.count_bits - (LEVEL == 0 ? block_bits() : 0);
    f.digits = f.digits < MOST_DIGITS ? f.digits : MOST_DIGITS;
#if defined(TYPE_FLOAT64)
    unsigned top = (unsigned)__double2hiint(sample) & 0x7fffffff;
    int exponent = (int)(__reduce_max_sync(0xffffffff, top) >> 20) - 1023;
#else
    unsigned top = (unsigned)__float_as_int(sample) & 0x7fffffff;
    int exponent = (int)(__reduce_max_sync(0xffffffff, top) >> 23) - 127;
#endif
    int highest = exponent + HEADROOM + (LEVEL == 1 ? block_bits() : 0);
    f.limit = power_of_two(highest);
    f.scale = power_of_two(f.digits - highest);
    f.unit = power_of_two(highest - f.digits);
#if defined(TYPE_FLOAT64)
    /* For these exponents, the powers of two above might not be normal doubles, so all blocks become odd. */
    if (exponent > 900 || exponent < -900)
        f.limit = 0;
#endif
    return f;
}

/* Splits `value` into limbs, highest first. Returns false if the value has too many digits. */
static __device__ __forceinline__ bool limbs_of(const format &f, element value,
                                                long long limbs[LIMBS])
{
    double x = value, shifted = __fma_rn(x, f.scale, SHIFTER);
    limbs[0] = __double_as_longlong(shifted) - __double_as_longlong(SHIFTER);
#if LIMBS == 2
    double rest = __fma_rn(x, f.scale, -__dadd_rn(shifted, -SHIFTER));
    shifted = __fma_rn(rest, power_of_two(f.digits), SHIFTER);
    limbs[1] = __double_as_longlong(shifted) - __double_as_longlong(SHIFTER);
#endif
    return fabs(x) < f.limit;
}

/* Returns the warp's sum of `value` in every lane. |value| must be less than 2^50. */
static __device__ __forceinline__ long long limb_total(long long value)
{
    unsigned low = (unsigned)value & ((1u << LOW_BITS) - 1);
    int high = (int)(value >> LOW_BITS);
    low = __reduce_add_sync(0xffffffff, low);
    high = __reduce_add_sync(0xffffffff, high);
    return ((long long)high << LOW_BITS) + low;
}

/* Sums each limb over the block, in warp 0. Returns true if the values of all threads fit. */
static __device__ __forceinline__ bool block_limbs(long long limbs[LIMBS], bool fits)
{
#pragma unroll
    for (int k = 0; k < LIMBS; k++)
        limbs[k] = limb_total(limbs[k]);
#if BLOCK == 32
    return __all_sync(0xffffffff, fits);
#else
    __shared__ long long warps[LIMBS][32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (lane == 0)
#pragma unroll
        for (int k = 0; k < LIMBS; k++)
            warps[k][warp] = limbs[k];
    fits = __syncthreads_and(fits) != 0;
    if (warp == 0)
#pragma unroll
        for (int k = 0; k < LIMBS; k++)
            limbs[k] = limb_total(lane < BLOCK / 32 ? warps[k][lane] : 0);
    return fits;
#endif
}

/*
 * Adds this block's limbs and count to the words in `cells`. Returns true in the thread that ends up with all
 * totals.
 */
static __device__ __forceinline__ bool hand_over(const format &f, word *cells,
                                                 const long long limbs[LIMBS], word totals[2])
{
    word blocks = gridDim.x, mask = (1ull << f.count_bits) - 1;
#pragma unroll
    for (int k = 0; k < LIMBS; k++) {
        word mine = ((word)limbs[k] << (f.count_bits + 1)) + 1;
        totals[k] = atomicAdd(cells + k, mine) + mine;
    }
    bool first = (totals[0] & mask) == blocks;
#if LIMBS == 1
    return first;
#else
    bool second = (totals[1] & mask) == blocks;
    if (first == second)
        return first;
    __threadfence(); /* An odd block's slot must be visible before the word that announces it. */
    word other = atomicExch(cells + 2, totals[first ? 0 : 1]);
    __threadfence();
    totals[first ? 1 : 0] = other;
    return other != 0;
#endif
}

/* Adds the floats that odd blocks left, in slot order. Lane 0 returns the sum. */
static __device__ __forceinline__ element odd_total(slot_word *slots)
{
    element sum = IDENTITY, value;
    for (unsigned b = threadIdx.x; b < gridDim.x; b += 32)
        if (slot_try(slots, b, &value)) {
            sum = combine(sum, value);
            slot_clear<element>(slots, b);
        }
    return lanes_total<32, FIRST_LANE>(sum);
}

extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    onepass_fixed(element *input, element *output, index_t n, void *workspace)
{
    /*
     * There is one cell per limb, and one in which a block leaves its total to another block. All are zero
     * after the launch.
     */
    word *cells = (word *)workspace;
    slot_word *slots = (slot_word *)(cells + 4);
    element sample = 0;
    if (LEVEL == 0 || threadIdx.x < 32)
        sample = sample_load(input, n);
    body b = body_find(input, n);
    pack p[LOADS];
    tile_load(b, (index_t)blockIdx.x * TILE_PACKS, p);
    element sum = combine(ends_load(input, n, b), tile_total(p));
#if LEVEL == 1
    sum = block_total(sum);
    if (threadIdx.x >= 32)
        return;
#endif

    format f = format_find(sample);
    long long limbs[LIMBS];
    bool fits = limbs_of(f, sum, limbs);
#if LEVEL == 0
    fits = block_limbs(limbs, fits);
#endif
    if (__builtin_expect(!fits, 0)) {
#if LEVEL == 0
        if (BLOCK > 32)
            __syncthreads();
        sum = block_total(sum);
#endif
        if (threadIdx.x == 0) {
            slot_put(slots, blockIdx.x, sum);
            __threadfence(); /* The slot must be visible before the bit and the count. */
            atomicOr(cells, 1ull << f.count_bits);
        }
#pragma unroll
        for (int k = 0; k < LIMBS; k++)
            limbs[k] = 0;
    }
    if (threadIdx.x >= 32)
        return;
    word totals[2] = {0, 0};
    bool complete = threadIdx.x == 0 && hand_over(f, cells, limbs, totals);
    double sum_of_limbs = 0;
    if (complete) {
        sum_of_limbs = (double)((long long)totals[0] >> (f.count_bits + 1)) * f.unit;
#if LIMBS == 2
        sum_of_limbs = __fma_rn((double)((long long)totals[1] >> (f.count_bits + 1)),
                                f.unit * power_of_two(-f.digits), sum_of_limbs);
#endif
        output[0] = (element)sum_of_limbs;
        cells[0] = cells[1] = cells[2] = 0;
    }
    if (__any_sync(0xffffffff, complete && (totals[0] >> f.count_bits & 1))) {
        __threadfence(); /* Read the bit before the slots. */
        sum = odd_total(slots);
        if (threadIdx.x == 0)
            output[0] = combine((element)sum_of_limbs, sum);
    }
}
