/*
 * Declares the job of compiling. Before anything is measured, the first lane of a sweep compiles
 * all variants that the sweep's points need.
 */
#ifndef REDSWEEP_RUN_JOB_COMPILE_H
#define REDSWEEP_RUN_JOB_COMPILE_H

#include "run/sweep_state.h"

/*
 * While a worker compiles, it reports ten times a second. A worker that is silent for this long is
 * treated as hung.
 */
#define COMPILE_SILENCE_S 120.0

/*
 * compile_next() requests the next variants, if any are left. The death of a worker during the job
 * is not fatal, because the variants can be compiled later, before their points are measured.
 */
bool compile_next(struct lane *l, struct error *e);
bool compile_hear(struct lane *l, enum received received, const struct message *m, struct error *e);

#endif
