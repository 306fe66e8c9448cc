/*
 * Makes a row's cells from a point, its outcome and the run's device. columns.def defines the
 * columns, and columns_make() lists them for one run. Private to this folder.
 */
#ifndef REDSWEEP_RECORD_ROW_H
#define REDSWEEP_RECORD_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/statistics.h"
#include "base/text.h"
#include "metrics/metrics.h"
#include "plan/plan.h"
#include "record/columns.h"
#include "record/flags.h"
#include "record/manifest.h"
#include "record/outcome.h"

/* The value of a cell. The column's kind selects the member. A cell is missing if it is "", NaN or
 * −1. */
struct cell {
    const char *text;
    double number;
    int64_t count;
};

/* What a row's cells are made from. */
struct row {
    const struct point *point;
    const struct outcome *outcome;
    const struct plan *plan;
    const struct kernel *kernel;
    const struct manifest_device *device;
    char id[17];
    char code[17];          /* the hash in the outcome, or "" if it is unknown */
    char bits[17];          /* the hash in the outcome, RECORD_VARIES, or "" if it is unknown */
    char shape[SHAPE_TEXT]; /* the shape of a reduction along rows, or "" */
    bool timed;             /* the outcome has samples */
    struct summary times;   /* the statistics of the samples */
    struct trimmed_mean trimmed; /* the trimmed mean of the samples */
    double bandwidth;            /* the bandwidth in GB/s; NaN if it is unknown */
    double peak;                 /* the peak bandwidth in GB/s; NaN if it is unknown */
    double ceiling;              /* the read ceiling in GB/s; NaN if it was not measured */
    char throttle[96];           /* the throttle reasons of the outcome as words */
    char flags[FLAGS_TEXT];      /* the flags of the point and its outcome as words */
    const char *uuid;            /* the device's UUID */
    /* The session's `device_index` and `number` (record/conditions.h); −1 if unknown. */
    int64_t device_index, session;
    const char *shard; /* for example "3/16", or "" */
    char run[160], host[65], measured_at[32];
};

struct run_column {
    const char *name; /* a unique name in snake case */
    enum column_kind kind;
    const char *unit;    /* the unit, or "" if there is none */
    const char *meaning; /* the meaning in one sentence, or "" */
    const char *missing; /* why no row of the run has a value, or "" */
    void (*value)(const struct row *row, int index, struct cell *out);
    int index;  /* the argument of value(): the index of the tunable, metric or axis */
    char *made; /* for a tunable: `name`, which the column owns; otherwise NULL */
};

struct columns {
    struct run_column *list;
    int count;
};

/*
 * Makes a run's columns. Returns ERROR_CONFIG if two have the same name, for example because a
 * metric is named twice. `metrics` may be NULL if there are none; its names are borrowed. The
 * caller frees the list with columns_free().
 */
bool columns_make(const struct plan *plan, const struct metric_plan *metrics, struct columns *out,
                  struct error *e);
void columns_free(struct columns *c);

/* Makes the row of a point. Returns false if memory runs out. */
bool row_make(const struct plan *plan, const struct manifest_device *device,
              const struct point *point, const struct outcome *outcome, struct row *out);

/* Appends the columns' descriptions to the manifest. */
void columns_describe(const struct columns *c, struct manifest *m);

/* columns_append_header() appends the columns' names, and columns_append_row() a row's cells, as
 * one line of CSV with its line break. */
void columns_append_header(const struct columns *c, struct text *line);
void columns_append_row(const struct columns *c, const struct row *row, struct text *line);

#endif
