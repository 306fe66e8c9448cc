/*
 * Gives up a kernel if three of its points in a row fail in the same way: the kernel's remaining
 * points are skipped; see give_up.c.
 */
#ifndef REDSWEEP_RUN_GIVE_UP_H
#define REDSWEEP_RUN_GIVE_UP_H

#include "run/sweep_state.h"

/*
 * Allocates the failure counts of each kernel on each lane. The sweep must have its plan and lanes.
 */
void give_up_begin(struct sweep *s);

/* Gives up, in a resumed run, a kernel that an earlier session gave up because of `status`. */
void give_up_again(struct sweep *s, const char *kernel, enum status status);

/*
 * give_up_note() counts the outcome of a measured point. give_up_passed() notes that the results of
 * a point were right, before the point's outcome is known.
 */
void give_up_note(struct lane *l, const struct point *point, enum status status);
void give_up_passed(struct lane *l, const struct point *point);

/*
 * Gives up the kernel that has failed too often on this lane (l->failing_kernel), if there is one:
 * prints a message and increments sweep->given_up_count. Does nothing if the kernel was already
 * given up.
 */
void give_up_settle(struct lane *l);

/* Returns why the points of a kernel are skipped, or NULL if the kernel was not given up. */
const char *give_up_reason(const struct sweep *s, uint32_t kernel);

#endif
