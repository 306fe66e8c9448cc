/* Begins a sweep when its devices are open and its plan exists. */
#ifndef REDSWEEP_RUN_BEGIN_H
#define REDSWEEP_RUN_BEGIN_H

#include "run/sweep_state.h"

/*
 * Checks that the sweep can run on its devices, then makes the sweep's folder and the source that
 * chooses the points to measure. If every point already has a row, sets s->over. For a dry run,
 * prints the plan and sets s->over.
 */
bool sweep_begin(struct sweep *s, struct error *e);

#endif
