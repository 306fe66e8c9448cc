/*
 * A row's cells, column by column, from a point, its outcome and the run's device. columns.def
 * defines the columns; this makes a list of them for one run. Private to this room.
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

/* One value; the column's kind decides which member is used. "", NaN and −1 are missing. */
struct cell {
    const char *text;
    double number;
    int64_t count;
};

/* The data from which cells are made. */
struct row {
    const struct point *point;
    const struct outcome *outcome;
    const struct plan *plan;
    const struct kernel *kernel;
    const struct manifest_device *device;
    char id[17];
    char code[17];                 /* the outcome's; "" if unknown */
    char bits[17];                 /* likewise, or RECORD_VARIES */
    char shape[SHAPE_TEXT];        /* for work by rows; else "" */
    bool timed;                    /* there are samples */
    struct summary times;          /* of the samples */
    struct trimmed_mean trimmed;   /* of the samples */
    double bandwidth;              /* GB/s; NaN if unknown */
    double peak;                   /* GB/s; NaN when unknown */
    double ceiling;                /* GB/s that reading alone reaches; NaN if not measured */
    char throttle[96];             /* the outcome's, in words */
    char flags[FLAGS_TEXT];        /* flags of the point and its outcome, in words */
    const char *uuid;              /* of the device */
    int64_t device_index, session; /* of the session (record/conditions.h); −1 */
    const char *shard;             /* "3/16"; "" */
    char run[160], host[65], measured_at[32];
};

struct run_column {
    const char *name; /* unique, snake_case */
    enum column_kind kind;
    const char *unit;    /* "" for none */
    const char *meaning; /* one sentence; may be "" */
    const char *missing; /* why the whole run lacks it; "" otherwise */
    void (*value)(const struct row *row, int index, struct cell *out);
    int index;  /* of the tunable or metric */
    char *made; /* `name`, where it is the column's own: of a tunable */
};

struct columns {
    struct run_column *list;
    int count;
};

/*
 * The columns of a run. Two of one name (a metric named twice) are ERROR_CONFIG. The others'
 * names are borrowed from `metrics` (which may be NULL: none). The list: columns_free().
 */
bool columns_make(const struct plan *plan, const struct metric_plan *metrics, struct columns *out,
                  struct error *e);
void columns_free(struct columns *c);

/* False when memory ran out. */
bool row_make(const struct plan *plan, const struct manifest_device *device,
              const struct point *point, const struct outcome *outcome, struct row *out);

/* Appends the columns' descriptions to those of a manifest. */
void columns_describe(const struct columns *c, struct manifest *m);

/* Appends the header, or a row's cells, as one line of CSV with its end. */
void columns_append_header(const struct columns *c, struct text *line);
void columns_append_row(const struct columns *c, const struct row *row, struct text *line);

#endif
