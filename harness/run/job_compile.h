/*
 * Declares the job of compiling. The first lane of a sweep compiles all variants that the sweep's
 * points need before anything is measured.
 */
#ifndef REDSWEEP_RUN_JOB_COMPILE_H
#define REDSWEEP_RUN_JOB_COMPILE_H

#include "run/sweep_state.h"

/* A worker that compiles reports ten times a second, so one that is silent for this long hangs. */
#define COMPILE_SILENCE_S 120.0

/* compile_next() requests the next variants, if any are left. A worker that dies during the job is
 * not fatal, because the variants are compiled later, with their points. */
bool compile_next(struct lane *l, struct error *e);
bool compile_hear(struct lane *l, enum received received, const struct message *m, struct error *e);

#endif
