/*
 * Several runs of one thing, each a process of its own, as one run. A process has one placement of
 * its words and one context, and may stand apart at one problem; what processes differ by is only
 * known from several of them.
 *
 * A point's time is the mean over processes of each one's trimmed mean (of its median where its
 * samples did not alternate between placements). Every number about it that a comparison needs is in
 * struct process_times; diff.c makes standard errors of it.
 */
#ifndef REDSWEEP_ANALYZE_POOL_H
#define REDSWEEP_ANALYZE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/results.h"
#include "base/error.h"

/* The times of one row, over the processes that have one; µs. */
struct process_times {
    uint32_t processes;
    double us, median; /* means over processes */
    double variance;   /* of us, by what samples and placements differ by within each process */
    double freedom;    /* of that variance; infinite where samples did not alternate */
    double shared;     /* the part of it that a kernel's points of a process have in common */
    double deviations; /* sum over processes of (time − us)² */
    double shortest, longest; /* of the processes' times */
};

/* Of one run: false where samples did not alternate between placements. */
bool process_times_of_placements(const struct results *r, size_t row, struct process_times *out);

/*
 * Makes runs[0] the pool of `count` runs (at least one) and leaves the others as they are, apart
 * from their manifests' sessions, which go to runs[0]. A row that is not ok in one of them, or whose
 * launches there gave other bits, is so in the pool. ERROR_CONFIG for two cards, and for a run that
 * is there twice.
 */
bool results_pool(struct results *runs, size_t count, bool across_cards, struct error *e);

#endif
