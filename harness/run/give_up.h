/*
 * A kernel that fails the same way at three points in a row is given up: see give_up.c.
 */
#ifndef REDSWEEP_RUN_GIVE_UP_H
#define REDSWEEP_RUN_GIVE_UP_H

#include "run/sweep_state.h"

void give_up_begin(struct sweep *s); /* call it when the plan and the lanes are known */
void give_up_again(struct sweep *s, const char *kernel, enum status status); /* for resumed runs */

/* Notes the outcome of a point that the lane measured, or notes that the point passed its check. */
void give_up_note(struct lane *l, const struct point *point, enum status status);
void give_up_passed(struct lane *l, const struct point *point);

/* Decides whether the lane's kernel is given up, and reports that once; sweep->given_up_count then grows. */
void give_up_settle(struct lane *l);

/* The reason for skipping points of this kernel; NULL if they are not skipped. */
const char *give_up_reason(const struct sweep *s, uint32_t kernel);

#endif
