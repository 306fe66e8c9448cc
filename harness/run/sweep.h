/*
 * One sweep from its plan to its last row: the parent's work.
 */
#ifndef REDSWEEP_RUN_SWEEP_H
#define REDSWEEP_RUN_SWEEP_H

#include "record/record.h"
#include "run/supervisor.h"

struct sweep_options {
    struct run_setup setup;
    const char *out;     /* folder, NULL: a new one under results/ */
    const char *command; /* the command line, for provenance */
};

struct sweep_result {
    char folder[4096];
    uint64_t by_status[STATUS_COUNT];
    uint64_t rows;
    bool stopped; /* by a signal, or because the device kept failing */
    char stopped_why[512];
    char warning[512]; /* metrics that could not be had, … */
};

/*
 * Runs every point and records it. Returns false when nothing could be run (usage, config, no
 * device, no folder); points that fail are rows, not errors.
 */
bool sweep_run(const struct sweep_options *options, struct sweep_result *result, struct error *e);

#endif
