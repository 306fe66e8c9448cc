/*
 * Writes the rows of a sweep to the folders of its sides. Status and times of each row also stay in
 * memory, in 24 bytes, so nothing is read back from disk while the sweep runs.
 */
#ifndef REDSWEEP_RUN_ROWS_H
#define REDSWEEP_RUN_ROWS_H

#include "run/sweep_state.h"

/* rows_begin() notes that no point has a row yet. rows_take_earlier() adds the rows of earlier
 * sessions. */
void rows_begin(struct sweep *s);
void rows_take_earlier(struct sweep *s, const struct recorded *found);

bool rows_has(const struct sweep *s, uint32_t point);

/*
 * Writes the row of a point that a lane has measured. Rows are briefly collected and go to disk
 * together. A failure is also printed.
 */
bool rows_write(struct lane *l, uint32_t point, struct outcome *o, struct error *e);

/* Returns the line of the last row, which is valid until the next row is written. */
struct row_added rows_last(struct sweep *s, uint32_t point);

/*
 * Adds `points` points like `point` to the remaining points, and their expected time to the time
 * left. `points` may be negative. Does nothing if the plan skips `point`.
 */
void rows_left(struct sweep *s, const struct point *point, double points);
struct time_left *rows_time_left(struct sweep *s, const struct point *point);

/* Removes the rows of a lane's current batch. */
bool rows_drop(struct lane *l, struct error *e);

/*
 * rows_flush() writes waiting rows to disk; rows_flush_late() does so only if they have waited long
 * enough.
 */
bool rows_flush(struct sweep *s, struct error *e);
bool rows_flush_late(struct sweep *s, struct error *e);

/* Replaces the manifests on disk with the current ones. */
bool sweep_update(struct sweep *s, struct error *e);

#endif
