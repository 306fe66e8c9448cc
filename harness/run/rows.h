/*
 * Writes the rows of a sweep to the folders of its sides. Each row is also kept in memory, in 24
 * bytes, for code that needs its status or its times. Nothing is read back from disk while the
 * sweep runs.
 */
#ifndef REDSWEEP_RUN_ROWS_H
#define REDSWEEP_RUN_ROWS_H

#include "run/sweep_state.h"

/* rows_begin() notes that no point has a row yet. rows_take_earlier() adds the rows of earlier
 * sessions. */
void rows_begin(struct sweep *s);
void rows_take_earlier(struct sweep *s, const struct recorded *found);

bool rows_has(const struct sweep *s, uint32_t point);

/* Writes the row of a point that a lane has measured. The row waits briefly for other rows, which
 * are written to disk together with it. If its status is a failure, it is also printed. */
bool rows_write(struct lane *l, uint32_t point, struct outcome *o, struct error *e);

/* Returns the line of the row that was written last. It must be used before the next row is
 * written. */
struct row_added rows_last(struct sweep *s, uint32_t point);

/*
 * Adds `points` points that resemble `point` to the number of remaining points, and adds their
 * expected time to the estimate of the remaining time. If `points` is negative, both are reduced.
 * Does nothing if the plan skips `point`.
 */
void rows_left(struct sweep *s, const struct point *point, double points);
struct time_left *rows_time_left(struct sweep *s, const struct point *point);

/* Removes the rows of a lane's current batch. */
bool rows_drop(struct lane *l, struct error *e);

/*
 * rows_flush() writes waiting rows to disk. rows_flush_late() writes them only if they have waited
 * long enough.
 */
bool rows_flush(struct sweep *s, struct error *e);
bool rows_flush_late(struct sweep *s, struct error *e);

/* Replaces the manifests on disk with the current ones. */
bool sweep_update(struct sweep *s, struct error *e);

#endif
