/*
 * Declares the options of a sweep, and its result.
 */
#ifndef REDSWEEP_RUN_SWEEP_OPTIONS_H
#define REDSWEEP_RUN_SWEEP_OPTIONS_H

#include "base/error.h"
#include "record/outcome.h"
#include "run/worker.h"

struct manifest;

/* The two versions of the kernels that a gate compares. The catalogue combines them. */
struct sweep_gate {
    const char *kernels[2]; /* the absolute paths of the folders baseline and candidate */
    const uint64_t *only;   /* the ids of the points to measure, ascending; NULL: all points are
                               measured */
    size_t only_count;
};

struct sweep_options {
    struct run_setup setup;
    const char *const *devices; /* the device of each lane; if the count is 0, only
                                   setup.device_name is used */
    int device_count;
    const char *device_option;     /* the argument of --device; NULL: setup.device_name is used */
    const struct sweep_gate *gate; /* the gate, whose runs are OUT/baseline and OUT/candidate;
                                      NULL: a single run */
    const char *out;               /* the folder of the run; NULL: a new folder under results/ */
    const char *each;              /* for --each: the folder that contains this run's folder,
                                      whose name is the UUID of its device; otherwise NULL */
    int each_index;                /* the number in the name of the run's folder if its device
                                      has no UUID */
    const char *command;           /* the command line, which provenance records */
    const char *more_kernels;      /* the absolute path of --kernel-folder; NULL: there is none */
    /* Writes the page of a run so far. `first` is set if there is no page of this run yet. If
     * `page` is NULL, no page is written. */
    bool (*page)(const char *folder, bool first);
    bool locked;              /* the folder `out` exists, and the caller has locked it */
    struct manifest *earlier; /* the manifest of the run in `out`, which is resumed; its sessions
                                 are moved out of it. NULL: a new run */
    bool dry_run;             /* the plan is only printed, and nothing is run */
    bool quiet;               /* no progress, device or notes are printed to stderr */
    bool anyway;              /* the run is resumed even if something has changed since it began */
    bool retry[STATUS_COUNT]; /* for a resumed run: the statuses whose points are measured again */
};

struct sweep_result {
    char folder[4096]; /* the folder of the run; for a gate, the folder that contains both runs */
    uint64_t by_status[STATUS_COUNT];
    uint64_t rows;         /* the number of rows, including those of earlier sessions */
    uint64_t earlier_rows; /* the number of rows of earlier sessions */
    bool recorded;         /* the folder contains a run, even if sweep_run() failed later */
    bool stopped;          /* the run was stopped by a signal, or because the device kept failing */
    char stopped_why[512];
    bool page_written;          /* a page was written while the run was in progress */
    int lanes_lost;             /* the number of devices that were given up while others
                                   continued */
    char missing_metrics[8192]; /* the unavailable metrics, a line for each reason */
    char search[512];           /* what a search has found, and how certain this result is; "" for
                                   no search */
    /* why every point was skipped, if all were skipped for the same reason; otherwise "" */
    char skipped[256];
    char doubt[512];    /* why the run must not be trusted; "": it can be trusted */
    double drift_pct;   /* the change of the ceiling for reading during the run; NaN: unknown */
    struct error error; /* why the sweep could not begin or continue; ERROR_NONE: it could */
};

#endif
