/*
 * Sums without any error: floats become integers, which can be added in any order.
 *
 * A thread's elements are taken apart into parts of GAP bits, the lowest of which counts multiples of
 * 2^unit, the same unit for the whole warp. All is done in doubles: adding an element to 1.5 * 2^(k + 52) rounds
 * it to a multiple of 2^k, and so does adding further ones to that sum, as long as it stays between
 * two powers of two; the number of these multiples is in the low bits of its representation. What the rounding
 * left of an element is again a float, exactly (Rump, Ogita and Oishi, Accurate Floating-Point Summation, SIAM J. Sci.
 * Comput. 31(1), 2008; with a running sum: Ahrens, Demmel and Nguyen, Algorithms for Efficient Reproducible Floating
 * Point Summation, ACM Trans. Math. Softw. 46(3), 2020). For the lowest part nothing is rounded any more, and
 * the elements are simply added. So a part takes three additions for each element, and the lowest one.
 *
 * The largest and the smallest magnitude of a warp's elements decide how many parts they need: SPAN bits, which
 * is all that float16 has, are a few long integers, a `number`, until the end. Elements that span more go, window
 * after window, to a fixed-point number that covers all exponents of the type: DIGITS digits of 32
 * bits, each in 64 bits, so that 2^31 numbers can be added before a carry. The total is rounded once, to nearest, ties
 * to even.
 *
 * A NaN, or infinities of both signs, make the sum NaN, infinities of one sign that infinity. A sum
 * that is exactly 0 is +0, unless all elements are -0.
 */
#ifndef REDSWEEP_KERNELS_EXACT_CUH
#define REDSWEEP_KERNELS_EXACT_CUH

#include "numbers.cuh"
#include "pack.cuh"

/* ---- Elements -------------------------------------------------------------------------------- */

#if HALVES
enum { WORD_ELEMENTS = 2, ELEMENT_WORDS = 1 };
#else
enum { WORD_ELEMENTS = 1, ELEMENT_WORDS = (int)sizeof(element) / 4 };
#endif

/* A -0 in each element: it changes no sum. */
static __device__ __forceinline__ unsigned minus_zero(int word)
{
    return HALVES ? 0x80008000u : word % ELEMENT_WORDS == ELEMENT_WORDS - 1 ? 0x80000000u : 0;
}

/*
 * Words by value, for what is seldom called and is a function of its own: a small input waits for each line of code. An
 * array whose address a call takes would be in memory all the time.
 */
template <int WORDS> struct word_list {
    unsigned words[WORDS];
};

template <int WORDS>
static __device__ __forceinline__ word_list<WORDS> list_of(const unsigned (&words)[WORDS])
{
    word_list<WORDS> list;
#pragma unroll
    for (int i = 0; i < WORDS; i++)
        list.words[i] = words[i];
    return list;
}

/* Element k of those in a word, or the one of two words. */
static __device__ __forceinline__ void element_put(unsigned *words, int k, element x)
{
#if HALVES
    words[0] = k ? (words[0] & 0xffff) | (unsigned)x.bits << 16 : (words[0] & 0xffff0000u) | x.bits;
#elif defined(TYPE_FLOAT64)
    words[0] = (unsigned)__double2loint(x);
    words[1] = (unsigned)__double2hiint(x);
#else
    words[0] = __float_as_uint(x);
#endif
}

/* Element e as a double, times 2^-SCALE. Infinities and NaN of half types become numbers. */
template <int WORDS>
static __device__ __forceinline__ double double_at(const unsigned (&words)[WORDS], int e)
{
#if HALVES /* the exponent has 3 or 6 bits more, which follow the sign */
    enum { MORE = KEY_SHIFT == 7 ? 3 : 6 };
    const unsigned mask = (KEY_SHIFT == 7 ? 0x8fffffffu : 0x81ffffffu) & ~0u << (16 - MORE);
    const int high = (int)(e % 2 ? words[e / 2] : words[e / 2] << 16);
    return __hiloint2double((int)((unsigned)(high >> MORE) & mask), 0);
#elif defined(TYPE_FLOAT64)
    return __hiloint2double((int)words[2 * e + 1], (int)words[2 * e]);
#else
    return __uint_as_float(words[e]);
#endif
}

/* Orders magnitudes by exponents. NaN are above infinities. A subnormal double may have key 0. */
struct keys {
    unsigned largest, smallest;
};

