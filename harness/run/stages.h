/*
 * Runs the stages of sweeps. The first one opens the devices, and the last one measures their
 * achievable bandwidth again; see stages.c.
 */
#ifndef REDSWEEP_RUN_STAGES_H
#define REDSWEEP_RUN_STAGES_H

#include "run/sweep_state.h"

/* Runs all stages of all sweeps. A sweep that has ended skips the remaining stages. */
void stages_run(struct sweeps *all);

#endif
