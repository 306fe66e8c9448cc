/*
 * Begins a sweep, as begin.c explains.
 */
#ifndef REDSWEEP_RUN_BEGIN_H
#define REDSWEEP_RUN_BEGIN_H

#include "run/sweep_state.h"

/* Checks a sweep whose devices are open, and makes its folder and its source. A dry run is printed,
 * and the sweep is then over. A sweep is also over if all its points have a row. */
bool sweep_begin(struct sweep *s, struct error *e);

#endif
