/*
 * Random numbers from splitmix64 (Steele, Lea and Flood, Fast splittable generators, OOPSLA 2014).
 * The caller stores the state of the generator, which may have any initial value. From the same
 * initial value, the numbers are the same on every machine.
 */
#ifndef REDSWEEP_TESTS_RANDOM_H
#define REDSWEEP_TESTS_RANDOM_H

#include <math.h>
#include <stdint.h>

static inline uint64_t random_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Returns a uniformly distributed number between 0 and 1, both excluded. */
static inline double random_uniform(uint64_t *state)
{
    return ((double)(random_bits(state) >> 11) + 0.5) / 9007199254740992.0;
}

/* Returns a normally distributed number (Box and Muller, 1958). */
static inline double random_normal(uint64_t *state)
{
    double radius = sqrt(-2 * log(random_uniform(state)));
    return radius * cos(2 * M_PI * random_uniform(state));
}

#endif
