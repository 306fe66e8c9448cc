/*
 * Computes sums without any error by converting floats to integers, which can be added in any order.
 *
 * Each warp has a unit (an exponent), and splits its elements into parts of GAP bits. The lowest part counts
 * multiples of 2^unit. All arithmetic is in doubles. Adding an element to 1.5 * 2^(k + 52) rounds the element to a
 * multiple of 2^k. More elements can be added to that sum, as long as it stays between 2^(k + 52) and 2^(k + 53). The
 * low bits of the sum's representation then hold the number of multiples. An element's rounding error can be
 * represented exactly as a float, and is what the lower parts are made of (Rump, Ogita and Oishi, Accurate
 * Floating-Point Summation, SIAM J. Sci. Comput. 31(1), 2008; with a running sum: Ahrens, Demmel and Nguyen,
 * Algorithms for Efficient Reproducible Floating Point Summation, ACM Trans. Math. Softw. 46(3), 2020). The lowest
 * part needs no rounding and takes one addition per element; every other part takes three.
 *
 * For each tile, the warp votes on whether the elements fit its unit, and keeps the unit as long as they do. Elements
 * whose exponents span at most SPAN bits, as all float16 elements do, are added to a `record` (numbers.cuh). Elements
 * with a wider span are added to a fixed-point number that covers all of the type's exponents, one window of bits at
 * a time. The number has DIGITS digits of 32 bits, each stored in 64 bits so that 2^31 numbers can be added before
 * carries have to be propagated. The total is rounded once, to nearest, ties to even.
 *
 * The sum is NaN if the input has a NaN or infinities of both signs, and infinite if its infinities all have the same
 * sign. An exact sum of 0 is +0 unless all elements are -0.
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

/* Returns word number `word` of elements that are all -0. Adding -0 changes no sum. */
static __device__ __forceinline__ unsigned minus_zero(int word)
{
    return HALVES ? 0x80008000u : word % ELEMENT_WORDS == ELEMENT_WORDS - 1 ? 0x80000000u : 0;
}

/* Stores x as element k of a word, or in both words of a two-word element. */
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

/* double_at() divides element e by 2^scale_of(e). */
static __device__ __forceinline__ constexpr int scale_of(int e)
{
    return e % 2 ? SCALE : 0;
}

/*
 * Returns element e, times 2^-scale_of(e), as a double. For half types, every second element is converted
 * through float and the others by shifts, to spread the work over different execution units. Infinities and
 * NaN may become finite numbers.
 */
template <int WORDS>
static __device__ __forceinline__ double double_at(const unsigned (&words)[WORDS], int e)
{
#if HALVES /* the exponent has 3 or 6 extra bits after the sign */
    enum { MORE = KEY_SHIFT == 7 ? 3 : 6 };
    const unsigned mask = (KEY_SHIFT == 7 ? 0x8fffffffu : 0x81ffffffu) & ~0u << (16 - MORE);
    return e % 2 ? __hiloint2double((int)((unsigned)((int)words[e / 2] >> MORE) & mask), 0)
                 : word_value(words[e / 2], 0);
#elif defined(TYPE_FLOAT64)
    return __hiloint2double((int)words[2 * e + 1], (int)words[2 * e]);
#else
    return __uint_as_float(words[e]);
#endif
}

/* Returns element e's key: up to 32 of its highest bits, without the sign. Nonzero elements have a nonzero key. */
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

/* An element with this key is less than 2^top_of(key) in magnitude and a multiple of 2^lowest_of(key). */
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

/* ---- A warp's tile --------------------------------------------------------------------------- */

/*
 * A warp's tile has LOADS packs per lane, 32 packs apart. It stays in shared memory and is read on demand. If the
 * packs were in registers, the compiler would convert them early and keep the results.
 */
enum { PACK_WORDS = 4, PACK_COUNT = (int)PACK_WIDTH };

static __device__ __forceinline__ void pack_read(const uint4 *tile, int i, unsigned (&words)[PACK_WORDS])
{
    asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                 : "r"((unsigned)__cvta_generic_to_shared(tile + 32 * i)));
}

struct shared_tile {
    const uint4 *tile; /* this lane's first pack */

    __device__ __forceinline__ void read(int i, unsigned (&words)[PACK_WORDS]) const
    {
        pack_read(tile, i, words);
    }

    __device__ __forceinline__ const uint4 *shared() const
    {
        return tile;
    }
};

