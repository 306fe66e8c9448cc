/*
 * Comparing two runs with the usual options, and looking up what was found.
 */
#ifndef REDSWEEP_TESTS_COMPARE_DIFF_FIXTURE_H
#define REDSWEEP_TESTS_COMPARE_DIFF_FIXTURE_H

#include "compare/diff.h"

#include "fixture.h"

static const struct diff_options usual = {.least_effect = 0.01, .rate = 0.05};

static inline struct diff compare(const struct results *a, const struct results *b)
{
    struct diff d;
    static struct error e;
    if (!diff_runs(a, b, &usual, &d, &e))
        fail_msg("%s", e.text);
    return d;
}

/* What was found about a kernel's pair. */
static inline const struct point_diff *point_of(const struct diff *d, const char *kernel)
{
    for (size_t i = 0; i < d->match.pair_count; i++)
        if (strcmp(results_text(d->a, d->match.pairs[i].a, "kernel"), kernel) == 0)
            return &d->points[i];
    fail_msg("no pair of %s", kernel);
    return NULL;
}

#endif
