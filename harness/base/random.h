/*
 * Random numbers from a seed with xorshift64* (Vigna, An experimental exploration of Marsaglia's
 * xorshift generators, 2016). The state must not be 0.
 */
#ifndef REDSWEEP_BASE_RANDOM_H
#define REDSWEEP_BASE_RANDOM_H

#include <stdint.h>

static inline uint64_t random_next(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545f4914f6cdd1dull;
}

#endif
