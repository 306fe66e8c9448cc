/*
 * An agenda lists the groups of points that are not measured yet. A lane is one device of a sweep;
 * when it has nothing to do, it takes the next group from the agenda.
 *
 * A single lane takes the groups in the order of the plan. With several lanes, the groups that take
 * longest come first, so that all lanes finish at about the same time (plan/shards.h). Groups of
 * CPU functions come last. While one of them is measured, all other lanes wait, because their CPU
 * load would change the times of the CPU functions.
 */
#ifndef REDSWEEP_RUN_AGENDA_H
#define REDSWEEP_RUN_AGENDA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "plan/plan.h"

struct agenda {
    const struct plan *plan;
    VEC(uint32_t) left; /* the groups not taken yet; the last element is taken next */
    bool exclusive;     /* the group that was taken last must run alone */
};

/* Fills `a` with all groups of the plan, ordered for `lanes` lanes. agenda_free() frees it. */
void agenda_make(struct agenda *a, const struct plan *plan, int lanes);
void agenda_free(struct agenda *a);

/*
 * Takes the next group. `working` is the number of lanes that are measuring a group. Returns false
 * if no group is left, or if the lane must wait: a group that must run alone is taken only when no
 * lane is working, and while it runs, no other group is taken.
 */
bool agenda_next(struct agenda *a, int working, uint32_t *group);

/* Puts `group` back into the agenda, to be taken next, because the lane that took it has failed. */
void agenda_return(struct agenda *a, uint32_t group);

#endif
