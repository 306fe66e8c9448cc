/*
 * The rows of a sweep: written to the folders of its sides, and kept in 24 bytes each for code that
 * decides by them. Nothing is read back from disk while the sweep runs.
 */
#ifndef REDSWEEP_RUN_ROWS_H
#define REDSWEEP_RUN_ROWS_H

#include "run/sweep_state.h"

/* Marks that no point has a row, or that those with a row from an earlier session have one. */
void rows_begin(struct sweep *s);
void rows_take_earlier(struct sweep *s, const struct recorded *found);

bool rows_has(const struct sweep *s, uint32_t point);

/* The row of a point of the plan that a lane has measured; it waits briefly for others that are
 * written to disk with it. A status that is a failure is also printed. */
bool rows_write(struct lane *l, uint32_t point, struct outcome *o, struct error *e);

/* The line of the row that was written last, to be used at once. */
struct row_added rows_last(struct sweep *s, uint32_t point);

/* Adds points of the plan, if they are measured, to those that are left (below 0: removes them),
 * and to the estimate of the time left. */
void rows_left(struct sweep *s, const struct point *point, double points);
struct time_left *rows_time_left(struct sweep *s, const struct point *point);

/* Removes the rows of a lane's batch again. */
bool rows_drop(struct lane *l, struct error *e);

/* Writes waiting rows to disk; the second function only those that have waited long enough. */
bool rows_flush(struct sweep *s, struct error *e);
bool rows_flush_late(struct sweep *s, struct error *e);

/* Replaces the manifests on disk by the current ones. */
bool sweep_update(struct sweep *s, struct error *e);

#endif
