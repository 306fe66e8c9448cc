/*
 * Implements coalesce.h, which explains the rules.
 */
#include "devices/sim/counts/coalesce.h"

enum {
    BANKS = 32,
    /* the bytes that a wavefront delivers if all lanes load from the same address */
    UNIFORM_BYTES = 256
};

/* Does the same as coalesce_pieces(), but for addresses in any order. Segments that have been
 * counted are in a small hash table with open addressing. */
static unsigned distinct(const uint64_t *address, uint32_t exec, unsigned bytes, unsigned shift)
{
    enum { SLOTS = 1024 };
    uint64_t table[SLOTS];
    uint8_t used[SLOTS / 8] = {0};
    unsigned count = 0;
    for (uint32_t rest = exec; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        uint64_t last = (address[lane] + bytes - 1) >> shift;
        for (uint64_t piece = address[lane] >> shift; piece <= last; piece++) {
            unsigned at = (unsigned)((piece * 0x9e3779b97f4a7c15ull) >> 54);
            while ((used[at / 8] >> (at % 8) & 1) && table[at] != piece)
                at = (at + 1) % SLOTS;
            if (used[at / 8] >> (at % 8) & 1)
                continue;
            used[at / 8] |= (uint8_t)(1 << at % 8);
            table[at] = piece;
            count++;
        }
    }
    return count;
}

unsigned coalesce_pieces(const uint64_t *address, uint32_t exec, unsigned bytes, unsigned shift)
{
    /* This loop assumes that addresses increase from lane to lane, as they nearly always do. If
     * not, distinct() does the work. */
    uint64_t next = 0; /* all segments below this one have been counted or are not accessed */
    unsigned count = 0;
    for (uint32_t rest = exec; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        uint64_t first = address[lane] >> shift, last = (address[lane] + bytes - 1) >> shift;
        if (last + 1 < next || (first + 1 < next))
            return distinct(address, exec, bytes, shift);
        if (first < next)
            first = next;
        if (last + 1 > first)
            count += (unsigned)(last + 1 - first);
        if (last + 1 > next)
            next = last + 1;
    }
    return count;
}

/* Returns how many wavefronts a group of lanes takes: the number of different words in the bank
 * that has the most of them. `words` is the number of words per lane. */
static unsigned group_wavefronts(const uint64_t *address, uint32_t exec, unsigned words)
{
    /* a group has at most 32 words: 32 lanes with 1, 16 with 2, or 8 with 4 */
    uint64_t word_of[BANKS][BANKS * 4];
    unsigned in_bank[BANKS] = {0}, max = 0;
    for (uint32_t rest = exec; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        for (unsigned k = 0; k < words; k++) {
            uint64_t word = address[lane] / 4 + k;
            unsigned bank = (unsigned)(word % BANKS), at = 0;
            while (at < in_bank[bank] && word_of[bank][at] != word)
                at++;
            if (at < in_bank[bank])
                continue;
            word_of[bank][in_bank[bank]++] = word;
            if (in_bank[bank] > max)
                max = in_bank[bank];
        }
    }
    return max;
}

/* Returns how many lanes form a group for accesses of `bytes` bytes per lane. */
static unsigned group_lanes(unsigned bytes)
{
    unsigned words = bytes <= 4 ? 1 : bytes / 4;
    return 32 / (words > 8 ? 8 : words);
}

static uint32_t group_mask(unsigned lanes)
{
    return lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
}

/*
 * Returns whether every executing lane has the same address as its neighbor, which is the lane with
 * its number xor `by`. If a neighbor does not execute, `idle_agrees` takes the place of the
 * comparison.
 */
static bool neighbours_agree(const uint64_t *address, uint32_t exec, unsigned by, bool idle_agrees)
{
    for (uint32_t rest = exec; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest), other = lane ^ by;
        if (exec >> other & 1 ? address[other] != address[lane] : !idle_agrees)
            return false;
    }
    return true;
}

/*
 * Returns whether two neighboring groups of a load may be served together. `pair` is the mask of
 * their executing lanes, and `exec` that of all executing lanes.
 */
static bool pair_agrees(const uint64_t *address, uint32_t exec, uint32_t pair, unsigned bytes)
{
    bool odd_half = bytes == 16 && pair & 0xffff; /* an exception: see coalesce.h */
    if (odd_half && !(exec >> 31))
        return true;
    return neighbours_agree(address, pair, 1, !odd_half) ||
           neighbours_agree(address, pair, 2, !odd_half);
}

static bool one_address(const uint64_t *address, uint32_t exec)
{
    uint64_t different = 0;
    for (uint32_t rest = exec; rest; rest &= rest - 1)
        different |= address[__builtin_ctz(rest)] ^ address[__builtin_ctz(exec)];
    return exec && !different;
}

unsigned coalesce_wavefronts(const uint64_t *address, uint32_t exec, unsigned bytes, bool load)
{
    if (load && bytes > 4 && one_address(address, exec))
        return ((unsigned)__builtin_popcount(exec) * bytes + UNIFORM_BYTES - 1) / UNIFORM_BYTES;
    unsigned lanes = group_lanes(bytes), count = 0, words = bytes <= 4 ? 1 : bytes / 4;
    unsigned step = load && lanes < 32 ? 2 * lanes : lanes; /* two groups may be served together */
    for (unsigned first = 0; first < 32; first += step) {
        uint32_t pair = exec & group_mask(step) << first;
        if (!pair)
            continue;
        uint32_t low = pair & group_mask(lanes) << first, high = pair & ~low;
        if (low && high && pair_agrees(address, exec, pair, bytes) &&
            group_wavefronts(address, pair, words) == 1)
            count++;
        else
            count += group_wavefronts(address, low, words) + group_wavefronts(address, high, words);
    }
    return count;
}

unsigned coalesce_min_wavefronts(uint32_t exec, unsigned bytes, bool load)
{
    if (load) {
        unsigned words = (unsigned)__builtin_popcount(exec) * (bytes <= 4 ? 1 : bytes / 4);
        return (words + BANKS - 1) / BANKS;
    }
    unsigned lanes = group_lanes(bytes), count = 0;
    uint32_t group = group_mask(lanes);
    for (unsigned first = 0; first < 32; first += lanes)
        count += (exec & group << first) != 0;
    return count;
}
