/* The request with which `run`, `resume` and `gate` run a sweep. */
#ifndef REDSWEEP_RUN_COMMANDS_H
#define REDSWEEP_RUN_COMMANDS_H

#include "base/command.h"
#include "plan/shards.h"
#include "record/outcome.h"

struct catalogue;
struct config;
struct manifest;
struct sweep_gate;
struct sweep_result;

/* A request to run a sweep, made from the options of `run`, `resume` or `gate`. */
struct sweep_request {
    const char *device, *out, *more_kernels; /* options of `run`; NULL: the option was not given */
    const char *command;
    struct manifest *earlier;                     /* the manifest of the run in `out` to resume;
                                                     NULL: a new run */
    const struct sweep_gate *gate;                /* the two versions of the kernels; NULL: not a
                                                     gate */
    void (*show)(const char *folder);             /* prints the results of the run in a folder; may
                                                     be NULL */
    bool (*page)(const char *folder, bool first); /* writes the run's HTML page, as in struct
                                                     sweep_options */
    void (*end)(const char *folder, bool first);  /* writes the HTML page when the run has ended,
                                                     and prints the page's path */
    void (*compare)(const char *const *folders, int count); /* for --each: prints how the runs
                                                               differ */
    struct sweep_result *result; /* receives the result if something was recorded; may be NULL */
    const char *points;          /* for `run`: the argument of --points */
    const char *shard_option;    /* for `run`: the argument of --shard */
    struct shard shard;          /* the part of the sweep to run; count 0: the whole sweep */
    int lanes;                   /* at most this many devices work at the same time; 0: no limit */
    int requeue;                 /* for `run`: how often a stopped Slurm task may requeue itself */
    int wait_lock_s;             /* how long to wait for another process that writes to `out` */
    bool locked;                 /* the folder `out` exists, and the caller has locked it */
    bool each;                   /* for `run`: every device measures the whole sweep */
    bool dry_run, require_metrics, anyway, quiet;
    bool retry[STATUS_COUNT]; /* for `resume`: measure points with these statuses again */
};

/* Checks, before any file is written, that the options in `request` can be used with `config`. */
bool run_allowed(const struct sweep_request *request, const struct config *config, struct error *e);

/* Runs the sweep that `config` describes, prints a summary, and returns the exit code. */
int run_request(const struct sweep_request *request, const struct config *config, struct error *e);

#endif
