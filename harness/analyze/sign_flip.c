/* Implements sign_flip.h, which states the rules and their sources. */
#include "analyze/sign_flip.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/statistics.h"

#define WAYS_MAX ((size_t)1 << SIGN_FLIP_EXACT_MAX)

/*
 * Returns the next random number. See Steele, Lea & Flood, Fast splittable pseudorandom number
 * generators, 2014.
 */
static uint64_t splitmix64(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* The two sums whose quotient is a weighted mean. */
struct part {
    double sum, weight; /* the sum of values times weights, and the sum of weights */
};

/* Computes the mean of each nonempty subset. Value i is in the subset if bit i of `set` is 1. */
static void means_of_all_subsets(const struct part *values, size_t count, double *means)
{
    for (size_t set = 1; set < (size_t)1 << count; set++) {
        struct part taken = {0, 0};
        for (size_t i = 0; i < count; i++)
            if (set >> i & 1) {
                taken.sum += values[i].sum;
                taken.weight += values[i].weight;
            }
        means[set - 1] = taken.sum / taken.weight;
    }
}

/*
 * For every four neighboring values, the sums of all 16 subsets of the four. With these sums, a
 * random subset of all values takes only a quarter of the additions, and no branch depends on a
 * random bit. Values past the end are 0.
 */
struct fours {
    struct part (*parts)[16];
    size_t count;
};

static struct fours sums_of_fours(const struct part *values, size_t count)
{
    struct fours f = {.count = (count + 3) / 4};
    f.parts = xcalloc(f.count, sizeof *f.parts);
    for (size_t i = 0; i < f.count; i++)
        for (size_t set = 0; set < 16; set++)
            for (size_t k = 0; k < 4 && 4 * i + k < count; k++)
                if (set >> k & 1) {
                    f.parts[i][set].sum += values[4 * i + k].sum;
                    f.parts[i][set].weight += values[4 * i + k].weight;
                }
    return f;
}

/* Returns random bits for the values from `first` on. Bits past the last value are 0. */
static uint64_t bits_of(uint64_t random, size_t first, size_t count)
{
    return count - first >= 64 ? random : random & (((uint64_t)1 << (count - first)) - 1);
}

static double mean_of_random_subset(const struct fours *fours, size_t count, uint64_t *state)
{
    struct part taken = {0, 0};
    while (!(taken.weight > 0)) {
        for (size_t first = 0; first < count; first += 64) {
            uint64_t bits = bits_of(splitmix64(state), first, count);
            for (size_t i = first / 4; i < first / 4 + 16 && i < fours->count; i++, bits >>= 4) {
                taken.sum += fours->parts[i][bits & 15].sum;
                taken.weight += fours->parts[i][bits & 15].weight;
            }
        }
    }
    return taken.sum / taken.weight;
}

void sign_flips_make(const double *values, const double *weights, size_t count,
                     struct sign_flips *out)
{
    size_t ways = count <= SIGN_FLIP_EXACT_MAX ? (size_t)1 << count : WAYS_MAX;
    *out = (struct sign_flips){.values = count, .mean = NAN, .count = ways - 1};
    out->means = xmalloc(ways * sizeof *out->means);
    struct part *parts = xcalloc(count + 1, sizeof *parts), all = {0, 0};
    for (size_t i = 0; i < count; i++) {
        double weight = weights ? weights[i] : 1;
        parts[i] = (struct part){values[i] * weight, weight};
        all.sum += parts[i].sum;
        all.weight += parts[i].weight;
    }
    if (count > 0)
        out->mean = all.sum / all.weight;
    if (count <= SIGN_FLIP_EXACT_MAX) {
        means_of_all_subsets(parts, count, out->means);
    } else {
        uint64_t state = 1;
        struct fours fours = sums_of_fours(parts, count);
        for (size_t i = 0; i < out->count; i++)
            out->means[i] = mean_of_random_subset(&fours, count, &state);
        free(fours.parts);
    }
    free(parts);
    sort_numbers(out->means, out->count);
}

void sign_flips_free(struct sign_flips *flips)
{
    free(flips->means);
    memset(flips, 0, sizeof *flips);
}

double sign_flips_p(const struct sign_flips *flips, double at)
{
    if (flips->values == 0)
        return NAN;
    /*
     * The last bits of a sum depend on the order of its terms, so means that differ by less than
     * this count as equal.
     */
    double rounding =
        1e-12 * (fabs(at) + fabs(flips->means[0]) + fabs(flips->means[flips->count - 1]));
    size_t below = 0, above = 0;
    for (size_t i = 0; i < flips->count; i++) {
        below += flips->means[i] <= at + rounding;
        above += flips->means[i] >= at - rounding;
    }
    size_t fewer = below < above ? below : above;
    /* The 1 stands for the observed signs, which correspond to the empty subset. */
    return fmin(1, 2 * (double)(fewer + 1) / (double)(flips->count + 1));
}

void sign_flips_interval(const struct sign_flips *flips, double alpha, double *low, double *high)
{
    *low = *high = NAN;
    size_t outside = (size_t)floor(alpha / 2 * (double)(flips->count + 1));
    if (flips->values == 0 || outside == 0)
        return;
    *low = flips->means[outside - 1];
    *high = flips->means[flips->count - outside];
}
