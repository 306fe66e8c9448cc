/*
 * The event loop: see loop.c.
 */
#ifndef REDSWEEP_RUN_LOOP_H
#define REDSWEEP_RUN_LOOP_H

#include "run/lane.h"

/*
 * Gives the sweep's lanes jobs until there are none and every lane is idle; `in_turn`: one lane
 * after the other, so that none disturbs another. `source`, if not NULL, may wait for input or
 * output. False when nothing can be recorded any more; a signal, and devices that keep failing, end
 * it with result->stopped.
 */
bool loop_run(struct sweep *s, lane_next *next, bool in_turn, const struct source *source,
              struct error *e);

#endif
