/*
 * Begins a sweep, as begin.c explains.
 */
#ifndef REDSWEEP_RUN_BEGIN_H
#define REDSWEEP_RUN_BEGIN_H

#include "run/sweep_state.h"

/*
 * Checks a sweep whose devices are open, and makes its folder and its source. For a dry run, prints
 * the plan and ends the sweep. Also ends the sweep if all its points have a row.
 */
bool sweep_begin(struct sweep *s, struct error *e);

#endif
