/*
 * What to measure next: the groups that are left, in the order in which free lanes take them. Which
 * lane takes one, and how it is measured, is none of its business.
 */
#ifndef REDSWEEP_RUN_AGENDA_H
#define REDSWEEP_RUN_AGENDA_H

#include <stdbool.h>
#include <stdint.h>

struct agenda {
    uint32_t next, count; /* groups of the plan, in its order */
};

/* The next group; false when none is left. */
bool agenda_next(struct agenda *a, uint32_t *group);

#endif
