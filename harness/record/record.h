/*
 * What was measured, on disk: results.csv, samples.csv and results.json of one run's folder.
 *
 *   results.csv   one row a point, written and synced as it comes; columns in columns.def
 *   samples.csv   one row a sample: point id, index, time_us
 *   results.json  {"schema": 1, "status": …, "provenance": {…}, "columns": […], "rows": […]};
 *                 written at the start without rows, and again (by rename) at the end with them
 *
 * RFC 4180 quoting, "\n" line ends, one header. A missing value is an empty cell, never 0 or −1,
 * and null in JSON. Numbers are the shortest text that reads back equal. A row is one line: line
 * ends inside a reason become " | ".
 */
#ifndef REDSWEEP_RECORD_RECORD_H
#define REDSWEEP_RECORD_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/statistics.h"
#include "devices/device.h"
#include "metrics/metrics.h"
#include "plan/plan.h"
#include "record/conditions.h"

#define RECORD_SCHEMA 1

enum status {
    STATUS_OK,
    STATUS_WRONG,
    STATUS_COMPILE_ERROR,
    STATUS_LAUNCH_ERROR,
    STATUS_TIMEOUT,
    STATUS_OOM,
    STATUS_CRASHED,
    STATUS_UNSUPPORTED,
    STATUS_SKIPPED,
    STATUS_COUNT
};
const char *status_name(enum status s); /* "ok", "wrong", "compile_error", … */
bool status_find(const char *name, enum status *s);

/* Everything that a run adds to a point. Missing numbers are NaN (doubles) or −1 (counts). */
struct outcome {
    enum status status;
    char reason[1024]; /* why the status is not ok, or why metrics are missing; "" otherwise */
    int64_t grid, dynamic_smem, static_smem, registers, workspace;
    int repeat;            /* launches per timed sample; −1 when not timed */
    const double *samples; /* µs, in the order taken */
    size_t sample_count;
    char stopped_by[16]; /* what ended sampling: "width", "samples", "budget"; "" */
    char result[40];
    double rel_error;
    double sampled_share;  /* share of the blocks that were executed (simulator); NaN: all */
    const double *metrics; /* one per metric of the run; NaN: missing */
    struct device_health health;
};

/* One time that a run was gone on with. */
struct resumption {
    char at[32];       /* ISO 8601, UTC */
    char changes[512]; /* what had changed since the run began; "" for nothing */
};

/* What the whole run was made with. Strings may be "" when unknown, pointers NULL. */
struct provenance {
    struct device_info device;
    struct device_info cpu; /* what ran the CPU's functions; backend "": `device` did, or nothing */
    char run_name[128];
    char compiler[64];
    char host[256];    /* name, CPU and operating system */
    char redsweep[64]; /* version and git commit of this program */
    char command[1024];
    char started[32], ended[32]; /* ISO 8601, UTC */
    const char *config_text;
    /* What it takes to go on with the run; borrowed. */
    const char *config_path;   /* absolute */
    const char *device_option; /* as --device gave it */
    const char *more_kernels;  /* the folder that --kernels gave, absolute */
    char sources[17];          /* a hash of all kernels and of what they include */
    const struct resumption *sessions;
    int session_count;
    /* What the run is measured under; may grow while it goes on. NULL: nothing is known. */
    const struct conditions *conditions;
};

struct record; /* an open run folder */

/*
 * Makes `folder` (which must not hold results already) and its files. `metrics` may be NULL: none.
 * Borrowed pointers must outlive the record.
 */
bool record_create(const char *folder, const struct plan *plan, const struct metric_plan *metrics,
                   const struct provenance *provenance, struct record **out, struct error *e);

/* What a folder holds already. */
struct recorded {
    uint64_t *ids; /* of the points that have a row, ascending */
    size_t count;
    uint64_t by_status[STATUS_COUNT];
};
void recorded_free(struct recorded *r);
bool recorded_has(const struct recorded *r, uint64_t id);

/*
 * Takes the rows with these statuses, and their samples, out of the files of an earlier run, so that
 * their points are measured again; *taken says how many. All other lines stay as they are. Both files
 * are replaced whole, samples.csv first: whoever is killed in between finds the rows still there.
 */
bool record_take_out(const char *folder, const bool statuses[STATUS_COUNT], size_t *taken,
                     struct error *e);

/*
 * Opens the files of an earlier run to append to them. Its columns must be those of `plan` and
 * `metrics` (ERROR_CONFIG otherwise). A torn last line, and samples whose row is missing, are cut
 * off: their point has to be measured again. Memory: 8 bytes a row.
 */
bool record_open(const char *folder, const struct plan *plan, const struct metric_plan *metrics,
                 const struct provenance *provenance, struct record **out, struct recorded *found,
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

/* Rewrites results.json, without rows, with the conditions as they are now. */
bool record_update(struct record *r, struct error *e);

/*
 * Ends the run: flushes, and rewrites results.json with all rows. `status` is "complete",
 * "doubtful" (complete, but a self-check failed), "stopped" or "failed". Closes the record also
 * when it fails.
 */
bool record_close(struct record *r, const char *status, const char *ended, struct error *e);

#endif
