/* Begins a sweep, as begin.c explains. */
#ifndef REDSWEEP_RUN_BEGIN_H
#define REDSWEEP_RUN_BEGIN_H

#include "run/sweep_state.h"

/*
 * Checks a sweep whose devices are open, and makes its folder and its source. Ends the sweep if all
 * its points have a row or, after printing the plan, if this is a dry run.
 */
bool sweep_begin(struct sweep *s, struct error *e);

#endif