#if HALVES
#if defined(TYPE_BFLOAT16)
#define HALF_PAIR "bf16x2"
#else
#define HALF_PAIR "f16x2"
#endif
static __device__ __forceinline__ void pair_extremes(unsigned word, unsigned *largest,
                                                     unsigned *smallest)
{
    word &= 0x7fff7fffu;
    asm("max.NaN." HALF_PAIR " %0, %0, %1;" : "+r"(*largest) : "r"(word));
    asm("min." HALF_PAIR " %0, %0, %1;" : "+r"(*smallest) : "r"(word));
}
#endif

template <int WORDS> static __device__ __forceinline__ keys keys_of(const unsigned (&words)[WORDS])
{
    keys k;
#if HALVES
    unsigned largest = 0, smallest = words[0] & 0x7fff7fffu;
#pragma unroll
    for (int i = 0; i < WORDS; i++)
        pair_extremes(words[i], &largest, &smallest);
    k.largest = largest >> 16 > (largest & 0xffff) ? largest >> 16 : largest & 0xffff;
    k.smallest = smallest >> 16 < (smallest & 0xffff) ? smallest >> 16 : smallest & 0xffff;
#elif defined(TYPE_FLOAT64)
    k.largest = 0;
    k.smallest = ~0u;
#pragma unroll
    for (int i = 1; i < WORDS; i += 2) {
        const unsigned key = words[i] & 0x7fffffffu;
        k.largest = key > k.largest ? key : k.largest;
        k.smallest = key < k.smallest ? key : k.smallest;
    }
#else
    float largest = 0, smallest = __uint_as_float(0x7f800000);
#pragma unroll
    for (int i = 0; i < WORDS; i++) {
        const float x = fabsf(__uint_as_float(words[i]));
        asm("max.NaN.f32 %0, %0, %1;" : "+f"(largest) : "f"(x));
        smallest = fminf(smallest, x);
    }
    k.largest = __float_as_uint(largest);
    k.smallest = __float_as_uint(smallest);
#endif
    return k;
}

/* Element e's key; 1 for a subnormal double with key 0. */
template <int WORDS>
static __device__ __forceinline__ unsigned key_at(const unsigned (&words)[WORDS], int e)
{
#if HALVES
    return words[e / 2] >> e % 2 * 16 & 0x7fffu;
#elif defined(TYPE_FLOAT64)
    const unsigned key = words[2 * e + 1] & 0x7fffffffu;
    return key == 0 && words[2 * e] != 0 ? 1 : key;
#else
    return words[e] & 0x7fffffffu;
#endif
}

template <int WORDS>
static __device__ __forceinline__ bool is_minus(const unsigned (&words)[WORDS], int e)
{
#if HALVES
    return words[e / 2] >> e % 2 * 16 & 0x8000u;
#else
    return words[(e + 1) * ELEMENT_WORDS - 1] >> 31;
#endif
}

/* The same, of elements that are not 0, by a closer look; smallest 0 if all are 0. */
template <int WORDS> static __device__ __noinline__ keys keys_again(word_list<WORDS> list)
{
    keys k = {0, ~0u};
#pragma unroll
    for (int e = 0; e < WORDS / ELEMENT_WORDS * WORD_ELEMENTS; e++) {
        const unsigned key = key_at(list.words, e);
        k.largest = key > k.largest ? key : k.largest;
        k.smallest = key - 1 < k.smallest ? key - 1 : k.smallest;
    }
    k.smallest++;
    return k;
}

/* Infinities and NaN among elements, and whether one is not -0. */
template <int WORDS> static __device__ __noinline__ unsigned about_of(word_list<WORDS> list)
{
    unsigned about = 0;
#pragma unroll
    for (int e = 0; e < WORDS / ELEMENT_WORDS * WORD_ELEMENTS; e++) {
        const unsigned key = key_at(list.words, e);
        const bool minus = is_minus(list.words, e);
        about |= key || !minus ? HAS_OTHER : 0;
#if defined(TYPE_FLOAT64)
        const bool nan = key > KEY_SPECIAL || (key == KEY_SPECIAL && list.words[2 * e] != 0);
#else
        const bool nan = key > KEY_SPECIAL;
#endif
        if (key >= KEY_SPECIAL)
            about |= nan ? HAS_NAN : minus ? HAS_MINUS_INF : HAS_PLUS_INF;
    }
    return about;
}

/* All elements are less than 2^top_of(the largest key), and multiples of 2^lowest_of(the smallest). */
static __device__ __forceinline__ int exponent_of(unsigned key)
{
    const int field = (int)(key >> KEY_SHIFT);
    return (field > 0 ? field : 1) - EXPONENT_MOST;
}

