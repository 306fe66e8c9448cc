/*
 * What kernels over an axis share. A thread reads vectors that all have the same columns, and keeps one partial per
 * column. A block combines the partials of its threads in shared memory. If several blocks reduce the same columns,
 * they pass their partials to the last block through slots (slots.cuh).
 *
 * Kernels that include this header need the fact `constant: BLOCK` and the tunables LOADS, AHEAD (0 or 1) and
 * POLICY. They define VECTOR, the bytes per vector, as a tunable or as 16.
 */
#ifndef REDSWEEP_KERNELS_COLUMNS_CUH
#define REDSWEEP_KERNELS_COLUMNS_CUH

#include "slots.cuh"
#include "stream.cuh"

enum {
    COLUMNS = VECTOR / sizeof(element), /* columns per thread */
    VECTOR_WORDS = VECTOR >= 4 ? VECTOR / 4 : 1,
    READS = slot_of<partial>::BITS <= 3 ? 8 : 4 /* slots that a thread reads at once */
};

/* ---- Vectors --------------------------------------------------------------------------------- */

struct vector {
    unsigned words[VECTOR_WORDS];
};

static __device__ __forceinline__ vector vector_load(const element *at)
{
    vector v;
#if VECTOR == 16
    uint4 x = words_load((const pack *)at);
    v.words[0] = x.x;
    v.words[VECTOR_WORDS > 1 ? 1 : 0] = x.y;
    v.words[VECTOR_WORDS > 2 ? 2 : 0] = x.z;
    v.words[VECTOR_WORDS > 2 ? 3 : 0] = x.w;
#elif VECTOR == 8
    asm volatile("ld.global.nc.L1::no_allocate.v2.u32 {%0, %1}, [%2];"
                 : "=r"(v.words[0]), "=r"(v.words[VECTOR_WORDS - 1])
                 : "l"(at));
#elif VECTOR == 4
    asm volatile("ld.global.nc.L1::no_allocate.u32 %0, [%1];" : "=r"(v.words[0]) : "l"(at));
#elif VECTOR == 2
    asm volatile("{\n\t"
                 ".reg .b16 half;\n\t"
                 "ld.global.nc.L1::no_allocate.u16 half, [%1];\n\t"
                 "cvt.u32.u16 %0, half;\n\t"
                 "}"
                 : "=r"(v.words[0])
                 : "l"(at));
#else
    v.words[0] = *(const unsigned char *)at;
#endif
    return v;
}

/* Returns element j of a vector, converted. */
static __device__ __forceinline__ value_t vector_value(const vector &v, unsigned j)
{
#if ELEMENT_BYTES == 8
    union {
        unsigned words[2];
        value_t value;
    } x = {{v.words[2 * j], v.words[2 * j + 1 < VECTOR_WORDS ? 2 * j + 1 : 0]}};
    return x.value;
#else
    enum { EACH = 4 / ELEMENT_BYTES };
    return word_value(v.words[j / EACH], j % EACH);
#endif
}

/* Loads a vector that extends past the end of the array. Values past the end are 0. */
static __device__ __forceinline__ vector edge_load(const element *at, const element *end)
{
    vector v = {};
#pragma unroll
    for (unsigned j = 0; j < COLUMNS; j++)
#pragma unroll
        for (unsigned byte = 0; byte < ELEMENT_BYTES && at + j < end; byte++)
            v.words[(j * ELEMENT_BYTES + byte) / 4] |=
                (unsigned)((const unsigned char *)(at + j))[byte]
                << (j * ELEMENT_BYTES + byte) % 4 * 8;
    return v;
}

/* ---- A thread's vectors ---------------------------------------------------------------------- */

/*
 * A thread's vectors. They are `step` elements apart, and vector number `next` begins at x (and at y in the second
 * input). The thread reads LOADS vectors and then continues `jump` vectors after the first of them. Vectors from number
 * `count` on do not exist. `end` is the end of the first input.
 */
struct strip {
    const element *x, *y, *end;
    size_t step;
    unsigned next, count, jump;
};

/* The vectors that a thread loads at once, the number of the first, and how many of them exist. */
struct vectors_read {
    vector x[LOADS], y[VECTORS == 2 ? LOADS : 1];
    unsigned first, real;
};

/*
 * Issues the loads of the next LOADS vectors, all of which exist if WHOLE, and advances the strip. With EDGES, the
 * thread's last vector may extend past the end of the array.
 */
template <bool WHOLE, bool EDGES>
static __device__ __forceinline__ void strip_load(vectors_read *t, strip *s)
{
    t->first = s->next;
    t->real = WHOLE ? LOADS : s->next < s->count ? min((unsigned)LOADS, s->count - s->next) : 0;
    const size_t last = WHOLE || t->real == 0 ? 0 : (t->real - 1) * s->step;
    const bool crosses = EDGES && !WHOLE && t->real > 0 && s->x + last + COLUMNS > s->end;
#pragma unroll
    for (unsigned k = 0; k < LOADS; k++)
        if (WHOLE || k + crosses < t->real) {
            t->x[k] = vector_load(s->x + k * s->step);
            if (VECTORS == 2)
                t->y[VECTORS == 2 ? k : 0] = vector_load(s->y + k * s->step);
        }
    if (crosses) {
        const vector edge = edge_load(s->x + last, s->end);
        const vector other = VECTORS == 2 ? edge_load(s->y + last, s->y + (s->end - s->x)) : edge;
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++)
            if (k + 1 == t->real) {
                t->x[k] = edge;
                t->y[VECTORS == 2 ? k : 0] = other;
            }
    }
    s->x += s->jump * s->step;
    s->y += s->jump * s->step;
    s->next += s->jump;
}

