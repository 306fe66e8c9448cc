/*
 * Blocks hand their totals to the last block, without a fence and without an atomic.
 *
 * A slot is one 64-bit word for each 32 bits of the value: the bits above, a mark below. A word is
 * written and read whole, so a thread that sees the mark sees the value, and no ordering is needed (PTX ISA, memory consistency model: relaxed, of gpu scope). The block with the highest number
 * gathers: it is started last, so that all it waits for has been started before it.
 *
 * Slots are zeroed before the launch and left zeroed. The order of the combination is fixed.
 */
#ifndef REDSWEEP_KERNELS_SLOTS_CUH
#define REDSWEEP_KERNELS_SLOTS_CUH

#include "common.cuh"

typedef unsigned long long slot_word;

/* A value that travels through slots; WORDS of 32 bits. */
template <typename value_t> union slot_value {
    enum { WORDS = sizeof(value_t) / 4 };
    value_t value;
    unsigned bits[WORDS];
};

template <typename value_t>
static __device__ __forceinline__ void slot_put(slot_word *slots, unsigned i, value_t value)
{
    typedef slot_value<value_t> packed;
    packed x;
    x.value = value;
    slot_word *at = slots + (size_t)i * packed::WORDS;
    slot_word low = (slot_word)x.bits[0] << 32 | 1;
    if (packed::WORDS == 1) {
        asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(at), "l"(low) : "memory");
    } else {
        slot_word high = (slot_word)x.bits[packed::WORDS - 1] << 32 | 1;
        asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};"
                     :
                     : "l"(at), "l"(low), "l"(high)
                     : "memory");
    }
}

/* Reads a slot once; false while its mark is missing. */
template <typename value_t>
static __device__ __forceinline__ bool slot_try(const slot_word *slots, unsigned i, value_t *value)
{
    typedef slot_value<value_t> packed;
    packed x;
    const slot_word *at = slots + (size_t)i * packed::WORDS;
    slot_word low, high = 1;
    if (packed::WORDS == 1) {
        asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(low) : "l"(at) : "memory");
    } else {
        asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                     : "=l"(low), "=l"(high)
                     : "l"(at)
                     : "memory");
        x.bits[packed::WORDS - 1] = (unsigned)(high >> 32);
    }
    x.bits[0] = (unsigned)(low >> 32);
    *value = x.value;
    return (low & high & 1) != 0;
}

template <typename value_t>
static __device__ __forceinline__ void slot_clear(slot_word *slots, unsigned i)
{
    for (unsigned k = 0; k < sizeof(value_t) / 4; k++)
        slots[(size_t)i * (sizeof(value_t) / 4) + k] = 0;
}

/*
 * For every thread of the gathering block: its share of slots 0 … count - 1, combined onto `sum`
 * by join(sum, value). Four reads are in flight at a time.
 */
template <typename value_t, typename join_t>
static __device__ __forceinline__ value_t slots_gather(slot_word *slots, unsigned count,
                                                       value_t sum, join_t join)
{
    for (unsigned first = threadIdx.x; first < count; first += 4 * blockDim.x) {
        value_t value[4];
        bool there[4];
#pragma unroll
        for (unsigned k = 0; k < 4; k++)
            there[k] = first + k * blockDim.x < count &&
                       slot_try(slots, first + k * blockDim.x, &value[k]);
#pragma unroll
        for (unsigned k = 0; k < 4; k++) {
            unsigned i = first + k * blockDim.x;
            if (i < count) {
                while (!there[k])
                    there[k] = slot_try(slots, i, &value[k]);
                sum = join(sum, value[k]);
                slot_clear<value_t>(slots, i);
            }
        }
    }
    return sum;
}

#endif
