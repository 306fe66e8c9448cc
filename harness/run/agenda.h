/*
 * An agenda holds the remaining groups in the order in which free lanes take them. It does not
 * decide which lane takes a group, or how the group is measured.
 *
 * A single lane takes the groups in plan order. Several lanes take the most expensive groups first,
 * so that they finish at about the same time (plan/shards.h). Groups of CPU functions come last.
 * Each of them runs alone, because the CPU load from other lanes' processes would change its times.
 */
#ifndef REDSWEEP_RUN_AGENDA_H
#define REDSWEEP_RUN_AGENDA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "plan/plan.h"

struct agenda {
    const struct plan *plan;
    VEC(uint32_t) left; /* the remaining groups; the last element is next */
    bool exclusive;     /* the last group taken must run alone */
};

/* Makes an agenda of all groups in the plan for this many lanes. Free it with agenda_free(). */
void agenda_make(struct agenda *a, const struct plan *plan, int lanes);
void agenda_free(struct agenda *a);

/*
 * Takes the next group. `working` is how many lanes have a group. Returns false if none can be
 * taken now: a group that must run alone waits until no lane is working, and nothing else is taken
 * while it runs.
 */
bool agenda_next(struct agenda *a, int working, uint32_t *group);

/* Puts a group that its lane could not finish back into the agenda, to be taken next. */
void agenda_return(struct agenda *a, uint32_t group);

#endif