/* A tile in registers. shared() copies it to `room`, in shared memory, for code that is rarely executed. */
struct register_tile {
    unsigned words[LOADS][PACK_WORDS];
    uint4 *room;

    __device__ __forceinline__ void load(const uint4 *from)
    {
#pragma unroll
        for (int i = 0; i < LOADS; i++)
            asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
                         : "=r"(words[i][0]), "=r"(words[i][1]), "=r"(words[i][2]), "=r"(words[i][3])
                         : "l"(from + 32 * i));
    }

    __device__ __forceinline__ void read(int i, unsigned (&to)[PACK_WORDS]) const
    {
#pragma unroll
        for (int w = 0; w < PACK_WORDS; w++) { /* opaque, like a volatile read */
            to[w] = words[i][w];
            asm volatile("" : "+r"(to[w]));
        }
    }

    __device__ __forceinline__ const uint4 *shared() const
    {
#pragma unroll
        for (int i = 0; i < LOADS; i++)
            room[32 * i] = make_uint4(words[i][0], words[i][1], words[i][2], words[i][3]);
        return room;
    }
};

/* Writes `count` elements from `from` on to a tile of `length` elements, and fills the rest of the tile with -0. */
static __device__ __noinline__ void tile_fill(element *tile, unsigned length, const element *from, unsigned count)
{
    unsigned none[ELEMENT_WORDS];
#pragma unroll
    for (int k = 0; k < ELEMENT_WORDS; k++)
        none[k] = minus_zero(k);
    __syncwarp();
#pragma unroll 1
    for (unsigned i = threadIdx.x % 32; i < length; i += 32)
        tile[i] = i < count ? from[i] : *(const element *)none;
    __syncwarp();
}

/* ---- Keys ------------------------------------------------------------------------------------ */

/* The keys of some elements. NaN has a larger key than infinity. Here, a subnormal double may have key 0. */
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

/*
 * Returns the largest and smallest key of this lane's elements. For float16, both are the largest key, and just say
 * whether all elements are 0, because all float16 exponents fit one unit.
 */
template <class TILE> static __device__ __forceinline__ keys keys_of(const TILE &tile)
{
    keys k;
#if HALVES
    unsigned largest = 0, smallest = 0x7c007c00u;
#elif defined(TYPE_FLOAT64)
    k.largest = 0;
    k.smallest = ~0u;
#else
    float largest = 0, smallest = __uint_as_float(0x7f800000);
#endif
#pragma unroll
    for (int i = 0; i < LOADS; i++) {
        unsigned words[PACK_WORDS];
        tile.read(i, words);
#pragma unroll
        for (int w = 0; w < PACK_WORDS; w++) {
#if HALVES
            pair_extremes(words[w], &largest, &smallest);
#elif defined(TYPE_FLOAT64)
            if (w % 2 == 0)
                continue;
            const unsigned key = words[w] & 0x7fffffffu;
            k.largest = key > k.largest ? key : k.largest;
            k.smallest = key < k.smallest ? key : k.smallest;
#else
            const float x = fabsf(__uint_as_float(words[w]));
            asm("max.NaN.f32 %0, %0, %1;" : "+f"(largest) : "f"(x));
            smallest = fminf(smallest, x);
#endif
        }
    }
#if HALVES
    k.largest = largest >> 16 > (largest & 0xffff) ? largest >> 16 : largest & 0xffff;
    k.smallest = smallest >> 16 < (smallest & 0xffff) ? smallest >> 16 : smallest & 0xffff;
#if defined(TYPE_FLOAT16)
    k.smallest = k.largest;
#endif
#elif !defined(TYPE_FLOAT64)
    k.largest = __float_as_uint(largest);
    k.smallest = __float_as_uint(smallest);
#endif
    return k;
}

/*
 * Corrects `k` to the largest and smallest keys of this lane's nonzero elements, or to 0 and ~0u if all elements are
 * 0. Returns HAS_OTHER if any element is not -0, and 0 otherwise.
 */
