/*
 * The beginning of a sweep: see begin.c.
 */
#ifndef REDSWEEP_RUN_BEGIN_H
#define REDSWEEP_RUN_BEGIN_H

#include "run/sweep_state.h"

/* Checks a sweep whose devices are open, and makes its folder and its source; a dry run is printed,
 * and then over. A run whose points all have a row is over as well. */
bool sweep_begin(struct sweep *s, struct error *e);

#endif
