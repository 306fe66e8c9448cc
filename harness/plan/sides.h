/* Orders the points of a gate, a comparison of two versions of kernels. Private to this folder. */
#ifndef REDSWEEP_PLAN_SIDES_H
#define REDSWEEP_PLAN_SIDES_H

#include "plan/plan.h"

/*
 * Puts the two versions of each point in a group next to each other, so that both are measured
 * together even if a large group is measured in parts or point by point. Points that exist on only
 * one side come last, so that a part of even size never ends between two versions. The points must
 * be ordered by kernel, as in the combined catalogue of both sides.
 */
void sides_pair(const struct plan *plan, struct point *points, uint32_t count);

#endif
