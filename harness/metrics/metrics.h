/*
 * Metrics have nvprof's names and are computed from the counters of today's GPUs.
 *
 * A metric is a row in table.c: a name, a unit, one sentence, and formulas over counters. The first
 * formula whose counters the device has is used. If the device lacks a metric, a reason takes the
 * place of its value, never the value of a different quantity. A raw PerfWorks name such as
 * "sm__cycles_active.avg" is also a metric.
 */
#ifndef REDSWEEP_METRICS_METRICS_H
#define REDSWEEP_METRICS_METRICS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/expr.h"

enum { METRIC_MAX_COUNTERS = 4, METRIC_MAX_FORMULAS = 3 };

struct metric_formula {
    /* The formula applies only to devices whose chip matches this glob. NULL: all chips. */
    const char *chip;
    /* PerfWorks names. The formula calls them a, b, c and d. */
    const char *counters[METRIC_MAX_COUNTERS];
    const char *formula; /* over a, b, c and d */
};

struct metric {
    /* nvprof's name if nvprof had the metric. Also the column's name in the CSV file. */
    const char *name;
    const char *unit;    /* such as "sectors", "%" or "instructions/warp" */
    const char *meaning; /* in one sentence */
    /* The value is the same in every launch of the same kernel on the same input. */
    bool deterministic;
    struct metric_formula formulas[METRIC_MAX_FORMULAS];
};

const struct metric *metric_table(int *count);
const struct metric *metric_find(const char *name); /* NULL if there is none */

/* How the current device provides one of the requested metrics. */
struct metric_choice {
    char name[128];   /* as the caller gave it */
    char column[128]; /* the CSV column's name, in snake_case */
    char unit[32];
    const struct metric *metric; /* NULL for a raw counter */
    int formula; /* index in metric->formulas, or -1 if the metric is not available */
    /* Indices in the plan's counters. -1: unused. */
    int counters[METRIC_MAX_COUNTERS];
    char reason[256]; /* why the metric is not available */
    /* The chosen formula. NULL for a raw counter or a metric that is not available. */
    struct expr *parsed;
};

struct metric_plan {
    struct metric_choice *choices;
    int count;
    /* Distinct counters to request from count(). The plan owns the array and the strings. */
    const char **counters;
    int counter_count;
};

/*
 * Chooses a formula for each name. If `has_counter` is NULL, the device has no counters, and
 * `missing` says why.
 *
 * A name may be a glob over the table, such as "stall_*". It adds all matching rows that no earlier
 * name chose, so a plan may have more or fewer choices than names.
 *
 * Fails with ERROR_CONFIG for a name that is neither in the table nor looks like a counter's, and
 * suggests the most similar name. Also fails for a glob that matches nothing, and for a name or a
 * CSV column that is given twice. The caller must call metric_plan_free() on the plan.
 */
bool metrics_resolve(const char *const *names, int count, const char *chip,
                     bool (*has_counter)(void *context, const char *counter, char why[256]),
                     void *context, const char *missing, struct metric_plan *out, struct error *e);
void metric_plan_free(struct metric_plan *p);

/* Computes metric i from the counters' values, where NaN means missing. Returns NaN if the metric
 * cannot be computed. */
double metric_value(const struct metric_plan *p, int i, const double *counters);

#endif
