/* The options of a sweep, and its result. */
#ifndef REDSWEEP_RUN_SWEEP_OPTIONS_H
#define REDSWEEP_RUN_SWEEP_OPTIONS_H

#include "base/error.h"
#include "record/outcome.h"
#include "run/worker.h"

struct manifest;

/*
 * The two versions of the kernels that a gate compares. The sweep's catalogue contains the kernels
 * of both.
 */
struct sweep_gate {
    const char *kernels[2]; /* the absolute paths of the folders baseline and candidate */
    const uint64_t *only;   /* ids of the points to measure, ascending; NULL: all points */
    size_t only_count;
};

struct sweep_options {
    struct run_setup setup;
    const char *const *devices; /* the device of each lane; if device_count is 0, there is
                                   one lane, with setup.device_name */
    int device_count;
    const char *device_option;     /* the argument of --device; NULL: setup.device_name */
    const struct sweep_gate *gate; /* runs OUT/baseline and OUT/candidate; NULL: a single run */
    const char *out;               /* the folder of the run; NULL: a new folder under results/ */
    const char *each;              /* for --each: the folder that will contain this run's folder,
                                      whose name is the device's UUID; otherwise NULL */
    int each_index;                /* the number in the name of the run's folder if the device has
                                      no UUID */
    const char *command;           /* the command line, for the provenance */
    const char *more_kernels;      /* absolute path of --kernel-folder, or NULL */
    /*
     * Writes the HTML page of the run in a folder. `first` is true if no page was written before.
     * May be NULL.
     */
    bool (*page)(const char *folder, bool first);
    bool locked;              /* the folder `out` exists, and the caller has locked it */
    struct manifest *earlier; /* the manifest of the run to resume, which is in `out`; the sweep
                                 moves the sessions out of it. NULL: a new run */
    bool dry_run;             /* print the plan and run nothing */
    bool quiet;               /* do not print progress, devices and notes to stderr */
    bool anyway;              /* resume the run even if something has changed since it began */
    bool retry[STATUS_COUNT]; /* if a run is resumed: measure points with these statuses again */
};

struct sweep_result {
    char folder[4096]; /* the folder of the run, or of both runs of a gate */
    uint64_t by_status[STATUS_COUNT];
    uint64_t rows;         /* the rows of the run, including those of earlier sessions */
    uint64_t earlier_rows; /* the rows from earlier sessions */
    bool recorded;         /* the folder contains the run, even if sweep_run() failed later */
    bool stopped;          /* the run was stopped by a signal, or because the device kept failing */
    char stopped_why[512];
    bool page_written;          /* a page was written while the run was in progress */
    int lanes_lost;             /* how many devices were given up while others continued */
    char missing_metrics[8192]; /* which metrics are missing, one line per reason */
    char search[512];           /* a summary of what the search found, and how certain that is; ""
                                   without a search */
    /* why all points were skipped, if there is a single reason; otherwise "" */
    char skipped[256];
    char doubt[512];    /* why the run cannot be trusted; "": it can */
    double drift_pct;   /* the change of the achievable read bandwidth during the run; NaN:
                           unknown */
    struct error error; /* why the sweep could not begin or continue, or ERROR_NONE */
};

#endif
