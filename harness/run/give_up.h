/* Gives up a kernel that fails in the same way for three points in a row; see give_up.c. */
#ifndef REDSWEEP_RUN_GIVE_UP_H
#define REDSWEEP_RUN_GIVE_UP_H

#include "run/sweep_state.h"

/* Prepares the failure counts. The sweep's plan and lanes must be known. */
void give_up_begin(struct sweep *s);

/* Gives up a kernel that an earlier session gave up. */
void give_up_again(struct sweep *s, const char *kernel, enum status status);

/*
 * give_up_note() notes the outcome of a measured point. give_up_passed() notes that a point passed
 * its check.
 */
void give_up_note(struct lane *l, const struct point *point, enum status status);
void give_up_passed(struct lane *l, const struct point *point);

/*
 * Gives up the lane's failing kernel, if there is one, reports it once, and increments
 * sweep->given_up_count.
 */
void give_up_settle(struct lane *l);

/* Returns why a kernel's points are skipped, or NULL if they are not. */
const char *give_up_reason(const struct sweep *s, uint32_t kernel);

#endif
