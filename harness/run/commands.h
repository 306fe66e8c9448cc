/*
 * Declarations shared by the commands that run a sweep.
 */
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

/* The request of `run`, `resume` and `gate`. */
struct sweep_request {
    const char *device, *out, *more_kernels; /* as the options of `run`; NULL: not given */
    const char *command;
    struct manifest *earlier;                     /* not NULL: resume the run in `out` */
    const struct sweep_gate *gate;                /* not NULL: two versions of the same kernels */
    void (*show)(const char *folder);             /* prints a run's results; NULL: not printed */
    bool (*page)(const char *folder, bool first); /* as in struct sweep_options */
    void (*end)(const char *folder, bool first);  /* writes it at the end, prints its path */
    void (*compare)(const char *const *folders, int count); /* for --each: prints differences */
    struct sweep_result *result; /* not NULL: filled if something was recorded */
    const char *points;          /* run: --points */
    const char *shard_option;    /* run: --shard */
    struct shard shard;          /* the part of the sweep to run; count 0: all of it */
    int lanes;                   /* limit on devices that work at the same time; 0: no limit */
    int requeue;                 /* run: how often a stopped task may requeue itself */
    int wait_lock_s;             /* how long to wait for another process that writes to `out` */
    bool locked;                 /* `out` exists, and the caller has locked it */
    bool each;                   /* run: every device measures everything */
    bool dry_run, require_metrics, anyway, quiet;
    bool retry[STATUS_COUNT]; /* resume: the statuses whose points are measured again */
};

/* Whether the request and the config fit together; if not, reports it before anything is made. */
bool run_allowed(const struct sweep_request *request, const struct config *config, struct error *e);

/* Runs a config and prints a summary; returns an exit code. */
int run_request(const struct sweep_request *request, const struct config *config, struct error *e);

#endif