template <class TILE> static __device__ __forceinline__ unsigned keys_without_zeros(keys *k, const TILE &tile)
{
    unsigned less_one = ~0u; /* a zero's key, less one, wraps to the largest number */
    bool minus = true;
#pragma unroll
    for (int i = 0; i < LOADS; i++) {
        unsigned words[PACK_WORDS];
        tile.read(i, words);
#pragma unroll
        for (int e = 0; e < PACK_COUNT; e++) {
            const unsigned key = key_at(words, e);
            less_one = key - 1 < less_one ? key - 1 : less_one;
            minus = minus && is_minus(words, e);
        }
    }
    k->smallest = less_one == ~0u ? less_one : less_one + 1;
    if (k->largest == 0 && less_one != ~0u)
        k->largest = k->smallest; /* the elements are subnormal doubles */
    return less_one == ~0u && minus ? 0 : HAS_OTHER;
}

/* Returns the HAS_… flags that say whether the tile has infinities, NaN or elements other than -0. */
static __device__ __noinline__ unsigned about_of(const uint4 *tile)
{
    unsigned about = 0;
#pragma unroll 1
    for (int i = 0; i < LOADS; i++) {
        unsigned words[PACK_WORDS];
        pack_read(tile, i, words);
#pragma unroll
        for (int e = 0; e < PACK_COUNT; e++) {
            const unsigned key = key_at(words, e);
            const bool minus = is_minus(words, e);
            about |= key || !minus ? HAS_OTHER : 0;
#if defined(TYPE_FLOAT64)
            const bool nan = key > KEY_SPECIAL || (key == KEY_SPECIAL && words[2 * e] != 0);
#else
            const bool nan = key > KEY_SPECIAL;
#endif
            if (key >= KEY_SPECIAL)
                about |= nan ? HAS_NAN : minus ? HAS_MINUS_INF : HAS_PLUS_INF;
        }
    }
    return about;
}

/* ---- Parts ----------------------------------------------------------------------------------- */

/* Returns 1.5 * 2^(k + 52), scaled like the elements that are added to it in `chain`. */
static __device__ __forceinline__ double shifter_of(int k, int chain)
{
    return power_of_two(k - scale_of(chain) + 52) * 1.5;
}

static __device__ __forceinline__ long long bits_of(double x)
{
    return __double_as_longlong(x);
}

/*
 * What a thread has gathered: the sums of its elements, one for each chain and part, and which keys fit the warp's
 * unit. A sum starts at 1.5 * 2^52 times the unit of its part.
 */
enum { CHAINS = 2 }; /* all elements of a chain have the same scale */

struct gathered {
    double sums[CHAINS][PARTS];
    int unit;                /* exponent of the unit of the lowest part */
    unsigned top, low, next; /* keys in [low, top) fit; those from `next` on need no lowest part */
    unsigned tiles;
    unsigned about; /* HAS_… flags of what this thread has seen */
    bool kept;      /* whether the warp's record has a sum */
};

/* Returns the smallest key from which on all elements are multiples of 2^unit. */
static __device__ __forceinline__ unsigned key_from(int unit)
{
    const int field = unit + EXPONENT_MOST + SIGNIFICAND - 1;
    return field < 2 ? 1 : (unsigned)field << KEY_SHIFT;
}

static __device__ __forceinline__ void gather_at(gathered *g, int unit)
{
    /* 1.5 * 2^52 multiples of the unit must be finite as a double. */
    enum { HIGHEST = SIGNIFICAND == 53 ? 960 + EXPONENT_MOST : 2 * EXPONENT_MOST + 1 };
    const int top = unit + SPAN + EXPONENT_MOST;
    g->unit = unit;
    g->top = (unsigned)(top < HIGHEST ? top : HIGHEST) << KEY_SHIFT;
    g->low = PARTS == 1 ? 1 : key_from(unit);
    g->next = PARTS == 1 ? 0 : key_from(unit + GAP);
    g->tiles = 0;
#pragma unroll
    for (int c = 0; c < CHAINS; c++)
#pragma unroll
        for (int p = 0; p < PARTS; p++)
            g->sums[c][p] = shifter_of(unit + GAP * p, c);
}

static __device__ __forceinline__ gathered gather_begin()
{
    gathered g = {};
    gather_at(&g, FIRST_UNIT);
    return g;
}

/*
 * Splits a tile's elements into parts, from the highest down to LAST, and adds the parts to the sums without error.
 */
template <int LAST, class TILE>
static __device__ __forceinline__ void parts_take(gathered *g, const TILE &tile)
{
#pragma unroll
    for (int i = 0; i < LOADS; i++) {
        unsigned words[PACK_WORDS];
        tile.read(i, words);
#pragma unroll
        for (int e = 0; e < PACK_COUNT; e++) {
            double x = double_at(words, e), *mine = g->sums[e % CHAINS];
#pragma unroll
            for (int p = PARTS - 1; p > LAST; p--) {
                const double before = mine[p];
                mine[p] = before + x;
                x -= mine[p] - before;
            }
            mine[LAST] += x;
        }
    }
}

