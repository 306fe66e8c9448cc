/*
 * The extreme of several values is the largest one, or the smallest one if SEEKS_LEAST is 1. If any of the
 * values is NaN, the extreme is NaN.
 */
#ifndef REDSWEEP_KERNELS_EXTREME_CUH
#define REDSWEEP_KERNELS_EXTREME_CUH

#include "pack.cuh"

#ifndef SEEKS_LEAST
#define SEEKS_LEAST 0
#endif

#if SEEKS_LEAST
#define NO_EXTREME ((value_t)ELEMENT_GREATEST) /* the extreme of no values */
#define EXTREME_NAN "min.NaN."
#else
#define NO_EXTREME ((value_t)ELEMENT_LEAST)
#define EXTREME_NAN "max.NaN."
#endif

/* Returns whether x is more extreme than y. NaN is more extreme than any number. */
static __device__ __forceinline__ bool beats(value_t x, value_t y)
{
#if SEEKS_LEAST
    return x < y || (x != x && y == y);
#else
    return x > y || (x != x && y == y);
#endif
}

static __device__ __forceinline__ value_t extreme(value_t a, value_t b)
{
#if __CUDA_ARCH__ >= 800 && FLOAT_VALUES
    value_t c;
    asm(EXTREME_NAN "f32 %0, %1, %2;" : "=f"(c) : "f"(a), "f"(b));
    return c;
#elif SEEKS_LEAST
    return a < b || a != a ? a : b;
#else
    return a > b || a != a ? a : b;
#endif
}

/* ---- Of packs -------------------------------------------------------------------------------- */

#if HALVES
static __device__ __forceinline__ unsigned word_extreme(unsigned a, unsigned b)
{
    unsigned c;
    asm(EXTREME_NAN HALVES_TYPE " %0, %1, %2;" : "=r"(c) : "r"(a), "r"(b));
    return c;
}

/*
 * Returns a word whose lower half is the extreme of the lower halves of the pack's words, and whose upper
 * half is that of the upper halves. NaN propagates.
 */
static __device__ __forceinline__ unsigned words_extreme(const uint4 &x)
{
    return word_extreme(word_extreme(x.x, x.y), word_extreme(x.z, x.w));
}
#endif

/* Returns the extreme element of a pack. */
static __device__ __forceinline__ value_t pack_extreme(const uint4 &x)
{
#if HALVES
    float2 both = halves_convert(words_extreme(x));
    return extreme(both.x, both.y);
#else
    pack elements = pack_of(x);
    value_t found = convert(elements.e[0]);
#pragma unroll
    for (unsigned j = 1; j < PACK_WIDTH; j++)
        found = extreme(found, convert(elements.e[j]));
    return found;
#endif
}

/* ---- Of lanes, by integer keys --------------------------------------------------------------- */

#if SHORT_VALUES
/*
 * Reverses the order of keys if the least value is sought, so that the extreme always has the largest key.
 */
static __device__ __forceinline__ unsigned key_turn(unsigned key)
{
    return SEEKS_LEAST ? ~key : key;
}

/* Returns a key that is larger the more extreme `value` is. NaN has the largest key. */
static __device__ __forceinline__ unsigned key_of(value_t value)
{
#if FLOAT_VALUES
    int bits = __float_as_int(value);
    unsigned key = key_turn((unsigned)(bits ^ (bits >> 31 | (int)0x80000000)));
    return value != value ? ~0u : key;
#elif VALUE_FORMAT == FORMAT_INT32
    return key_turn((unsigned)value ^ 0x80000000u);
#else
    return key_turn(value);
#endif
}

static __device__ __forceinline__ value_t value_of_key(unsigned key)
{
#if FLOAT_VALUES
    int bits = (int)key_turn(key);
    return __int_as_float(key == ~0u ? 0x7fffffff : bits ^ (~(bits >> 31) | (int)0x80000000));
#elif VALUE_FORMAT == FORMAT_INT32
    return (value_t)(key_turn(key) ^ 0x80000000u);
#else
    return key_turn(key);
#endif
}

/* Returns, in every lane, the extreme of all lanes. */
#if __CUDA_ARCH__ >= 800
static __device__ __forceinline__ value_t lanes_extreme(value_t x)
{
#if FLOAT_VALUES
    return value_of_key(__reduce_max_sync(0xffffffff, key_of(x)));
#elif SEEKS_LEAST
    return __reduce_min_sync(0xffffffff, x);
#else
    return __reduce_max_sync(0xffffffff, x);
#endif
}
#endif
#endif

#endif
