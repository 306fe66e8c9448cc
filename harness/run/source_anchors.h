/* The source of a sweep's anchors; see source_anchors.c. */
#ifndef REDSWEEP_RUN_SOURCE_ANCHORS_H
#define REDSWEEP_RUN_SOURCE_ANCHORS_H

#include "run/sweep_state.h"

/* Makes s->anchors from the plan of the whole sweep, if cards must be compared. */
void anchors_make(struct sweep *s);

/* Makes the source give each lane all anchors again, to be recorded under `when`. */
void anchors_measure(struct source *anchors, enum anchor_time when);

#endif
