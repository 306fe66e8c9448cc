/*
 * Metrics have the names of nvprof and are computed from the counters of today's GPUs.
 *
 * A metric is one row of data in table.c. It consists of a name, a unit, one sentence, and one or
 * more formulas over counters. The first formula whose counters the device has is used. If a device
 * lacks a metric, the metric has a reason instead of a value. It never has the value of a different
 * quantity. A raw PerfWorks name such as "sm__cycles_active.avg" is also a metric.
 */
#ifndef REDSWEEP_METRICS_METRICS_H
#define REDSWEEP_METRICS_METRICS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/expr.h"

enum { METRIC_MAX_COUNTERS = 4, METRIC_MAX_FORMULAS = 3 };

struct metric_formula {
    /* The formula applies only to devices whose chip matches this glob. NULL stands for all
     * chips. */
    const char *chip;
    /* These are PerfWorks names. The formula refers to them as a, b, c and d. */
    const char *counters[METRIC_MAX_COUNTERS];
    const char *formula; /* an expression over a, b, c and d */
};

struct metric {
    /*
     * This is nvprof's name if nvprof had the metric. It is also the name of the column in the CSV
     * file.
     */
    const char *name;
    const char *unit;    /* a unit such as "sectors", "%" or "instructions/warp" */
    const char *meaning; /* the meaning in one sentence */
    /* This is true if the value is the same in every launch of the same kernel on the same
     * input. */
    bool deterministic;
    struct metric_formula formulas[METRIC_MAX_FORMULAS];
};

const struct metric *metric_table(int *count);
const struct metric *metric_find(const char *name); /* The result is NULL if there is none. */

/* This describes how the current device provides one of the requested metrics. */
struct metric_choice {
    char name[128];   /* the name as the caller gave it */
    char column[128]; /* the name of the CSV column in snake_case */
    char unit[32];
    const struct metric *metric; /* This is NULL for a raw counter. */
    int formula; /* the index in metric->formulas, or -1 if the metric is not available */
    /* These are indices in the plan's counters. The index -1 marks an unused entry. */
    int counters[METRIC_MAX_COUNTERS];
    char reason[256]; /* why the metric is not available */
    /* The chosen formula, or NULL for a raw counter or a metric that is not available. */
    struct expr *parsed;
};

struct metric_plan {
    struct metric_choice *choices;
    int count;
    /* The distinct counters to request from count(). The plan owns the array and the strings. */
    const char **counters;
    int counter_count;
};

/*
 * Chooses a formula for each name. If `has_counter` is NULL, the device has no counters, and
 * `missing` gives the reason.
 *
 * A name may be a glob over the table, such as "stall_*". It chooses all matching rows that are not
 * already chosen, so a plan can have more or fewer choices than names.
 *
 * The function fails with ERROR_CONFIG for a name that is not in the table and does not have the
 * form of a counter's name. The message then contains the most similar known name. The function
 * also fails for a glob that matches nothing, and for a name or a CSV column that is given twice.
 * The caller must call metric_plan_free() on the plan.
 */
bool metrics_resolve(const char *const *names, int count, const char *chip,
                     bool (*has_counter)(void *context, const char *counter, char why[256]),
                     void *context, const char *missing, struct metric_plan *out, struct error *e);
void metric_plan_free(struct metric_plan *p);

/* Computes metric i from the values of the counters, where NaN means that a value is missing.
 * Returns NaN if the metric cannot be computed. */
double metric_value(const struct metric_plan *p, int i, const double *counters);

#endif
