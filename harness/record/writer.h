/*
 * Writes rows to disk: results.csv, samples.csv and run.json of one run's folder, and results.json
 * at its end.
 *
 *   results.csv   one row per point, written and synced as it comes; columns in columns.def
 *   samples.csv   one row per sample: point id, index, time_us
 *   anchors.csv   the columns of results.csv and `anchored` (record/anchors.h): a row per
 *                 measurement of the few points by which cards are compared; only where there are
 *                 several
 *   run.json      manifest.h; there from the start, replaced whole at each change
 *   results.json  the manifest and all rows in one file, for other programs; written at the end
 *
 * RFC 4180 quoting, "\n" line ends, one header. A missing value is an empty cell, never 0 or −1,
 * and null in JSON. Numbers are the shortest text that reads back equal. A row is one line: line
 * ends inside a reason become " | ".
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

struct record; /* an open run folder */

/*
 * Makes `folder` (which must not already have results) and its files. `metrics` may be NULL: none.
 * Describes the plan's points, kernels and columns in `manifest`. Borrowed pointers, including the
 * manifest, must outlive the record.
 */
bool record_create(const char *folder, const struct plan *plan, const struct metric_plan *metrics,
                   struct manifest *manifest, struct record **out, struct error *e);

/* A kernel that was given up (run/give_up.h) with this status. */
struct given_up {
    char *kernel;
    enum status status;
};

/* The times in a row, in µs; without samples both are NaN. */
struct row_times {
    double median, stdev;
    uint32_t samples;
    enum status status;
};

/* The rows that a folder already has. */
struct recorded {
    VEC(struct given_up) given_up;
    VEC(uint64_t) ids;           /* of the points that have a row, ascending */
    VEC(struct row_times) times; /* their times, if record_open() found them; else none */
    uint64_t by_status[STATUS_COUNT];
};
void recorded_free(struct recorded *r);
void recorded_sort(struct recorded *r); /* after ids were added */
bool recorded_has(const struct recorded *r, uint64_t id);
/* The times of this point's row; NULL if it has none. */
const struct row_times *recorded_times(const struct recorded *r, uint64_t id);

/*
 * Removes the rows with these statuses, and their samples, from the files of an earlier run, so
 * that their points are measured again; *taken is their number. It also removes rows that were
 * skipped because their kernel was given up with one of these statuses. All other lines stay as
 * they are. Both files are replaced as a whole, samples.csv first: after a kill in between, the
 * rows still exist.
 */
bool record_take_out(const char *folder, const bool statuses[STATUS_COUNT], size_t *taken,
                     struct error *e);

/* The ids of all points that have a row in an earlier run's folder. */
bool recorded_find(const char *folder, struct recorded *out, struct error *e);

/* Removes the rows and samples of these points, like record_take_out(). */
bool record_take_out_points(const char *folder, const struct recorded *points, struct error *e);

/*
 * Opens the files of an earlier run to append to them. Its columns must be those of `plan` and
 * `metrics` (ERROR_CONFIG otherwise). A torn last line, and samples whose row is missing, are cut
 * off: their point must be measured again. Memory: 32 bytes a row. `manifest->status` is that of
 * the earlier run: the files of a complete one that misses no point stay unchanged, even in
 * record_close().
 */
bool record_open(const char *folder, const struct plan *plan, const struct metric_plan *metrics,
                 struct manifest *manifest, struct record **out, struct recorded *found,
                 struct error *e);

/*
 * Appends one row and its samples; both are on disk when it returns. If they cannot be written
 * (ERROR_SYSTEM: the disk is full, the folder is gone), the files end with the previous row.
 */
bool record_row(struct record *r, const struct point *point, const struct outcome *outcome,
                struct error *e);

/*
 * The same in two steps: rows wait in memory until record_flush() writes them to disk, many rows
 * with two syncs. When that fails (errors as above) the rows that waited are not in the files.
 */
bool record_add(struct record *r, const struct point *point, const struct outcome *outcome,
                struct error *e);
bool record_flush(struct record *r, struct error *e);

/* The row that record_add() added last; its line, including its end, is valid until the next
 * call. */
struct row_added {
    const char *line;
    size_t length;
    struct row_times times;
};
struct row_added record_added(const struct record *r);

/* Appends the line of column names, with its end. */
void record_append_header(const struct record *r, struct text *out);

/*
 * Appends a row to anchors.csv, which it creates, and cuts off a torn last line that it finds
 * there: `when` is one of anchor_times. It is on disk on return; errors as for record_row().
 */
bool record_anchor(struct record *r, const struct point *point, const struct outcome *outcome,
                   const char *when, struct error *e);

/* From now on, rows belong to this session of the manifest; by default, to its last. */
void record_from(struct record *r, size_t session);

/*
 * Removes the rows and samples of these points (recorded_sort()) while the run continues, so that
 * they are measured again.
 */
bool record_drop(struct record *r, const struct recorded *points, struct error *e);

/* Replaces run.json by the current manifest, with the status "running". */
bool record_update(struct record *r, struct error *e);

/*
 * Ends the run: flushes, replaces run.json with this status (see struct manifest) and time, and
 * writes results.json. Closes the record also when it fails.
 */
bool record_close(struct record *r, const char *status, const char *ended, struct error *e);

#endif
