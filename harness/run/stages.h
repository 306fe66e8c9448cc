/*
 * The stages of sweeps, from opening their devices to the last ceilings: see stages.c.
 */
#ifndef REDSWEEP_RUN_STAGES_H
#define REDSWEEP_RUN_STAGES_H

#include "run/sweep_state.h"

/* Runs sweeps until all are over or have nothing more to do. */
void stages_run(struct sweeps *all);

#endif