static __device__ __forceinline__ int top_of(unsigned key)
{
    return exponent_of(key) + 1;
}

static __device__ __forceinline__ int lowest_of(unsigned key)
{
    return exponent_of(key) - (SIGNIFICAND - 1);
}

/* ---- Parts ----------------------------------------------------------------------------------- */

/* 1.5 * 2^(k + 52), in terms of the doubles here. */
static __device__ __forceinline__ double shifter_of(int k)
{
    return power_of_two(k - SCALE + 52) * 1.5;
}

static __device__ __forceinline__ long long bits_of(double x)
{
    return __double_as_longlong(x);
}

/*
 * WINDOWS of a thread's elements, from the highest part down, and what they leave, which is a multiple of the next
 * part's unit. |x| < 2^(unit + SPAN), and a window leaves at most half of its unit, so 16 elements in a sum change
 * it by 2^51 at most. Whether not all are -0, which a sum without a window shows.
 */
template <int WINDOWS, int WORDS>
static __device__ __forceinline__ bool parts_take(long long (&parts)[PARTS],
                                                  const unsigned (&words)[WORDS], int unit)
{
    enum {
        COUNT = WORDS / ELEMENT_WORDS * WORD_ELEMENTS,
        CHAINS = COUNT < 2 ? COUNT : 2,
        REST = PARTS - 1 - WINDOWS
    };
    double sums[CHAINS][PARTS];
    bool other = false;
#pragma unroll
    for (int e = 0; e < COUNT; e++) {
        double x = double_at(words, e), *mine = sums[e % CHAINS];
#pragma unroll
        for (int p = PARTS - 1; p > REST; p--) {
            const double before = e < CHAINS ? shifter_of(unit + GAP * p) : mine[p];
            mine[p] = before + x;
            x -= mine[p] - before;
        }
        mine[REST] = e < CHAINS ? x : mine[REST] + x;
    }
#pragma unroll
    for (int c = 0; c < CHAINS; c++) {
#pragma unroll
        for (int p = PARTS - 1; p > REST; p--)
            parts[p] += bits_of(sums[c][p]) - bits_of(shifter_of(unit + GAP * p));
        other = other || bits_of(sums[c][REST]) != (long long)((digit)1 << 63);
    }
    const double shifter = shifter_of(unit + GAP * REST);
    if (CHAINS == 2 && COUNT <= 16)
        parts[REST] += bits_of(sums[0][REST] + sums[CHAINS - 1][REST] + shifter) - bits_of(shifter);
    else
#pragma unroll
        for (int c = 0; c < CHAINS; c++)
            parts[REST] += bits_of(sums[c][REST] + shifter) - bits_of(shifter);
    return other;
}

/* What a warp has read: parts per thread, and what else matters. */
struct gathered {
    long long parts[PARTS];
    int unit;       /* of the lowest part; or NO_UNIT */
    unsigned about; /* this thread's, or the warp's */
    unsigned tiles;
};

static __device__ __forceinline__ gathered gather_begin()
{
    gathered g;
#pragma unroll
    for (int i = 0; i < PARTS; i++)
        g.parts[i] = 0;
    g.unit = NO_UNIT;
    g.about = 0;
    g.tiles = 0;
    return g;
}

/* The warp's parts become a number, which is added to `sum`. */
static __device__ __forceinline__ void gather_flush(gathered *g, number *sum, long long *digits)
{
    const unsigned mask = (1u << PIECE) - 1;
    unsigned sums[2 * PARTS + 1];
    if (g->unit == NO_UNIT)
        return;
#pragma unroll
    for (int i = 0; i < PARTS; i++) {
        const long long part = g->parts[i];
        if (i < PARTS - 1)
            g->parts[i + 1] += part >> GAP;
        sums[2 * i] = __reduce_add_sync(0xffffffffu, (unsigned)part & mask);
        sums[2 * i + 1] = __reduce_add_sync(0xffffffffu, (unsigned)((digit)part >> PIECE) & mask);
        if (i == PARTS - 1)
            sums[2 * PARTS] = __reduce_add_sync(0xffffffffu, (unsigned)(part >> GAP));
        g->parts[i] = 0;
    }
    number mine;
    mine.value = wide_of(sums);
    mine.unit = mine.high = g->unit;
    if (!number_join(sum, mine)) {
        if (threadIdx.x % 32 == 0)
            number_to_digits(digits, mine);
        __syncwarp();
        g->about |= HAS_DIGITS;
    }
    g->unit = NO_UNIT;
    g->tiles = 0;
}

