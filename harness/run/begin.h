/*
 * The beginning of a sweep: see begin.c.
 */
#ifndef REDSWEEP_RUN_BEGIN_H
#define REDSWEEP_RUN_BEGIN_H

#include "run/sweep_state.h"

/* Checks a sweep whose devices are open, and makes its folder and its source. A dry run is printed
 * and then over; a run whose points all have a row is over as well. */
bool sweep_begin(struct sweep *s, struct error *e);

#endif