/* Adds the loaded vectors to the partials. Column j of vector number k is in row k * `height` + rows[j]. */
template <bool WHOLE>
static __device__ __forceinline__ void strip_fold(partial sums[COLUMNS], const vectors_read &t,
                                                  unsigned height, const unsigned rows[COLUMNS])
{
    if (t.real == 0)
        return;
    const value_t share = append_share(sums[0], t.real);
#pragma unroll
    for (unsigned j = 0; j < COLUMNS; j++) {
        value_t values[LOADS], others[LOADS];
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++) {
            bool exists = WHOLE || k < t.real;
            values[k] = exists ? vector_value(t.x[k], j) : fill_value();
            others[k] = VECTORS == 1 ? values[k]
                        : exists     ? vector_value(t.y[VECTORS == 2 ? k : 0], j)
                                     : 0;
        }
        append(&sums[j],
               fold_values<LOADS>(values, others, t.first * height + rows[j], height, t.real),
               share);
    }
}

/* Folds `whole` times LOADS vectors, and then the thread's share of the rest, which is fewer than LOADS. */
template <bool EDGES>
static __device__ __forceinline__ void strip_reduce(partial sums[COLUMNS], strip s, unsigned whole,
                                                    unsigned height, const unsigned rows[COLUMNS])
{
    vectors_read now, next;
#if AHEAD
    if (whole > 0) {
        strip_load<true, EDGES>(&now, &s);
#pragma unroll 1
        for (; whole > 1; whole--) {
            strip_load<true, EDGES>(&next, &s);
            strip_fold<true>(sums, now, height, rows);
            now = next;
        }
        strip_load<false, EDGES>(&next, &s);
        strip_fold<true>(sums, now, height, rows);
    } else {
        strip_load<false, EDGES>(&next, &s);
    }
#else
#pragma unroll 1
    for (; whole > 0; whole--) {
        strip_load<true, EDGES>(&now, &s);
        strip_fold<true>(sums, now, height, rows);
    }
    strip_load<false, EDGES>(&next, &s);
#endif
    strip_fold<false>(sums, next, height, rows);
}

/* ---- A block's partials, and those of several blocks ------------------------------------------ */

/* Shared memory with a place for each column of each thread. Each word of a partial has its own array. */
typedef unsigned held_words[HELD_WORDS][BLOCK * COLUMNS];

/*
 * Returns where the partial of a place is stored. The places of neighboring threads are COLUMNS words apart; this order
 * spreads them over all banks.
 */
static __device__ __forceinline__ unsigned held_at(unsigned place)
{
    return place ^ place / 32 % COLUMNS;
}

static __device__ __forceinline__ void held_put(held_words held, unsigned place, partial value)
{
    words_of<partial> x;
    x.value = value;
#pragma unroll
    for (unsigned w = 0; w < HELD_WORDS; w++)
        held[w][held_at(place)] = x.words[w];
}

/* Stores the thread's partials at the places from threadIdx.x * COLUMNS on. */
static __device__ __forceinline__ void held_store(held_words held, const partial sums[COLUMNS])
{
#pragma unroll
    for (unsigned j = 0; j < COLUMNS; j++)
        held_put(held, threadIdx.x * COLUMNS + j, sums[j]);
}

static __device__ __forceinline__ partial held_load(held_words held, unsigned place)
{
    words_of<partial> x;
#pragma unroll
    for (unsigned w = 0; w < slot_of<partial>::BITS; w++)
        x.words[w] = w < HELD_WORDS ? held[w < HELD_WORDS ? w : 0][held_at(place)] : 0;
    return x.value;
}

/*
 * Waits for the values in the slots number lane, lane + lanes, … below `count`, combines them and clears the slots.
 * Neighboring numbers are `step` slots apart in memory. All threads of a warp must call this function with the same
 * `lanes` and `count`. Threads for which `real` is false read no slot.
 */
static __device__ __forceinline__ partial slots_share(slot_word *slots, size_t step, unsigned lane,
                                                      unsigned lanes, unsigned count, bool real)
{
    const unsigned mine = real && lane < count ? (count - lane + lanes - 1) / lanes : 0;
    partial sum = nothing();
#pragma unroll 1
    for (unsigned first = 0; first * lanes < count; first += READS) {
        slots_read<1, READS, partial> r(slots + lane * step * SLOT_WORDS, step * lanes, first,
                                        mine);
        r.wait();
        partial values[READS + 1];
        values[0] = sum;
#pragma unroll
        for (unsigned k = 0; k < READS; k++) {
            values[k + 1] = r.value(k, nothing());
            if (r.exists(k))
                r.clear(k);
        }
        sum = partials_join<READS + 1>(values);
    }
    return sum;
}

#endif
