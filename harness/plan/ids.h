/*
 * Computes the ids of points and variants by hashing everything that identifies them. A point has
 * the same id in all runs and on all machines. Private to this folder.
 */
#ifndef REDSWEEP_PLAN_IDS_H
#define REDSWEEP_PLAN_IDS_H

#include "plan/plan.h"

uint64_t point_id(const struct plan *plan, const struct point *p);
uint64_t variant_id(const struct kernel *k, const struct variant *v);

#endif
