/*
 * Slots in global memory pass values to a block that waits for them, without fences or atomics.
 *
 * A value has up to six 32-bit words, and its slot has a 64-bit word for each of them. The upper half of a
 * 64-bit word holds bits of the value, and the lower half holds a mark. A value of three words takes just two
 * 64-bit words: its third word's bits go beside the marks. Each 64-bit word is written and read as a whole,
 * so a thread that sees the mark also sees the bits, and accesses need no ordering (PTX ISA, memory
 * consistency model: relaxed, gpu scope). A 16-byte access writes or reads two 64-bit words, each of them as
 * a whole (vector data types in that model).
 *
 * The block with the highest number gathers the values. Blocks start in order, so all blocks that it waits
 * for have started before it. All slots must be zero at the launch, and are zero again at its end. Values are
 * combined in a fixed order.
 */
#ifndef REDSWEEP_KERNELS_SLOTS_CUH
#define REDSWEEP_KERNELS_SLOTS_CUH

#include "block.cuh"

typedef unsigned long long slot_word;

/* How many 32-bit words a value has, and how many 64-bit words its slot has. */
template <class T> struct slot_of {
    enum { BITS = sizeof(T) / 4, WORDS = BITS == 3 ? 2 : BITS };
};

enum { SLOT_WORDS = slot_of<partial>::WORDS };

/* ---- One slot -------------------------------------------------------------------------------- */

template <unsigned WORDS>
static __device__ __forceinline__ void slot_store(slot_word *slot, const slot_word *words)
{
    if (WORDS == 1)
        asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(slot), "l"(words[0]) : "memory");
#pragma unroll
    for (unsigned w = 0; w + 1 < WORDS; w += 2)
        asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};"
                     :
                     : "l"(slot + w), "l"(words[w]), "l"(words[w + 1])
                     : "memory");
}

/* Loads the slot if `real` is true and otherwise leaves `words` unchanged, without a branch. */
template <unsigned WORDS>
static __device__ __forceinline__ void slot_load_if(slot_word *words, const slot_word *slot, bool real)
{
    if (WORDS == 1)
        asm volatile("{\n\t"
                     ".reg .pred real;\n\t"
                     "setp.ne.u32 real, %2, 0;\n\t"
                     "@real ld.relaxed.gpu.global.u64 %0, [%1];\n\t"
                     "}"
                     : "+l"(words[0])
                     : "l"(slot), "r"((unsigned)real)
                     : "memory");
#pragma unroll
    for (unsigned w = 0; w + 1 < WORDS; w += 2)
        asm volatile("{\n\t"
                     ".reg .pred real;\n\t"
                     "setp.ne.u32 real, %3, 0;\n\t"
                     "@real ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];\n\t"
                     "}"
                     : "+l"(words[w]), "+l"(words[w + 1])
                     : "l"(slot + w), "r"((unsigned)real)
                     : "memory");
}

/*
 * Returns the bitwise and of `marks` and the mark in `word`. This is written in asm, because nvcc would
 * compare each word separately and in 64 bits.
 */
static __device__ __forceinline__ unsigned mark_and(unsigned marks, slot_word word)
{
    unsigned both;
    asm("and.b32 %0, %1, %2;" : "=r"(both) : "r"(marks), "r"((unsigned)word));
    return both;
}

template <class T> static __device__ __forceinline__ T slot_value(const slot_word *words)
{
    enum { BITS = slot_of<T>::BITS, WORDS = slot_of<T>::WORDS };
    words_of<T> x;
#pragma unroll
    for (unsigned w = 0; w < WORDS; w++)
        x.words[w] = (unsigned)(words[w] >> 32);
    if (BITS == 3)
        x.words[BITS == 3 ? 2 : 0] = (unsigned)words[0] >> 1 | (unsigned)words[WORDS - 1] >> 1 << 16;
    return x.value;
}

/* Writes `value` and its marks to slot i. */
template <class T> static __device__ __forceinline__ void slot_put(slot_word *slots, size_t i, T value)
{
    enum { BITS = slot_of<T>::BITS, WORDS = slot_of<T>::WORDS };
    words_of<T> x;
    slot_word words[WORDS];
    x.value = value;
#pragma unroll
    for (unsigned w = 0; w < WORDS; w++)
        words[w] = (slot_word)x.words[w] << 32 | 1;
    if (BITS == 3) {
        unsigned third = x.words[BITS == 3 ? 2 : 0];
        words[0] |= (third & 0xffff) << 1;
        words[WORDS - 1] |= third >> 16 << 1;
    }
    slot_store<WORDS>(slots + i * WORDS, words);
}

