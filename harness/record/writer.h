/*
 * Rows to disk: results.csv, samples.csv and run.json of one run's folder, and results.json at its
 * end.
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
 * Makes `folder` (which must not hold results already) and its files. `metrics` may be NULL: none.
 * Describes the plan's points, kernels and columns in `manifest`. Borrowed pointers, of which the
 * manifest is one, must outlive the record.
 */
bool record_create(const char *folder, const struct plan *plan, const struct metric_plan *metrics,
                   struct manifest *manifest, struct record **out, struct error *e);

/* A kernel that was given up (run/give_up.h) with this status. */
struct given_up {
    char *kernel;
    enum status status;
};

/* What a row says of its point's times, in µs; without samples both are NaN. */
struct row_times {
    double median, stdev;
    uint32_t samples;
    enum status status;
};

/* What a folder holds already. */
struct recorded {
    VEC(struct given_up) given_up;
    VEC(uint64_t) ids;           /* of the points that have a row, ascending */
    VEC(struct row_times) times; /* of these, where record_open() found them; else none */
    uint64_t by_status[STATUS_COUNT];
};
void recorded_free(struct recorded *r);
void recorded_sort(struct recorded *r); /* after ids were added */
bool recorded_has(const struct recorded *r, uint64_t id);
/* The times of this point's row; NULL: it has none. */
const struct row_times *recorded_times(const struct recorded *r, uint64_t id);

/*
 * Takes the rows with these statuses, and their samples, out of the files of an earlier run, so
 * that their points are measured again; *taken says how many. So are the rows that were skipped
 * because their kernel was given up with one of these statuses. All other lines stay as they are.
 * Both files are replaced whole, samples.csv first: after a kill in between the rows are still
 * there.
 */
bool record_take_out(const char *folder, const bool statuses[STATUS_COUNT], size_t *taken,
                     struct error *e);

/* The ids of all points that have a row in an earlier run's folder. */
bool recorded_find(const char *folder, struct recorded *out, struct error *e);

/* Takes out the rows and samples of these points, as record_take_out() does. */
bool record_take_out_points(const char *folder, const struct recorded *points, struct error *e);

/*
 * Opens the files of an earlier run to append to them. Its columns must be those of `plan` and
 * `metrics` (ERROR_CONFIG otherwise). A torn last line, and samples whose row is missing, are cut
 * off: their point has to be measured again. Memory: 32 bytes a row.
 * `manifest->status` is that of the earlier run: the files of a complete one of which no point is
 * missing stay as they are, also in record_close().
 */
bool record_open(const char *folder, const struct plan *plan, const struct metric_plan *metrics,
                 struct manifest *manifest, struct record **out, struct recorded *found,
                 struct error *e);

/*
 * Appends one row and its samples; both are on disk when it returns. When they cannot be written
 * (ERROR_SYSTEM: the disk is full, the folder is gone) the files end with the row before.
 */
bool record_row(struct record *r, const struct point *point, const struct outcome *outcome,
                struct error *e);

/*
 * The same in two steps: rows wait in memory until record_flush() puts them on disk, many with two
 * syncs. When that fails (errors as above) the rows that waited are not in the files.
 */
bool record_add(struct record *r, const struct point *point, const struct outcome *outcome,
                struct error *e);
bool record_flush(struct record *r, struct error *e);

/* The row that record_add() added last; its line, with its end, is valid until the next call. */
struct row_added {
    const char *line;
    size_t length;
    struct row_times times;
};
struct row_added record_added(const struct record *r);

/* Appends the line of column names, with its end. */
void record_append_header(const struct record *r, struct text *out);

/*
 * Appends a row to anchors.csv, which it makes, and cuts off a torn last line that it finds there:
 * `when` is one of anchor_times. On disk when it returns; errors as for record_row().
 */
bool record_anchor(struct record *r, const struct point *point, const struct outcome *outcome,
                   const char *when, struct error *e);

/* The rows from here on are measured in this session of the manifest; otherwise in its last. */
void record_from(struct record *r, size_t session);

/*
 * Takes out the rows and samples of these points (recorded_sort()) while the run goes on: they are
 * measured again.
 */
bool record_drop(struct record *r, const struct recorded *points, struct error *e);

/* Replaces run.json: the manifest as it is now, with the status "running". */
bool record_update(struct record *r, struct error *e);

/*
 * Ends the run: flushes, replaces run.json with this status (see struct manifest) and time, and
 * writes results.json. Closes the record also when it fails.
 */
bool record_close(struct record *r, const char *status, const char *ended, struct error *e);

#endif
