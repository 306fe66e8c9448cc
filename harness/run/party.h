/*
 * Runs of several devices at the same time, `redsweep run --each`: each is an ordinary run in a
 * process and a folder of its own, and they meet where one must not disturb another.
 */
#ifndef REDSWEEP_RUN_PARTY_H
#define REDSWEEP_RUN_PARTY_H

#include "run/commands.h"

/* Where a run of a party waits until it may go on. */
enum party_stage {
    PARTY_COMPILED, /* all wait for the last one; then one at a time goes on, until it is … */
    PARTY_ALONE,    /* … here: its ceilings are measured. All go on together */
    PARTY_MEASURED, /* all wait for the last one; then one at a time measures its last ceilings */
    PARTY_STAGES
};

/* A run's end of the party. NULL: it is alone. */
struct party {
    const char *folder; /* of all runs; this one's is the folder of its device's UUID in it */
    int index;          /* of the device, and its folder where it has no UUID */
    int to_host, from_host;
    int most; /* runs at the same time */
};

/* Waits at a stage; goes on at once when the process that holds the party is gone. */
void party_meet(const struct party *p, enum party_stage stage);

/*
 * Runs the config on each device that the request names, at most request->lanes at a time, into
 * OUT/UUID. `compare` is then given the folders of the runs and returns an exit code. Returns the
 * highest exit code of all.
 */
int run_each(const struct sweep_request *request, const struct config *config,
             int (*compare)(const char *const *folders, int count, struct error *e),
             struct error *e);

#endif
