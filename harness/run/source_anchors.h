/*
 * The source of the anchors, the few points that every card measures so that cards can be compared;
 * see source_anchors.c.
 */
#ifndef REDSWEEP_RUN_SOURCE_ANCHORS_H
#define REDSWEEP_RUN_SOURCE_ANCHORS_H

#include "run/sweep_state.h"

/*
 * Makes s->anchors, if several cards measure the sweep. The plan must still have the points of all
 * shards.
 */
void anchors_make(struct sweep *s);

/*
 * Makes the source give all anchors to every lane once more. Their times are recorded under `when`.
 */
void anchors_measure(struct source *anchors, enum anchor_time when);

#endif
