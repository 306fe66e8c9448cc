/* Passes timed pairs from an array to functions that ask for one pair at a time. */
#ifndef REDSWEEP_TESTS_ANALYZE_LISTED_PAIRS_H
#define REDSWEEP_TESTS_ANALYZE_LISTED_PAIRS_H

#include "analyze/problem_offset.h"

static inline struct timed_pair listed_pair(const void *list, size_t i)
{
    return ((const struct timed_pair *)list)[i];
}

static inline struct timed_pairs listed(const struct timed_pair *list, size_t count)
{
    return (struct timed_pairs){.count = count, .get = listed_pair, .context = list};
}

#endif
