/*
 * A pack is 16 bytes of elements, loaded or stored with one instruction. This is the widest access available
 * on every GPU from sm_75 on. A pack's address must be a multiple of 16, as is the start of every buffer.
 *
 * Packs that are folded together are kept as words; if they were kept as elements, the compiler would take
 * each word apart and put it back together. Half types are combined two at a time where that is exact, as for
 * extremes. Otherwise, one instruction per element extracts it from its 32-bit word as a float32, and the
 * elements are accumulated in float32.
 */
#ifndef REDSWEEP_KERNELS_PACK_CUH
#define REDSWEEP_KERNELS_PACK_CUH

#include "common.cuh"

#define PACK_WIDTH ((unsigned)(16 / sizeof(element)))

struct alignas(16) pack {
    element e[16 / sizeof(element)];
};

/* ---- Loads ----------------------------------------------------------------------------------- */

/* How the input is loaded (tunable POLICY). */
#define POLICY_DEFAULT 0     /* the compiler's default: through L1, with normal priority in L2 */
#define POLICY_NO_ALLOCATE 1 /* the read-only path, which does not allocate in L1 */
#define POLICY_EVICT_FIRST 2 /* like POLICY_NO_ALLOCATE, and L2 evicts the line before others */
#define POLICY_AHEAD 3       /* like POLICY_NO_ALLOCATE, and L2 may fetch the 256 bytes around the pack */

static __device__ __forceinline__ pack pack_load(const pack *at)
{
#if POLICY == POLICY_DEFAULT
    return *at;
#else
    union {
        uint4 words;
        pack elements;
    } x;
#if POLICY == POLICY_NO_ALLOCATE
    asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x.words.x), "=r"(x.words.y), "=r"(x.words.z), "=r"(x.words.w)
                 : "l"(at));
#elif POLICY == POLICY_EVICT_FIRST
    unsigned long long first;
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(first));
    asm volatile("ld.global.nc.L1::no_allocate.L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
                 : "=r"(x.words.x), "=r"(x.words.y), "=r"(x.words.z), "=r"(x.words.w)
                 : "l"(at), "l"(first));
#else
    asm volatile("ld.global.nc.L1::no_allocate.L2::256B.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x.words.x), "=r"(x.words.y), "=r"(x.words.z), "=r"(x.words.w)
                 : "l"(at));
#endif
    return x.elements;
#endif
}

/* Prefetches the line of `address` into L2. */
static __device__ __forceinline__ void fetch_ahead(const void *address)
{
    asm volatile("prefetch.global.L2 [%0];" : : "l"(address));
}

/* ---- Words ----------------------------------------------------------------------------------- */

union pack_words {
    __device__ pack_words() {}
    pack elements;
    uint4 words;
};

static __device__ __forceinline__ uint4 words_load(const pack *at)
{
    pack_words x;
    x.elements = pack_load(at);
    return x.words;
}

static __device__ __forceinline__ pack pack_of(uint4 words)
{
    pack_words x;
    x.words = words;
    return x.elements;
}

static __device__ __forceinline__ unsigned word_of(const uint4 &x, unsigned j)
{
    return j == 0 ? x.x : j == 1 ? x.y : j == 2 ? x.z : x.w;
}

/* Repeats the next statement for each word j of each of COUNT packs k, in an unrolled loop. */
#define EACH_WORD(k, j)                                                                            \
    _Pragma("unroll") for (unsigned k = 0; k < COUNT; k++)                                         \
        _Pragma("unroll") for (unsigned j = 0; j < 4; j++)

static __device__ __forceinline__ void pack_values(uint4 words, value_t values[PACK_WIDTH])
{
#if HALVES
#pragma unroll
    for (unsigned j = 0; j < 4; j++) {
        float2 both = halves_convert(word_of(words, j));
        values[2 * j] = both.x;
        values[2 * j + 1] = both.y;
    }
#else
    pack elements = pack_of(words);
#pragma unroll
    for (unsigned j = 0; j < PACK_WIDTH; j++)
        values[j] = convert(elements.e[j]);
#endif
}

#endif
