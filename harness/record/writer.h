/*
 * Writes a run's rows to disk: results.csv, samples.csv and run.json in the run's folder, and
 * results.json at the end.
 *
 *   results.csv   One row per point, written and synced as soon as it is known. columns.def defines
 *                 the columns.
 *   samples.csv   One row per sample: point id, index, time_us.
 *   anchors.csv   One row per measurement of an anchor, a point by which cards are compared
 *                 (record/anchors.h). Has the columns of results.csv, and `anchored`. Exists only
 *                 if there are several cards.
 *   run.json      The manifest (manifest.h). It exists from the start and is replaced at each
 *                 change.
 *   results.json  The manifest and all rows in one file, for other programs. It is written at the
 *                 end.
 *
 * CSV files are quoted as in RFC 4180 and have one header line. Lines end with "\n". A missing
 * value is an empty cell in CSV and null in JSON, never 0 or −1. A number is written as the
 * shortest text that reads back as the same number. A row is one line: line breaks in a reason
 * become " | ".
 */
#ifndef REDSWEEP_RECORD_WRITER_H
#define REDSWEEP_RECORD_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "metrics/metrics.h"
#include "plan/plan.h"
#include "record/manifest.h"
#include "record/outcome.h"

struct record; /* an open folder of a run */

/*
 * Makes `folder`, which must not contain results yet, and the files in it. `metrics` may be NULL if
 * there are none. Describes the plan's points, kernels and columns in `manifest`. The record
 * borrows all arguments, so they must outlive it.
 */
bool record_create(const char *folder, const struct plan *plan, const struct metric_plan *metrics,
                   struct manifest *manifest, struct record **out, struct error *e);

/* A kernel that the run gave up on after several failures (run/give_up.h), and the status of these
 * failures. */
struct given_up {
    char *kernel;
    enum status status;
};

/* A row's times, in µs. The median and the standard deviation are NaN if there are no samples. */
struct row_times {
    double median, stdev;
    uint32_t samples;
    enum status status;
};

/* The rows that a folder already contains. */
struct recorded {
    VEC(struct given_up) given_up;
    VEC(uint64_t) ids;           /* the points that have a row, in ascending order */
    VEC(struct row_times) times; /* the times of `ids`; only record_open() sets them */
    uint64_t by_status[STATUS_COUNT];
};
void recorded_free(struct recorded *r);
void recorded_sort(struct recorded *r); /* call after adding ids */
bool recorded_has(const struct recorded *r, uint64_t id);
/* Returns the times in the row of this point, or NULL if the point has no row. */
const struct row_times *recorded_times(const struct recorded *r, uint64_t id);

/*
 * Removes the rows with these statuses, and their samples, from an earlier run's files, so that
 * their points are measured again. Also removes rows that were skipped because the run gave up on
 * their kernel for one of these statuses. Sets *taken to the number of removed rows. All other
 * lines stay unchanged. Replaces samples.csv first and then results.csv: if the process is killed
 * in between, the rows still exist.
 */
bool record_take_out(const char *folder, const bool statuses[STATUS_COUNT], size_t *taken,
                     struct error *e);

/* Finds all points that have a row in an earlier run's folder. */
bool recorded_find(const char *folder, struct recorded *out, struct error *e);

/* Like record_take_out(), but removes the rows and samples of these points. */
bool record_take_out_points(const char *folder, const struct recorded *points, struct error *e);

/*
 * Opens an earlier run's files to append to them. Returns ERROR_CONFIG if the run's columns differ
 * from those of `plan` and `metrics`. Removes an incomplete last line and samples without a row;
 * their points must be measured again. Uses 32 bytes of memory per row. `manifest->status` is the
 * earlier run's status. If that run is complete and has a row for every point, its files stay
 * unchanged, even in record_close().
 */
bool record_open(const char *folder, const struct plan *plan, const struct metric_plan *metrics,
                 struct manifest *manifest, struct record **out, struct recorded *found,
                 struct error *e);

/*
 * Appends a row and its samples, which are on disk when the function returns. If they cannot be
 * written, for example because the disk is full, returns ERROR_SYSTEM, and the files end with the
 * previous row.
 */
bool record_row(struct record *r, const struct point *point, const struct outcome *outcome,
                struct error *e);

/*
 * record_add() and record_flush() do the same as record_row() in two steps. Added rows wait in
 * memory until record_flush() writes them to disk, with only one fdatasync() per file. If
 * record_flush() fails, the files lack the waiting rows.
 */
bool record_add(struct record *r, const struct point *point, const struct outcome *outcome,
                struct error *e);
bool record_flush(struct record *r, struct error *e);

/* The row that record_add() added last. The line includes its line break and is valid until the
 * next call. */
struct row_added {
    const char *line;
    size_t length;
    struct row_times times;
};
struct row_added record_added(const struct record *r);

/* Appends the header of results.csv, with its line break. */
void record_append_header(const struct record *r, struct text *out);

/*
 * Appends a row to anchors.csv. Creates the file if necessary, or else removes an incomplete last
 * line. `when` is one of anchor_times. The row is on disk when the function returns. Returns the
 * same errors as record_row().
 */
bool record_anchor(struct record *r, const struct point *point, const struct outcome *outcome,
                   const char *when, struct error *e);

/* Assigns all later rows to the session with this index in the manifest. By default, rows belong to
 * the last session. */
void record_from(struct record *r, size_t session);

/* Removes the rows and samples of these points during the run, so that the points are measured
 * again. `points->ids` must be sorted (recorded_sort()). */
bool record_drop(struct record *r, const struct recorded *points, struct error *e);

/* Replaces run.json with the current manifest and the status "running". */
bool record_update(struct record *r, struct error *e);

/* Ends the run: writes the waiting rows, replaces run.json with this status (see struct manifest)
 * and end time, and writes results.json. Closes the record even after an error. */
bool record_close(struct record *r, const char *status, const char *ended, struct error *e);

#endif
