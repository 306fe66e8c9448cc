/*
 * The first lane's job before anything is measured: compile all variants that the sweep's points
 * need.
 */
#ifndef REDSWEEP_RUN_JOB_COMPILE_H
#define REDSWEEP_RUN_JOB_COMPILE_H

#include "run/sweep_state.h"

/* A compiling worker reports ten times a second. After this much silence, it counts as hung. */
#define COMPILE_SILENCE_S 120.0

/*
 * compile_next() requests the next variants, if any are left. Losing the worker is not fatal,
 * because variants can still be compiled right before their points are measured.
 */
bool compile_next(struct lane *l, struct error *e);
bool compile_hear(struct lane *l, enum received received, const struct message *m, struct error *e);

#endif
