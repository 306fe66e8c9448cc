/*
 * Computes metrics from the hardware counters of GPUs. Most metrics have the names that NVIDIA's
 * older profiler nvprof gave them.
 *
 * A metric is a row in table.c with a name, a unit, a sentence, and formulas over counters. Its
 * value is computed with the first formula whose counters the device has. If the device lacks
 * counters for all formulas, the metric has a reason instead of a value. A similar quantity is
 * never used. The name of a counter, such as "sm__cycles_active.avg", can also be used as a metric.
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
    /* Names of counters (PerfWorks). In the formula, they are called a, b, c and d. */
    const char *counters[METRIC_MAX_COUNTERS];
    const char *formula; /* an expression of a, b, c and d */
};

struct metric {
    /*
     * The name that nvprof gave the metric, if nvprof had it. The column in results.csv has the
     * same name.
     */
    const char *name;
    const char *unit;    /* such as "sectors", "%" or "instructions/warp" */
    const char *meaning; /* the sentence that explains the metric */
    /* Whether the value is the same in every launch of the same kernel on the same input. */
    bool deterministic;
    struct metric_formula formulas[METRIC_MAX_FORMULAS];
};

const struct metric *metric_table(int *count);
const struct metric *metric_find(const char *name); /* NULL if there is none */

/* A metric that a config requests, and how the device provides it. */
struct metric_choice {
    char name[128];   /* as the caller gave it */
    char column[128]; /* the CSV column's name, in snake_case */
    char unit[32];
    const struct metric *metric; /* NULL if `name` is that of a counter */
    int formula; /* index in metric->formulas, or -1 if the metric is not available */
    /* Indices in metric_plan.counters. -1: unused. */
    int counters[METRIC_MAX_COUNTERS];
    char reason[256]; /* why the metric is not available */
    /*
     * The chosen formula. NULL if `name` is that of a counter, or if the metric is not available.
     */
    struct expr *parsed;
};

struct metric_plan {
    struct metric_choice *choices;
    int count;
    /*
     * The counters that the device must count, each of them once. The plan owns the array and the
     * strings.
     */
    const char **counters;
    int counter_count;
};

/*
 * Chooses a formula for each of the metrics in `names`. `has_counter` returns whether the device
 * has a counter. If it is NULL, the device has no counters, and `missing` says why.
 *
 * A name may be a glob, such as "stall_*". A glob adds all metrics of the table that match it and
 * that no earlier name has added. Therefore, the plan may have more or fewer choices than there are
 * names.
 *
 * Fails with ERROR_CONFIG if a name is neither in the table nor has the form of a counter's name,
 * and suggests the most similar name. Also fails if a glob matches no metric, or if two names would
 * have the same column. The caller must call metric_plan_free() on the plan.
 */
bool metrics_resolve(const char *const *names, int count, const char *chip,
                     bool (*has_counter)(void *context, const char *counter, char why[256]),
                     void *context, const char *missing, struct metric_plan *out, struct error *e);
void metric_plan_free(struct metric_plan *p);

/*
 * Computes metric `i` of the plan. `counters` contains the values of the plan's counters, or NaN
 * for missing values. Returns NaN if the metric cannot be computed.
 */
double metric_value(const struct metric_plan *p, int i, const double *counters);

#endif
