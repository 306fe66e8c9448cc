/*
 * The element type: elements in memory, values in calculations, and conversions between them. The
 * harness selects the type with a macro such as TYPE_INT32. To add a type, add a block here and a
 * row in harness/base/element.def.
 *
 *   element          the type in memory, ELEMENT_BYTES bytes
 *   value_t          the type of calculations and results; VALUE_FORMAT is its number, FORMAT_INT32
 *                    or another
 *   ELEMENT_LEAST,
 *   ELEMENT_GREATEST the limits of an element's value
 *   HALVES           1 for 16-bit floats, which are structures: convert() turns them into floats
 */
#ifndef REDSWEEP_KERNELS_TYPES_CUH
#define REDSWEEP_KERNELS_TYPES_CUH

#define FORMAT_INT32 1
#define FORMAT_UINT32 2
#define FORMAT_FLOAT32 3
#define FORMAT_INT64 4
#define FORMAT_UINT64 5
#define FORMAT_FLOAT64 6

#if defined(TYPE_INT32)
#define ELEMENT_BYTES 4
typedef int element;
#define VALUE_FORMAT FORMAT_INT32
#define ELEMENT_LEAST (-2147483647 - 1)
#define ELEMENT_GREATEST 2147483647
#elif defined(TYPE_UINT32)
#define ELEMENT_BYTES 4
typedef unsigned element;
#define VALUE_FORMAT FORMAT_UINT32
#define ELEMENT_LEAST 0u
#define ELEMENT_GREATEST 4294967295u
#elif defined(TYPE_INT64)
#define ELEMENT_BYTES 8
typedef long long element;
#define VALUE_FORMAT FORMAT_INT64
#define ELEMENT_LEAST (-9223372036854775807ll - 1)
#define ELEMENT_GREATEST 9223372036854775807ll
#elif defined(TYPE_UINT64)
#define ELEMENT_BYTES 8
typedef unsigned long long element;
#define VALUE_FORMAT FORMAT_UINT64
#define ELEMENT_LEAST 0ull
#define ELEMENT_GREATEST 18446744073709551615ull
#elif defined(TYPE_FLOAT32)
#define ELEMENT_BYTES 4
typedef float element;
#define VALUE_FORMAT FORMAT_FLOAT32
#elif defined(TYPE_FLOAT64)
#define ELEMENT_BYTES 8
typedef double element;
#define VALUE_FORMAT FORMAT_FLOAT64
#elif defined(TYPE_INT8)
#define ELEMENT_BYTES 1
typedef signed char element;
#define VALUE_FORMAT FORMAT_INT32
#define ELEMENT_LEAST (-128)
#define ELEMENT_GREATEST 127
#elif defined(TYPE_UINT8)
#define ELEMENT_BYTES 1
typedef unsigned char element;
#define VALUE_FORMAT FORMAT_UINT32
#define ELEMENT_LEAST 0u
#define ELEMENT_GREATEST 255u
#elif defined(TYPE_FLOAT16)
#define ELEMENT_BYTES 2
#define HALVES 1
#define HALVES_TYPE "f16x2" /* PTX type of two elements */
#define VALUE_FORMAT FORMAT_FLOAT32
#elif defined(TYPE_BFLOAT16)
#define ELEMENT_BYTES 2
#define HALVES 1
#define HALVES_TYPE "bf16x2"
#define VALUE_FORMAT FORMAT_FLOAT32
#else
#error "define the element type: TYPE_INT32 or another of those in docs/kernels.md"
#endif

/* ---- Values ---------------------------------------------------------------------------------- */

#if VALUE_FORMAT == FORMAT_INT32
typedef int value_t;
#elif VALUE_FORMAT == FORMAT_UINT32
typedef unsigned value_t;
#elif VALUE_FORMAT == FORMAT_FLOAT32
typedef float value_t;
#elif VALUE_FORMAT == FORMAT_INT64
typedef long long value_t;
#elif VALUE_FORMAT == FORMAT_UINT64
typedef unsigned long long value_t;
#else
typedef double value_t;
#endif

#define FLOAT_VALUES (VALUE_FORMAT == FORMAT_FLOAT32)
#define SHORT_VALUES (VALUE_FORMAT <= FORMAT_FLOAT32) /* values have 32 bits */
#define ELEMENT_IS_VALUE (ELEMENT_BYTES >= 4)

#if FLOAT_VALUES
#define ELEMENT_LEAST __int_as_float(0xff800000)
#define ELEMENT_GREATEST __int_as_float(0x7f800000)
#elif VALUE_FORMAT == FORMAT_FLOAT64
#define ELEMENT_LEAST __longlong_as_double(0xfff0000000000000ll)
#define ELEMENT_GREATEST __longlong_as_double(0x7ff0000000000000ll)
#endif

/* ---- Floats of 16 bits ----------------------------------------------------------------------- */

#ifndef HALVES
#define HALVES 0

static __device__ __forceinline__ value_t convert(element x)
{
    return x;
}

/* Returns the element with this value, which must be exactly representable. */
static __device__ __forceinline__ element element_of(value_t value)
{
    return (element)value;
}
#else
struct element {
    unsigned short bits;
};

#if defined(TYPE_BFLOAT16)
static __device__ __forceinline__ value_t convert(element x)
{
    return __uint_as_float((unsigned)x.bits << 16); /* the upper half of a float */
}

static __device__ __forceinline__ element element_of(value_t value)
{
    element x;
    x.bits = (unsigned short)(__float_as_uint(value) >> 16);
    return x;
}

/* Returns both halves of a word as floats, with one instruction each. */
static __device__ __forceinline__ float2 halves_convert(unsigned word)
{
    return make_float2(__uint_as_float(word << 16), __uint_as_float(word & 0xffff0000u));
}
#else
static __device__ __forceinline__ value_t convert(element x)
{
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(x.bits));
    return value;
}

static __device__ __forceinline__ element element_of(value_t value)
{
    element x;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(x.bits) : "f"(value));
    return x;
}

static __device__ __forceinline__ float2 halves_convert(unsigned word)
{
    float2 both;
    asm("{\n\t"
        ".reg .b16 low, high;\n\t"
        "mov.b32 {low, high}, %2;\n\t"
        "cvt.f32.f16 %0, low;\n\t"
        "cvt.f32.f16 %1, high;\n\t"
        "}"
        : "=f"(both.x), "=f"(both.y)
        : "r"(word));
    return both;
}
#endif
#endif

/* Returns element j of a word that holds one or more whole elements, converted to value_t. */
#if HALVES
static __device__ __forceinline__ value_t word_value(unsigned word, unsigned j)
{
    float2 both = halves_convert(word);
    return j ? both.y : both.x;
}
#elif ELEMENT_BYTES < 4
static __device__ __forceinline__ value_t word_value(unsigned word, unsigned j)
{
    const unsigned bits = 8 * ELEMENT_BYTES;
    return (value_t)(word << (32 - bits - j * bits)) >> (32 - bits);
}
#elif ELEMENT_BYTES == 4
static __device__ __forceinline__ value_t word_value(unsigned word, unsigned)
{
    union {
        unsigned word;
        value_t value;
    } x = {word};
    return x.value;
}
#endif

#endif
