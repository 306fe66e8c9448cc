/*
 * The order of a gate's points. Private to this room.
 */
#ifndef REDSWEEP_PLAN_SIDES_H
#define REDSWEEP_PLAN_SIDES_H

#include "plan/plan.h"

/*
 * Puts the two versions of each point of a group next to each other, so that they stay together if
 * a large group is measured in parts, or point by point. Points that only one side has come last,
 * so that a part of an even size never ends between two versions. The points are ordered by kernel,
 * as in the catalogue of both sides.
 */
void sides_pair(const struct plan *plan, struct point *points, uint32_t count);

#endif
