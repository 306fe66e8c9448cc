/*
 * The job of compiling. A sweep's first lane compiles all variants that the sweep's points need
 * before anything is measured.
 */
#ifndef REDSWEEP_RUN_JOB_COMPILE_H
#define REDSWEEP_RUN_JOB_COMPILE_H

#include "run/sweep_state.h"

/* A compiler that is silent for this long hangs, because its worker reports ten times a second. */
#define COMPILE_SILENCE_S 120.0

/* Requests the next variants, if any are left. A worker that dies during the job is not fatal: the
 * points' variants are compiled later. */
bool compile_next(struct lane *l, struct error *e);
bool compile_hear(struct lane *l, enum received received, const struct message *m, struct error *e);

#endif
