/*
 * Gives up a kernel that fails in the same way for three points in a row. give_up.c explains the
 * rule.
 */
#ifndef REDSWEEP_RUN_GIVE_UP_H
#define REDSWEEP_RUN_GIVE_UP_H

#include "run/sweep_state.h"

/* Prepares the counts of failures. The plan and the lanes of the sweep must be known. */
void give_up_begin(struct sweep *s);

/* Gives up a kernel that an earlier session has given up. */
void give_up_again(struct sweep *s, const char *kernel, enum status status);

/* give_up_note() notes the outcome of a point that the lane has measured. give_up_passed() notes
 * that a point has passed its check. */
void give_up_note(struct lane *l, const struct point *point, enum status status);
void give_up_passed(struct lane *l, const struct point *point);

/* Gives up the lane's failing kernel, if there is one. In that case, reports it once and increments
 * sweep->given_up_count. */
void give_up_settle(struct lane *l);

/* Returns the reason for skipping the points of a kernel, or NULL if they are not skipped. */
const char *give_up_reason(const struct sweep *s, uint32_t kernel);

#endif
