/*
 * A sweep while it runs: shared by the files of this room that make it up, and by nobody else.
 *
 *   sweep.c        from the plan to the last row: signals, folder, compiling, the loop over groups
 *   sweep_group.c  one group: what is sent, what comes back, whom a loss is blamed on
 */
#ifndef REDSWEEP_RUN_SWEEP_STATE_H
#define REDSWEEP_RUN_SWEEP_STATE_H

#include <limits.h>
#include <signal.h>

#include "run/progress.h"
#include "run/sweep.h"

/* What has come in for a point that is not recorded yet. */
struct pending {
    double *samples;
    size_t sample_count, sample_capacity;
    double *metrics; /* NULL: none came */
    bool recorded;
};

struct sweep {
    const struct sweep_options *options;
    struct sweep_result *result;
    struct supervisor supervisor;
    struct plan *plan;
    struct metric_plan metrics;
    struct provenance provenance;
    struct conditions conditions;
    struct text earlier_conditions; /* of the sessions before this one */
    char config_path[PATH_MAX];     /* absolute */
    struct record *record;
    bool *recorded; /* by point: its row is there from an earlier session; NULL: no row is */
    uint64_t recorded_count;
    const char *mark; /* put before the reasons of all rows; "" for nothing */
    struct progress progress;
    struct pending *pending; /* of the group at hand, by position in the group */
    uint32_t group;
    uint32_t begun; /* the point that the worker is at; POINT_BATCH: none in particular */
    int lost_in_a_row;
    double waiting_since_s; /* rows wait to be put on disk; 0: none does */
    int lock;
};

/* The signal that asked the sweep to end; 0: none did. */
extern volatile sig_atomic_t sweep_stop_signal;

enum { SWEEP_SLICE_MS = 200 }; /* how soon a signal is noticed, at the latest */

/*
 * Runs the points of group `s->group` that have no row yet. False when nothing can be recorded any
 * more; a device that keeps failing sets result->stopped.
 */
bool sweep_run_group(struct sweep *s, struct error *e);

/* Starts a worker (supervisor.h) and notes what its device's context is like. */
bool sweep_start_worker(struct sweep *s, struct error *e);

/* Puts the rows that wait on disk. */
bool sweep_flush(struct sweep *s, struct error *e);

#endif
