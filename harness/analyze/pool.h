/*
 * Pools several runs of one version into one run. Each of these runs was measured by a different
 * process. A process has one placement of its buffers and one context, and its time for one problem
 * may be an outlier. Only several processes show how much processes differ.
 *
 * A point's time is the mean over processes of each process's trimmed mean. If a process's samples
 * did not alternate between placements, its median is used instead. struct process_times contains
 * every number about this time that a comparison needs, and diff.c computes standard errors from
 * it.
 */
#ifndef REDSWEEP_ANALYZE_POOL_H
#define REDSWEEP_ANALYZE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/results.h"
#include "base/error.h"

/* These are the times of one row in µs, over the processes that have a time. */
struct process_times {
    uint32_t processes;
    double us, median; /* the means over processes */
    double variance;   /* the variance of `us`, from samples and placements within each process */
    /* the degrees of freedom of `variance`; infinite if samples did not alternate */
    double freedom;
    double shared;     /* the part of `variance` that a kernel's points in one process share */
    double deviations; /* the sum over processes of (time − us)² */
    double shortest, longest; /* the shortest and the longest of the processes' times */
};

/*
 * Fills in the times of a single run's row. Returns false if its samples did not alternate between
 * placements.
 */
bool process_times_of_placements(const struct results *r, size_t row, struct process_times *out);

/*
 * Turns runs[0] into the pool of `count` runs (at least one). The other runs are unchanged, except
 * that their manifests' sessions move to runs[0]. A row that is not ok in one of the runs has that
 * run's status in the pool. If bits differ between runs, the pool's bits vary. The error is
 * ERROR_CONFIG if the runs are from two cards, or if a run is given twice.
 */
bool results_pool(struct results *runs, size_t count, bool across_cards, struct error *e);

#endif
