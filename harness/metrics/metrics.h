/*
 * Metrics: names from nvprof, computed from the counters of today's GPUs.
 *
 * A metric is one row of data in table.c: name, unit, one sentence, and one or more formulas over
 * counters; the first formula whose counters the device has is used. A metric that a device lacks
 * has no value and a reason, never a value under a wrong name. A raw PerfWorks name
 * ("sm__cycles_active.avg") is also a metric.
 */
#ifndef REDSWEEP_METRICS_METRICS_H
#define REDSWEEP_METRICS_METRICS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/expr.h"

enum { METRIC_MAX_COUNTERS = 4, METRIC_MAX_FORMULAS = 3 };

struct metric_formula {
    const char *chip; /* only on devices whose chip matches this glob; NULL: on all */
    const char *counters[METRIC_MAX_COUNTERS]; /* PerfWorks names; called a, b, c, d below */
    const char *formula;                       /* over a, b, c, d */
};

struct metric {
    const char *name;    /* the legacy name, also the CSV's column */
    const char *unit;    /* "sectors", "%", "instructions/warp", … */
    const char *meaning; /* one sentence */
    bool deterministic;  /* the same in every launch of the same kernel on the same input */
    struct metric_formula formulas[METRIC_MAX_FORMULAS];
};

const struct metric *metric_table(int *count);
const struct metric *metric_find(const char *name); /* NULL if there is none */

/* How the current device provides a list of metrics. */
struct metric_choice {
    char name[128];   /* as given */
    char column[128]; /* snake_case CSV column */
    char unit[32];
    const struct metric *metric;       /* NULL for a raw counter */
    int formula;                       /* index into metric->formulas; -1: not available */
    int counters[METRIC_MAX_COUNTERS]; /* indices into the plan's counters; -1: unused */
    char reason[256];                  /* why not available */
    struct expr *parsed; /* the chosen formula; NULL for a raw counter or if not available */
};

struct metric_plan {
    struct metric_choice *choices;
    int count;
    const char **counters; /* distinct counters to request from count(); owned with their text */
    int counter_count;
};

/*
 * Chooses a formula for each name. `has_counter` NULL: there are no counters, for the reason
 * `missing`. A name may be a glob over the table ("stall_*"): it stands for the matching rows that
 * are not already chosen, so a plan can have more or fewer choices than names. ERROR_CONFIG: an
 * unknown name (neither in the table nor of a counter's form) with the nearest known one, a glob
 * that matches nothing, a name or CSV column given twice. The plan is the caller's:
 * metric_plan_free().
 */
bool metrics_resolve(const char *const *names, int count, const char *chip,
                     bool (*has_counter)(void *context, const char *counter, char why[256]),
                     void *context, const char *missing, struct metric_plan *out, struct error *e);
void metric_plan_free(struct metric_plan *p);

/* Metric i from the counters' values (NaN: missing); NaN if it cannot be computed. */
double metric_value(const struct metric_plan *p, int i, const double *counters);

#endif