/*
 * Adds `x` to the warp's record `mine`. Only lane 0 calls this function. If the units of the two are too far apart,
 * moves the record's sum to the digits, replaces it with `x` and returns true.
 */
static __device__ __noinline__ bool record_more(record *mine, record x, long long *digits)
{
    record sum = *mine;
    record_carry(&sum);
    record_carry(&x);
    const bool joined = record_join(&sum, x);
    if (!joined) {
        record_to_digits(digits, sum);
        sum = x;
    }
    *mine = sum;
    return !joined;
}

/* Adds the warp's sums to its record in shared memory. */
static __device__ __forceinline__ void gather_flush(gathered *g, record *mine, long long *digits)
{
    record r;
    long long part = 0;
    if (g->tiles == 0)
        return;
#pragma unroll
    for (int p = 0; p < PARTS; p++) {
#pragma unroll
        for (int c = 0; c < CHAINS; c++)
            part += bits_of(g->sums[c][p]) - bits_of(shifter_of(g->unit + GAP * p, c));
#pragma unroll
        for (int i = 2 * p; i < 2 * p + 2; i++) {
            r.pieces[i] = __reduce_add_sync(0xffffffffu, (unsigned)part & ((1u << piece_bits(i)) - 1));
            part >>= piece_bits(i);
        }
    }
    r.pieces[PIECES - 1] = __reduce_add_sync(0xffffffffu, (unsigned)part);
    r.unit = (short)g->unit;
    r.about = 0;
    if (threadIdx.x % 32 == 0) {
        if (__builtin_expect(g->kept, 0))
            g->about |= record_more(mine, r, digits) ? HAS_DIGITS : 0;
        else
            *mine = r;
    }
    __syncwarp();
    g->kept = true;
}

/* Returns, in all lanes, the sum of the lanes' x. */
static __device__ __forceinline__ long long warp_total(long long x)
{
    const unsigned mask = (1u << 24) - 1;
    const unsigned low = __reduce_add_sync(0xffffffffu, (unsigned)x & mask);
    const unsigned middle = __reduce_add_sync(0xffffffffu, (unsigned)((digit)x >> 24) & mask);
    const int high = (int)__reduce_add_sync(0xffffffffu, (unsigned)(x >> 48));
    return (long long)(((digit)(long long)high << 48) + ((digit)middle << 24) + low);
}

/*
 * Adds a tile of elements below 2^top, whatever their exponents, to the warp's digits: one 48-bit window of each
 * element at a time, until nothing is left. The constant that rounds to a window must be finite, so large elements
 * are multiplied by 2^-32, which is exact.
 */
static __device__ __noinline__ void windows_gather(long long *digits, const uint4 *tile, int top)
{
    enum { MOST = 16 / PACK_COUNT, GROUP = LOADS < MOST ? LOADS : MOST, COUNT = GROUP * PACK_COUNT };
#pragma unroll 1
    for (int first = 0; first < LOADS; first += GROUP) {
        double x[COUNT];
        bool left = true;
#pragma unroll
        for (int i = 0; i < GROUP; i++) {
            unsigned words[PACK_WORDS] = {};
            if (LOADS % GROUP == 0 || first + i < LOADS)
                pack_read(tile, first + i, words);
#pragma unroll
            for (int e = 0; e < PACK_COUNT; e++)
                x[i * PACK_COUNT + e] = double_at(words, e);
        }
#pragma unroll 1
        for (int k = top - 46; left; k -= 48) {
            k = k > LOWEST ? k : LOWEST;
            const int scaled = k > 960 ? 32 : 0;
            const double scale = power_of_two(-scaled), back = -power_of_two(scaled);
            double sums[CHAINS];
            long long total = 0;
            digit any = 0;
#pragma unroll
            for (int c = 0; c < CHAINS; c++)
                sums[c] = shifter_of(k - scaled, c);
#pragma unroll
            for (int e = 0; e < COUNT; e++) {
                const double before = sums[e % CHAINS];
                sums[e % CHAINS] = __fma_rn(x[e], scale, before);
                x[e] = __fma_rn(sums[e % CHAINS] - before, back, x[e]);
                any |= (digit)bits_of(x[e]);
            }
#pragma unroll
            for (int c = 0; c < CHAINS; c++)
                total += bits_of(sums[c]) - bits_of(shifter_of(k - scaled, c));
            digits_add(digits, warp_total(total), k);
            left = __any_sync(0xffffffffu, any << 1 != 0);
        }
    }
}

