/*
 * Makes one run of several runs of one thing, each measured by a different process. A process has one
 * placement of its buffers and one context, and may deviate at one problem; only several processes
 * show how much processes differ.
 *
 * A point's time is the mean over processes of each one's trimmed mean (or of its median, if its
 * samples did not alternate between placements). struct process_times has every number about this time
 * that a comparison needs; diff.c computes standard errors from it.
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
    double variance;   /* variance of us, from samples and placements within each process */
    double freedom;    /* degrees of freedom of `variance`; infinite if samples did not alternate */
    double shared;     /* the part of it that a kernel's points in one process share */
    double deviations; /* sum over processes of (time − us)² */
    double shortest, longest; /* the shortest and the longest of the processes' times */
};

/* Fills the times of a single run's row; returns false if samples did not alternate between placements. */
bool process_times_of_placements(const struct results *r, size_t row, struct process_times *out);

/*
 * Makes runs[0] the pool of `count` runs (at least one), and leaves the others unchanged, apart from
 * their manifests' sessions, which move to runs[0]. A row that is not ok in one of the runs has that
 * run's status in the pool; if bits differ between runs, the pool's bits vary. ERROR_CONFIG for runs on
 * two cards, and for a run that is given twice.
 */
bool results_pool(struct results *runs, size_t count, bool across_cards, struct error *e);

#endif