/* The unit for elements below 2^top. */
static __device__ __forceinline__ int unit_for(int top)
{
    const int unit = ((top + 8192 + UNITS - 1) & ~(UNITS - 1)) - 8192 - SPAN;
    return unit > LOWEST ? unit : LOWEST;
}

/* The sum over a warp, in all lanes. */
static __device__ __forceinline__ long long warp_total(long long x)
{
    const unsigned mask = (1u << PIECE) - 1;
    const unsigned low = __reduce_add_sync(0xffffffffu, (unsigned)x & mask);
    const unsigned middle = __reduce_add_sync(0xffffffffu, (unsigned)((digit)x >> PIECE) & mask);
    const int high = (int)__reduce_add_sync(0xffffffffu, (unsigned)(x >> GAP));
    return (long long)(((digit)(long long)high << GAP) + ((digit)middle << PIECE) + low);
}

/*
 * Elements below 2^top with any exponents, to the warp's digits: window after window, while anything is left. The constant
 * must be finite, so large elements are scaled inside the multiplication, which is exact.
 */
template <int WORDS>
static __device__ __noinline__ void windows_gather(long long *digits, word_list<WORDS> list,
                                                   int top)
{
    enum { COUNT = WORDS / ELEMENT_WORDS * WORD_ELEMENTS, CHAINS = COUNT < 2 ? COUNT : 2 };
    double x[COUNT];
    bool left = true;
#pragma unroll
    for (int e = 0; e < COUNT; e++)
        x[e] = double_at(list.words, e);
#pragma unroll 1
    for (int k = top - 46; left; k -= GAP) {
        k = k > LOWEST ? k : LOWEST;
        const int scaled = k > 960 ? 32 : 0;
        const double scale = power_of_two(-scaled), back = -power_of_two(scaled);
        const double shifter = shifter_of(k - scaled);
        double sums[CHAINS];
        long long total = 0;
        digit any = 0;
#pragma unroll
        for (int c = 0; c < CHAINS; c++)
            sums[c] = shifter;
#pragma unroll
        for (int e = 0; e < COUNT; e++) {
            const double before = sums[e % CHAINS];
            sums[e % CHAINS] = __fma_rn(x[e], scale, before);
            x[e] = __fma_rn(sums[e % CHAINS] - before, back, x[e]);
            any |= (digit)bits_of(x[e]);
        }
#pragma unroll
        for (int c = 0; c < CHAINS; c++)
            total += bits_of(sums[c]) - bits_of(shifter);
        digits_add(digits, warp_total(total), k);
        left = __any_sync(0xffffffffu, any << 1 != 0);
    }
}

/* Takes a warp's elements; `digits` are the warp's own, in shared memory. */
template <int WORDS>
static __device__ __forceinline__ void gather(gathered *g, number *sum, long long *digits,
                                              const unsigned (&words)[WORDS])
{
    keys k = keys_of(words);
    if (++g->tiles > MOST_TILES)
        gather_flush(g, sum, digits);
#if defined(TYPE_FLOAT16) /* all exponents have room */
    if (__any_sync(0xffffffffu, k.largest >= KEY_SPECIAL)) {
        g->about |= about_of(list_of(words));
        return;
    }
    g->unit = LOWEST;
    g->about |= parts_take<0>(g->parts, words, LOWEST) ? HAS_OTHER : 0;
#else
    k.largest = warp_max(k.largest);
    k.smallest = warp_min(k.smallest);
    if (__builtin_expect(k.largest == 0, 0))
        k.largest = warp_max(keys_again(list_of(words)).largest);
    if (__builtin_expect(k.largest >= KEY_SPECIAL || k.largest == 0, 0)) {
        g->about |= about_of(list_of(words));
        return;
    }
    g->about |= HAS_OTHER;
    const int top = top_of(k.largest);
    int unit = unit_for(top), lowest = lowest_of(k.smallest);
    if (lowest < unit + GAP) /* for zeros, too */
        lowest = lowest_of(warp_min(keys_again(list_of(words)).smallest - 1) + 1);
    if (lowest < unit || (SIGNIFICAND == 53 && top > 960)) {
        windows_gather(digits, list_of(words), top);
        g->about |= HAS_DIGITS;
        return;
    }
    if (g->unit == NO_UNIT || lowest < g->unit || top > g->unit + SPAN) {
        gather_flush(g, sum, digits);
        g->unit = unit;
    }
    if (lowest >= g->unit + GAP)
        parts_take<PARTS - 2>(g->parts, words, g->unit);
    else
        parts_take<PARTS - 1>(g->parts, words, g->unit);
#endif
}

#endif
