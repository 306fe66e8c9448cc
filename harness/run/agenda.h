/*
 * An agenda contains the remaining groups in the order in which free lanes take them. It does not
 * decide which lane takes a group, or how the group is measured.
 *
 * A single lane takes the groups in the plan's order. Several lanes take the most expensive groups
 * first, so that all lanes finish at about the same time (plan/shards.h). The groups of CPU
 * functions come last. Each of them runs alone, because the CPU load from other lanes' processes
 * would change its times.
 */
#ifndef REDSWEEP_RUN_AGENDA_H
#define REDSWEEP_RUN_AGENDA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "plan/plan.h"

struct agenda {
    const struct plan *plan;
    VEC(uint32_t) left; /* the groups that remain; the last element is the next group */
    bool exclusive;     /* the group that was taken last must run alone */
};

/* Makes an agenda of all groups of the plan for this many lanes. agenda_free() frees it. */
void agenda_make(struct agenda *a, const struct plan *plan, int lanes);
void agenda_free(struct agenda *a);

/*
 * Takes the next group. `working` is the number of lanes that have a group now. Returns false if no
 * group can be taken now. A group that must run alone is taken only when no lane is working, and no
 * other group is taken while it runs.
 */
bool agenda_next(struct agenda *a, int working, uint32_t *group);

/* Puts a group back into the agenda, as the next group, because its lane could not finish it. */
void agenda_return(struct agenda *a, uint32_t group);

#endif