/*
 * Returns the unit for elements below 2^top that are multiples of 2^lowest. If `lowest` allows it, the unit is larger
 * than necessary, so that it still fits if the next tile has larger elements.
 */
static __device__ __forceinline__ int unit_for(int top, int lowest)
{
    const int unit = ((top + 8192 + UNITS - 1) & ~(UNITS - 1)) - 8192 - SPAN, above = unit + UNITS;
    const bool room = lowest >= above && (lowest >= above + GAP || lowest < unit + GAP);
    const int found = room ? above : unit;
    return found > LOWEST ? found : LOWEST;
}

/*
 * Handles a tile that does not fit the warp's unit: either changes the unit so that the tile fits and returns true,
 * or handles the tile in another way and returns false. `k.smallest` is the smallest key of the nonzero elements.
 */
template <class TILE>
static __device__ __forceinline__ bool gather_fit(gathered *g, record *mine, long long *digits, const TILE &tile, const keys &k)
{
    const unsigned largest = warp_max(k.largest), smallest = warp_min(k.smallest);
    if (__builtin_expect(largest == 0, 0))
        return false;
    if (__builtin_expect(largest >= KEY_SPECIAL, 0)) {
        g->about |= about_of(tile.shared());
        return false;
    }
    int unit = LOWEST;
    bool windows = false;
    if (PARTS > 1) {
        const int top = top_of(largest), lowest = lowest_of(smallest);
        unit = unit_for(top, lowest);
        windows = lowest < unit || (SIGNIFICAND == 53 && top > 960);
        if (__builtin_expect(windows, 0)) {
            windows_gather(digits, tile.shared(), top);
            g->about |= HAS_DIGITS;
            return false;
        }
    }
    if (largest >= g->top || smallest < g->low || g->tiles >= (1 << ADDED) / (LOADS * PACK_COUNT / CHAINS)) {
        gather_flush(g, mine, digits);
        gather_at(g, unit);
    }
    return true;
}

/* Adds a tile that fits the warp's unit to the sums. */
template <class TILE>
static __device__ __forceinline__ void gather_fitting(gathered *g, const TILE &tile, unsigned smallest)
{
    g->tiles++;
    if (PARTS == 1)
        parts_take<0>(g, tile);
    else if (__all_sync(0xffffffffu, smallest >= g->next))
        parts_take<PARTS == 1 ? 0 : 1>(g, tile);
    else
        parts_take<0>(g, tile);
}

/* Adds a tile that does not fit the warp's unit. A separate function keeps its registers out of the callers. */
static __device__ __noinline__ gathered gather_other(gathered g, record *mine, long long *digits, const uint4 *at, keys k)
{
    const shared_tile tile = {at};
    if (gather_fit(&g, mine, digits, tile, k))
        gather_fitting(&g, tile, k.smallest);
    return g;
}

/* Returns whether this lane's elements, which have these keys, fit the warp's unit. */
static __device__ __forceinline__ bool fits(const gathered *g, const keys &k)
{
    return k.largest < g->top && k.smallest >= g->low && g->tiles < (1 << ADDED) / (LOADS * PACK_COUNT / CHAINS);
}

/* Adds a warp's tile to `g`, or to `mine` and `digits` if it does not fit the warp's unit. Zeros fit every unit. */
template <class TILE>
static __device__ __forceinline__ void gather(gathered *g, record *mine, long long *digits, const TILE &tile)
{
    keys k = keys_of(tile);
    unsigned about = HAS_OTHER;
    bool all_fit = __all_sync(0xffffffffu, fits(g, k));
    if (__builtin_expect(!all_fit, 0)) { /* possibly just because a zero has the smallest key */
        about = keys_without_zeros(&k, tile);
        all_fit = __all_sync(0xffffffffu, fits(g, k));
    }
    g->about |= about;
    if (__builtin_expect(all_fit, 1))
        gather_fitting(g, tile, k.smallest);
    else
        *g = gather_other(*g, mine, digits, tile.shared(), k);
}

#endif
