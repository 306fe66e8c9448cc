/*
 * The remaining groups, in the order in which free lanes take them. This file does not decide which
 * lane takes a group, or how the group is measured.
 *
 * A single lane takes them in the plan's order. Several lanes take the most expensive first, so
 * that they end at about the same time (plan/shards.h). Functions of the CPU come last and alone,
 * because the CPU load of the other lanes' processes would change their times.
 */
#ifndef REDSWEEP_RUN_AGENDA_H
#define REDSWEEP_RUN_AGENDA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "plan/plan.h"

struct agenda {
    const struct plan *plan;
    VEC(uint32_t) left; /* groups; the next one is the last element */
    bool exclusive;     /* the current group must run alone */
};

/* Collects all groups of the plan, for this many lanes. Free with agenda_free(). */
void agenda_make(struct agenda *a, const struct plan *plan, int lanes);
void agenda_free(struct agenda *a);

/*
 * Takes the next group while `working` lanes have one; returns false if no group can be taken now.
 * A group that must be measured alone is returned only when no lane works.
 */
bool agenda_next(struct agenda *a, int working, uint32_t *group);

/* Puts a group that a lane could not finish in front, so that it is the next one. */
void agenda_return(struct agenda *a, uint32_t group);

#endif
