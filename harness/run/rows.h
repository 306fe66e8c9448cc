/*
 * The rows of a sweep: written to the folders of its sides, and kept, 24 bytes each, for whoever
 * decides by them. Nothing is read back from disk while the sweep goes on.
 */
#ifndef REDSWEEP_RUN_ROWS_H
#define REDSWEEP_RUN_ROWS_H

#include "run/sweep_state.h"

/* No point has a row; then: those have one that an earlier session has left. */
void rows_begin(struct sweep *s);
void rows_take_earlier(struct sweep *s, const struct recorded *found);

bool rows_has(const struct sweep *s, uint32_t point);

/* The row of a point of the plan, which a lane has measured; it waits a little for others that go
 * to disk with it. A status that is a failure is also printed. */
bool rows_write(struct lane *l, uint32_t point, struct outcome *o, struct error *e);

/* The line of the row that was written last, to be used at once. */
struct row_added rows_last(struct sweep *s, uint32_t point);

/* Points of the plan, if they are measured, are left (or, below 0, no longer left) to be measured;
 * what knows how long they take. */
void rows_left(struct sweep *s, const struct point *point, double points);
struct time_left *rows_time_left(struct sweep *s, const struct point *point);

/* Takes the rows of a lane's batch out again. */
bool rows_drop(struct lane *l, struct error *e);

/* Puts the rows that wait on disk; the second one those that have waited long enough. */
bool rows_flush(struct sweep *s, struct error *e);
bool rows_flush_late(struct sweep *s, struct error *e);

/* Replaces the manifests on disk by what they are now. */
bool sweep_update(struct sweep *s, struct error *e);

#endif
