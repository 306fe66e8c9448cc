/*
 * Writes the rows of a sweep to the folder of its run or, for a gate, to the folders of its two
 * runs. The status and times of each row also stay in memory, in 24 bytes, so that no row is read
 * from disk while the sweep runs.
 */
#ifndef REDSWEEP_RUN_ROWS_H
#define REDSWEEP_RUN_ROWS_H

#include "run/sweep_state.h"

/*
 * rows_begin() prepares the rows in memory: no point has a row yet. rows_take_earlier() adds the
 * rows that were recorded in earlier sessions.
 */
void rows_begin(struct sweep *s);
void rows_take_earlier(struct sweep *s, const struct recorded *found);

bool rows_has(const struct sweep *s, uint32_t point);

/*
 * Writes the row of a point that a lane has measured. Rows are collected for at most
 * SWEEP_FLUSH_AFTER_S seconds and then written to disk together. If the point failed, its status
 * and the reason are also printed.
 */
bool rows_write(struct lane *l, uint32_t point, struct outcome *o, struct error *e);

/*
 * Returns the row that was just written for `point`, as a line of CSV and as times. It is valid
 * until the next row is written.
 */
struct row_added rows_last(struct sweep *s, uint32_t point);

/*
 * rows_left() adds `points` points of the size of `point` to those that remain to be measured, or
 * removes them if `points` is negative. Does nothing if the plan skips `point`. rows_time_left()
 * returns the estimate of the time left to which `point` belongs.
 */
void rows_left(struct sweep *s, const struct point *point, double points);
struct time_left *rows_time_left(struct sweep *s, const struct point *point);

/* Removes the rows that were written for points of the lane's current batch. */
bool rows_drop(struct lane *l, struct error *e);

/*
 * rows_flush() writes the collected rows to disk. rows_flush_late() does so only if a row has
 * waited for longer than SWEEP_FLUSH_AFTER_S seconds.
 */
bool rows_flush(struct sweep *s, struct error *e);
bool rows_flush_late(struct sweep *s, struct error *e);

/* Writes the current manifests to run.json in the folders of the sweep. */
bool sweep_update(struct sweep *s, struct error *e);

#endif
