/*
 * The options of a sweep, and its result.
 */
#ifndef REDSWEEP_RUN_SWEEP_OPTIONS_H
#define REDSWEEP_RUN_SWEEP_OPTIONS_H

#include "base/error.h"
#include "record/outcome.h"
#include "run/worker.h"

struct manifest;

/* A gate: two versions of the same kernels, which the catalogue has combined. */
struct sweep_gate {
    const char *kernels[2]; /* their folders, absolute: baseline, candidate */
    const uint64_t *only;   /* ids of the points to measure, ascending; NULL: all */
    size_t only_count;
};

struct sweep_options {
    struct run_setup setup;
    const char *const *devices; /* a lane for each; count 0: only setup.device_name */
    int device_count;
    const char *device_option;     /* the argument of --device; NULL: setup.device_name */
    const struct sweep_gate *gate; /* NULL: one run. Its two are OUT/baseline, OUT/candidate */
    const char *out;               /* folder, NULL: a new one under results/ */
    const char *each;              /* run --each: the folder in which this run's folder is named by
                                      its device's UUID; NULL: no such run */
    int each_index;                /* … or, if the device has none, by this number */
    const char *command;           /* the command line, for provenance */
    const char *more_kernels;      /* --kernel-folder, absolute; NULL: none */
    /* Writes the page of a run so far; `first`: there is no page of it yet. NULL: nothing does. */
    bool (*page)(const char *folder, bool first);
    bool locked;              /* `out` exists, and the caller has locked it */
    struct manifest *earlier; /* not NULL: resume the run in `out`, whose sessions are moved out */
    bool dry_run;             /* print the plan, run nothing */
    bool quiet;               /* no progress, device and notes on stderr */
    bool anyway;              /* … even if something has changed since */
    bool retry[STATUS_COUNT]; /* … and measure the points with these statuses again */
};

struct sweep_result {
    char folder[4096]; /* of the run; for a gate, the folder of both runs */
    uint64_t by_status[STATUS_COUNT];
    uint64_t rows;         /* including those of earlier sessions … */
    uint64_t earlier_rows; /* … whose number is this */
    bool recorded;         /* the folder has a run, even if sweep_run() failed later */
    bool stopped;          /* by a signal, or because the device kept failing */
    char stopped_why[512];
    bool page_written;          /* while the run was in progress */
    int lanes_lost;             /* devices that were given up while others continued */
    char missing_metrics[8192]; /* unavailable metrics with their reasons, a line for each reason */
    char search[512];           /* how sure a search by transfer is; "" for none */
    char skipped[256];          /* why every point was skipped, if all have the same reason; "" */
    char doubt[512];            /* a self-check that failed; "" for none */
    double drift_pct; /* of the reading ceiling from the run's beginning to its end; NaN: unknown */
    struct error error; /* why it could not begin or continue; ERROR_NONE: it could */
};

#endif
