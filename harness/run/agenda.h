/*
 * What to measure next: the groups that are left, in the order in which free lanes take them. Which
 * lane takes one, and how it is measured, is none of its business.
 *
 * One lane takes them in the plan's order. Several take the most expensive first, so that they end
 * at about the same time (plan/shards.h). Functions of the CPU come last and alone, since what the
 * other lanes' processes do on the CPU would change their times.
 */
#ifndef REDSWEEP_RUN_AGENDA_H
#define REDSWEEP_RUN_AGENDA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "plan/plan.h"

struct agenda {
    const struct plan *plan;
    VEC(uint32_t) left; /* groups, the next one last */
    bool exclusive;     /* the group at work does not go with others */
};

/* All groups of the plan, for so many lanes. agenda_free(). */
void agenda_make(struct agenda *a, const struct plan *plan, int lanes);
void agenda_free(struct agenda *a);

/*
 * The next group, while `working` lanes have one; false when there is none now. One that is left
 * while others work is given when none does.
 */
bool agenda_next(struct agenda *a, int working, uint32_t *group);

/* A group that a lane could not finish: the next one. */
void agenda_return(struct agenda *a, uint32_t group);

#endif
