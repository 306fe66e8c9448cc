/*
 * Declares the source of a sweep's anchors, which source_anchors.c explains.
 */
#ifndef REDSWEEP_RUN_SOURCE_ANCHORS_H
#define REDSWEEP_RUN_SOURCE_ANCHORS_H

#include "run/sweep_state.h"

/* Makes the source s->anchors from the plan of the whole sweep, if cards must be compared. */
void anchors_make(struct sweep *s);

/*
 * Makes the source give all anchors to each lane once more. The results are recorded under `when`.
 */
void anchors_measure(struct source *anchors, enum anchor_time when);

#endif
