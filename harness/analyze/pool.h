/*
 * Pools several runs of one version, each measured by a different process, into one run. A process
 * has its own context and buffer placement, which can make its time for a problem an outlier. Only
 * several processes show how much processes differ.
 *
 * A point's time is the mean of the processes' trimmed means, or of their medians where samples did
 * not alternate between placements. struct process_times has what diff.c needs to compute standard
 * errors.
 */
#ifndef REDSWEEP_ANALYZE_POOL_H
#define REDSWEEP_ANALYZE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/results.h"
#include "base/error.h"

/* The times of one row in µs, over all processes that have a time for it. */
struct process_times {
    uint32_t processes;
    double us, median; /* the means over processes */
    double variance;   /* of `us`, from samples and placements within each process */
    /* degrees of freedom of `variance`; infinite if samples did not alternate */
    double freedom;
    double shared;     /* the part of `variance` that a kernel's points in one process share */
    double deviations; /* the sum over processes of (time − us)² */
    double shortest, longest; /* over the processes */
};

/*
 * Fills in the times of a row in a single run. Returns false if the row's samples did not alternate
 * between placements.
 */
bool process_times_of_placements(const struct results *r, size_t row, struct process_times *out);

/*
 * Turns runs[0] into the pool of `count` runs (at least one). The other runs stay as they are,
 * except that their manifests' sessions move to runs[0]. A row that is not ok in one of the runs
 * gets that run's status. If a row's bits differ between runs, the pool says that they vary. Fails
 * with ERROR_CONFIG if the runs are from two cards, or if a run is given twice.
 */
bool results_pool(struct results *runs, size_t count, bool across_cards, struct error *e);

#endif