/*
 * Reads slot i once and stores its value in *value. The slot must have one or two words. Returns false if the
 * value has not arrived yet.
 */
template <class T> static __device__ __forceinline__ bool slot_try(const slot_word *slots, unsigned i, T *value)
{
    enum { WORDS = slot_of<T>::WORDS };
    words_of<T> x;
    const slot_word *at = slots + (size_t)i * WORDS;
    slot_word low, high = 1;
    if (WORDS == 1) {
        asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(low) : "l"(at) : "memory");
    } else {
        asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                     : "=l"(low), "=l"(high)
                     : "l"(at)
                     : "memory");
        x.words[WORDS - 1] = (unsigned)(high >> 32);
    }
    x.words[0] = (unsigned)(low >> 32);
    *value = x.value;
    return (low & high & 1) != 0;
}

template <class T> static __device__ __forceinline__ void slot_clear(slot_word *slots, unsigned i)
{
    for (unsigned k = 0; k < slot_of<T>::WORDS; k++)
        slots[(size_t)i * slot_of<T>::WORDS + k] = 0;
}

/* ---- Many slots ------------------------------------------------------------------------------ */

/*
 * Reads slots with LANES neighbouring threads. Each thread reads READS slots, LANES apart. A thread's first
 * slot is `at`, and `left` slots exist from there on. The threads keep reading all their slots at once until
 * a warp vote says that every value has arrived; waiting for one slot after another would take a trip to L2
 * for each. Slots beyond the last one are not read, because they would have to be fetched from memory. `step`
 * is the distance between consecutive slots in memory.
 */
template <unsigned LANES, unsigned READS, class T> struct slots_read {
    enum { WORDS = slot_of<T>::WORDS };
    slot_word *at;
    size_t step;
    int left;
    slot_word words[READS][WORDS];

    __device__ __forceinline__ slots_read(slot_word *slots, size_t step, unsigned first, unsigned count)
        : at(slots + first * step * WORDS), step(step), left((int)count - (int)first)
    {
    }

    __device__ __forceinline__ bool exists(unsigned k) const
    {
        return (int)(LANES * k) < left;
    }

    __device__ __forceinline__ void wait()
    {
        unsigned marks;
#pragma unroll
        for (unsigned k = 0; k < READS; k++)
#pragma unroll
            for (unsigned w = 0; w < WORDS; w++)
                words[k][w] = 1;
        do {
#pragma unroll
            for (unsigned k = 0; k < READS; k++)
                slot_load_if<WORDS>(words[k], at + LANES * k * step * WORDS, exists(k));
            marks = 1;
#pragma unroll
            for (unsigned k = 0; k < READS; k++)
#pragma unroll
                for (unsigned w = 0; w < WORDS; w++)
                    marks = mark_and(marks, words[k][w]);
        } while (!__all_sync(0xffffffff, marks));
    }

    __device__ __forceinline__ T value(unsigned k, T none) const
    {
        return exists(k) ? slot_value<T>(words[k]) : none;
    }

    __device__ __forceinline__ void clear(unsigned k)
    {
        const slot_word none[WORDS] = {};
        slot_store<WORDS>(at + LANES * k * step * WORDS, none);
    }
};

/*
 * Combines the thread's share of the slots 0 … count - 1 with `sum`. The slots must have one or two words.
 * Every thread of the gathering block calls this function. A thread has four reads in flight at a time, and
 * retries each of them separately. If a thread has just one or two slots, a vote as in slots_read would make
 * it wait for other threads' slots.
 */
template <class T>
static __device__ __forceinline__ T slots_gather(slot_word *slots, unsigned count, T sum)
{
    for (unsigned first = threadIdx.x; first < count; first += 4 * blockDim.x) {
        T value[4];
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
                sum = combine(sum, value[k]);
                slot_clear<T>(slots, i);
            }
        }
    }
    return sum;
}

/* Prefetches the lines of `count` slots into L2, with all threads of the block. */
template <class T>
static __device__ __forceinline__ void slots_prefetch(const slot_word *slots, unsigned count)
{
    enum { LINE_WORDS = 128 / sizeof(slot_word) };
#pragma unroll 1
    for (unsigned k = threadIdx.x * LINE_WORDS; k < count * slot_of<T>::WORDS; k += BLOCK * LINE_WORDS)
        fetch_ahead(slots + k);
}

#endif
