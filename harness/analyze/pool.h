/*
 * Pools several runs of one version into one run. Each of these runs was measured by a different
 * process. A process has one context and its own placement of buffers, so its time for a problem
 * can be an outlier. Several processes are needed to show how much processes differ.
 *
 * A point's time is the mean of the trimmed means of the processes. If a process's samples did not
 * alternate between placements, its median is used instead. struct process_times contains all
 * numbers that a comparison needs about this time. diff.c computes standard errors from them.
 */
#ifndef REDSWEEP_ANALYZE_POOL_H
#define REDSWEEP_ANALYZE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/results.h"
#include "base/error.h"

/* These are the times of one row in µs, over all processes that have a time for it. */
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
 * Fills in the times of a row of a single run. Returns false if the row's samples did not alternate
 * between placements.
 */
bool process_times_of_placements(const struct results *r, size_t row, struct process_times *out);

/*
 * Turns runs[0] into the pool of `count` runs (at least one). The other runs do not change, except
 * that their manifests' sessions move to runs[0]. If a row is not ok in one of the runs, it gets
 * that run's status in the pool. If the bits of a row differ between runs, the pool states that
 * they vary. The error is ERROR_CONFIG if the runs are from two cards, or if a run is given twice.
 */
bool results_pool(struct results *runs, size_t count, bool across_cards, struct error *e);

#endif
