/*
 * Pools several runs of the same version of the kernels into one run. Each run was measured by its
 * own process. A process has its own CUDA context and puts its buffers at other addresses than the
 * next process, so its times for a problem can be outliers. Only several processes show how much
 * processes differ.
 *
 * In most runs, samples alternate between several placements, which are sets of buffers at
 * different addresses (docs/measuring.md). A point's time in the pool is the mean over the
 * processes of their trimmed means. For a process whose samples did not alternate, the median
 * replaces the trimmed mean. struct process_times has what diff.c needs to compute standard errors.
 */
#ifndef REDSWEEP_ANALYZE_POOL_H
#define REDSWEEP_ANALYZE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/results.h"
#include "base/error.h"

/* The times of one row in µs, combined over all processes that timed it. */
struct process_times {
    uint32_t processes;
    double us, median; /* the means over processes of the trimmed mean and of the median */
    double variance;   /* of `us`, from the samples and placements within each process */
    /* degrees of freedom of `variance`; infinite if samples did not alternate */
    double freedom;
    /* the part of `variance` that all of a kernel's points in one process have in common */
    double shared;
    double deviations;        /* the sum over processes of (time − us)² */
    double shortest, longest; /* the extremes of the times of the processes */
};

/*
 * Fills in the times of a row in a single run. Returns false if the row's samples did not alternate
 * between placements.
 */
bool process_times_of_placements(const struct results *r, size_t row, struct process_times *out);

/*
 * Turns runs[0] into the pool of `count` runs (at least one). The other runs stay as they are,
 * except that their manifests' sessions move to runs[0]. A row that is not ok in one of the runs
 * gets the status that it has there. If a row's bits differ between runs, its cell `bits` becomes
 * "varies". Fails with ERROR_CONFIG if the runs are from two cards, or if a run is given twice.
 */
bool results_pool(struct results *runs, size_t count, bool across_cards, struct error *e);

#endif
