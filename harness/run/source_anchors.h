/*
 * The anchors of a sweep: see source_anchors.c.
 */
#ifndef REDSWEEP_RUN_SOURCE_ANCHORS_H
#define REDSWEEP_RUN_SOURCE_ANCHORS_H

#include "run/sweep_state.h"

/* Makes s->anchors from the plan of the whole sweep, if cards are to be compared. */
void anchors_make(struct sweep *s);

/* From here on, the source gives each lane all anchors once, for this time. */
void anchors_measure(struct source *anchors, enum anchor_time when);

#endif
