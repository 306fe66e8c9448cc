/*
 * What the kernels by rows share: loads of packs of 16 bytes, and parts of a row of every type and operation,
 * which are joined to one result per row. The input is `rows` rows of `row_length` elements, one after the other; element
 * i of the output is the reduction of row i.
 *
 * A kernel that includes this defines the tunable POLICY. Everything is in a fixed order: a float
 * result depends on the row and the launch shape only.
 */
#ifndef REDSWEEP_KERNELS_ROWS_CUH
#define REDSWEEP_KERNELS_ROWS_CUH

#include "operation.cuh"

static const unsigned PACK_ELEMENTS = 16 / sizeof(element);

struct alignas(16) row_pack {
    element e[16 / sizeof(element)];
};

/* POLICY 0: as the compiler does it; 1: read-only path, does not allocate in L1. */
static __device__ __forceinline__ row_pack row_load(const row_pack *at)
{
#if POLICY == 0
    return *at;
#else
    union {
        uint4 words;
        row_pack elements;
    } x;
    asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x.words.x), "=r"(x.words.y), "=r"(x.words.z), "=r"(x.words.w)
                 : "l"(at));
    return x.elements;
#endif
}

/* ---- What is kept of a part of a row ------------------------------------------------------------ */

/* An index and a count have 32 bits here, in operation.cuh's accumulators 64. */
#if defined(OP_ARGMAX) || defined(OP_ARGMIN)
struct row_part {
    value_t value;
    unsigned index;
};

static __device__ __forceinline__ row_part part_of_none()
{
    row_part p;
    p.value = identity().value;
    p.index = ~0u;
    return p;
}

static __device__ __forceinline__ row_part join(row_part a, row_part b)
{
    bool first = beats(a.value, b.value) || (!beats(b.value, a.value) && a.index < b.index);
    return first ? a : b;
}

static __device__ __forceinline__ result_t row_result(row_part p)
{
    return (result_t)p.index;
}

#elif defined(OP_MEAN_VAR)
struct row_part {
    value_t mean, m2;
    unsigned count;
};

static __device__ __forceinline__ row_part part_of_none()
{
    row_part p = {0, 0, 0};
    return p;
}

/* As combine(), without a division where both have as many elements, as nearly always. */
static __device__ __forceinline__ row_part join(row_part a, row_part b)
{
    row_part c;
    value_t delta = b.mean - a.mean;
    c.count = a.count + b.count;
    if (a.count == b.count) {
        c.mean = a.mean + delta * (value_t)0.5;
        c.m2 = a.m2 + b.m2 + delta * delta * ((value_t)a.count * (value_t)0.5);
        return c;
    }
    value_t share = (value_t)b.count / (value_t)c.count;
    c.mean = a.mean + delta * share;
    c.m2 = a.m2 + b.m2 + delta * delta * ((value_t)a.count * share);
    return a.count == 0 ? b : b.count == 0 ? a : c;
}

static __device__ __forceinline__ result_t row_result(row_part p)
{
    accumulator a = {p.mean, p.m2, p.count};
    return finish(a);
}

#elif defined(OP_LOGSUMEXP)
typedef accumulator row_part;

/* exp(x) of x ≤ 0, within 2 ulp and the rounding of its argument: 2^(x · log2 e). */
static __device__ __forceinline__ value_t exponential_of(value_t x)
{
#if defined(TYPE_FLOAT64)
    return exponential(x);
#else
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x * 1.4426950408889634f));
    return power;
#endif
}

static __device__ __forceinline__ row_part part_of_none()
{
    return identity();
}

/* As combine(), with one exponential: the larger maximum's sum is not scaled. */
static __device__ __forceinline__ row_part join(row_part a, row_part b)
{
    bool first = a.max > b.max || a.max != a.max;
    value_t large = first ? a.max : b.max, small = first ? b.max : a.max;
    value_t scale = exponential_of(large == small ? (value_t)0 : small - large);
    row_part c = {large, first ? a.sum + b.sum * scale : b.sum + a.sum * scale};
    return c;
}

static __device__ __forceinline__ result_t row_result(row_part p)
{
    return finish(p);
}

#else
typedef accumulator row_part;

static __device__ __forceinline__ row_part part_of_none()
{
    return identity();
}

static __device__ __forceinline__ row_part join(row_part a, row_part b)
{
    return combine(a, b);
}

static __device__ __forceinline__ result_t row_result(row_part p)
{
    return finish(p);
}
#endif

/* ---- Parts of several lanes --------------------------------------------------------------------- */

/*
 * Many parts in each lane, COUNT (a power of two) of them: part k is joined over SHARERS (a power of
 * two, up to 32) neighbouring lanes. Each step halves either the parts or the lanes that still share
 * one, so it takes COUNT - 1 + log2(SHARERS / COUNT) shuffles instead of COUNT * log2(SHARERS).
 *
 * Returned in parts[0 … max(COUNT / SHARERS, 1) - 1] are those that begin with part number
 * lanes_first(); where COUNT < SHARERS, SHARERS / COUNT neighbouring lanes return the same one.
 */
template <unsigned COUNT, unsigned SHARERS>
static __device__ __forceinline__ void lanes_join(row_part parts[COUNT])
{
    unsigned lane = threadIdx.x % SHARERS, left = COUNT;
#pragma unroll
    for (unsigned offset = SHARERS / 2; offset > 0; offset /= 2) {
        bool upper = lane & offset;
        if (left > 1) {
            left /= 2;
#pragma unroll
            for (unsigned k = 0; k < (COUNT + 1) / 2; k++)
                if (k < left) {
                    row_part keep = upper ? parts[k + left] : parts[k];
                    row_part pass = upper ? parts[k] : parts[k + left];
                    parts[k] = join(keep, shuffle_xor(pass, offset));
                }
        } else {
            parts[0] = join(parts[0], shuffle_xor(parts[0], offset));
        }
    }
}

template <unsigned COUNT, unsigned SHARERS> static __device__ __forceinline__ unsigned lanes_first()
{
    unsigned lane = threadIdx.x % SHARERS;
    return COUNT >= SHARERS ? lane * (COUNT / SHARERS) : lane / (SHARERS / COUNT);
}

#endif
