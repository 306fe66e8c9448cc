/*
 * Finds the counters for metrics, and computes the metrics from the counters' values.
 *
 * The formula of a metric is chosen once per device, when the plan is made. It is the first one
 * that applies to the device's chip and whose counters the device has. The metric has a value only
 * if all counters in its formula have values. If the formula divides by zero, the value is missing
 * (NaN). For example, a kernel without loads has no load efficiency.
 */
#include "metrics/metrics.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"

/* The state of metrics_resolve(), for the functions that it calls. */
struct resolver {
    const char *chip;
    bool (*has_counter)(void *context, const char *counter, char why[256]);
    void *context;
    const char *missing;
    VEC(struct metric_choice) choices;
    VEC(const char *) counters;
};

const struct metric *metric_find(const char *name)
{
    int count;
    const struct metric *table = metric_table(&count);
    for (int i = 0; i < count; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

/*
 * Returns whether a name has the form of a counter's name, unit__what_is_counted.rollup[.more]. It
 * must be at least as long as "x__y.z" and contain only characters that occur in such names.
 */
static bool is_counter_name(const char *name)
{
    const char *underscores = strstr(name, "__");
    const char *dot = strchr(name, '.');
    if (!underscores || underscores == name || !dot || dot < underscores + 3 || !dot[1])
        return false;
    for (const char *c = name; *c; c++)
        if (!islower((unsigned char)*c) && !isdigit((unsigned char)*c) && *c != '_' && *c != '.')
            return false;
    return dot[strlen(dot) - 1] != '.' && !strstr(dot, "..");
}

static bool unknown_metric(const char *name, struct error *e)
{
    if (strstr(name, "__") && !strchr(name, '.'))
        return FAIL(e, ERROR_CONFIG,
                    "the metric \"%s\" looks like a counter without its suffix; append .sum, .avg, "
                    ".max, .min, .pct or .ratio",
                    name);
    int count;
    const struct metric *table = metric_table(&count);
    const char **names = xcalloc((size_t)count, sizeof *names);
    char suggestion[SUGGESTION_SIZE];
    for (int i = 0; i < count; i++)
        names[i] = table[i].name;
    FAIL(e, ERROR_CONFIG,
         "unknown metric \"%s\"%s; use a name that `redsweep list metrics` prints, or a counter "
         "such as \"sm__cycles_active.avg\"",
         name, text_suggestion(name, names, (size_t)count, suggestion));
    free(names);
    return false;
}

/* Returns the index of a counter in the plan. Adds the counter to the plan if necessary. */
static int plan_counter(struct resolver *r, const char *counter)
{
    for (size_t i = 0; i < r->counters.count; i++)
        if (strcmp(r->counters.items[i], counter) == 0)
            return (int)i;
    vec_push(&r->counters, xstrdup(counter));
    return (int)r->counters.count - 1;
}

/*
 * Returns whether the device has all counters in a formula. If it does not, stores in `why` the
 * reason why it lacks the first missing counter.
 */
static bool formula_served(const struct resolver *r, const struct metric_formula *f, char why[256])
{
    for (int i = 0; i < METRIC_MAX_COUNTERS && f->counters[i]; i++)
        if (!r->has_counter(r->context, f->counters[i], why))
            return false;
    return true;
}

static bool use_formula(struct resolver *r, struct metric_choice *c, int index, struct error *e)
{
    const struct metric_formula *f = &c->metric->formulas[index];
    for (int i = 0; i < METRIC_MAX_COUNTERS && f->counters[i]; i++)
        c->counters[i] = plan_counter(r, f->counters[i]);
    if (!expr_parse(f->formula, &c->parsed, e))
        return error_prefix(e, "the formula of metric %s (harness/metrics/table.c)", c->name);
    c->formula = index;
    return true;
}

/*
 * Chooses the first formula of the metric whose counters the device has. If there is none, stores
 * why the device lacks a counter of the first formula, which is the preferred one.
 */
static bool choose_formula(struct resolver *r, struct metric_choice *c, struct error *e)
{
    for (int i = 0; i < METRIC_MAX_FORMULAS && c->metric->formulas[i].formula; i++) {
        const struct metric_formula *f = &c->metric->formulas[i];
        char why[256] = "";
        if (f->chip && !text_glob_match(f->chip, r->chip))
            continue;
        if (formula_served(r, f, why))
            return use_formula(r, c, i, e);
        if (!c->reason[0])
            snprintf(c->reason, sizeof c->reason, "%s", why);
    }
    if (!c->reason[0])
        snprintf(c->reason, sizeof c->reason, "%s is not defined for the chip %s", c->name,
                 r->chip);
    return true;
}

static void choose_counter(struct resolver *r, struct metric_choice *c)
{
    if (!r->has_counter(r->context, c->name, c->reason))
        return;
    c->reason[0] = '\0';
    c->counters[0] = plan_counter(r, c->name);
    c->formula = 0;
}

/*
 * Returns the unit of a counter if the suffix of its name determines the unit. Otherwise, returns
 * "".
 */
static const char *counter_unit(const char *name)
{
    size_t length = strlen(name);
    if (length > 4 && strcmp(name + length - 4, ".pct") == 0)
        return "%";
    if (strstr(name, ".pct_of_peak_"))
        return "%";
    return "";
}

static bool column_taken(const struct resolver *r, const char *column)
{
    for (size_t i = 0; i < r->choices.count; i++)
        if (strcmp(r->choices.items[i].column, column) == 0)
            return true;
    return false;
}

static bool add_choice(struct resolver *r, const char *name, const struct metric *metric,
                       struct error *e)
{
    struct metric_choice fresh = {.formula = -1, .metric = metric};
    for (int i = 0; i < METRIC_MAX_COUNTERS; i++)
        fresh.counters[i] = -1;
    if (strlen(name) >= sizeof fresh.name)
        return FAIL(e, ERROR_CONFIG,
                    "the metric name \"%.40s…\" is too long; the limit is %zu characters", name,
                    sizeof fresh.name - 1);
    snprintf(fresh.name, sizeof fresh.name, "%s", name);
    for (size_t i = 0; i <= strlen(name); i++)
        fresh.column[i] = name[i] == '.' ? '_' : name[i];
    if (column_taken(r, fresh.column))
        return FAIL(
            e, ERROR_CONFIG,
            "the metric \"%s\" would share the column %s with another metric; remove one of them",
            name, fresh.column);
    snprintf(fresh.unit, sizeof fresh.unit, "%s", metric ? metric->unit : counter_unit(name));
    vec_push(&r->choices, fresh);
    struct metric_choice *c = &r->choices.items[r->choices.count - 1];
    if (!r->has_counter)
        snprintf(c->reason, sizeof c->reason, "%s",
                 r->missing && r->missing[0] ? r->missing : "this device has no counters");
    else if (metric)
        return choose_formula(r, c, e);
    else
        choose_counter(r, c);
    return true;
}

static bool add_glob(struct resolver *r, const char *glob, struct error *e)
{
    int count, matched = 0;
    const struct metric *table = metric_table(&count);
    for (int i = 0; i < count; i++) {
        if (!text_glob_match(glob, table[i].name))
            continue;
        matched++;
        if (!column_taken(r, table[i].name) && !add_choice(r, table[i].name, &table[i], e))
            return false;
    }
    if (!matched)
        return FAIL(e, ERROR_CONFIG,
                    "no metric matches \"%s\"; `redsweep list metrics` prints all names", glob);
    return true;
}

static bool add_name(struct resolver *r, const char *name, struct error *e)
{
    const struct metric *metric = metric_find(name);
    if (metric)
        return add_choice(r, name, metric, e);
    if (text_is_glob(name))
        return add_glob(r, name, e);
    if (is_counter_name(name))
        return add_choice(r, name, NULL, e);
    return unknown_metric(name, e);
}

bool metrics_resolve(const char *const *names, int count, const char *chip,
                     bool (*has_counter)(void *context, const char *counter, char why[256]),
                     void *context, const char *missing, struct metric_plan *out, struct error *e)
{
    struct resolver r = {.chip = chip ? chip : "",
                         .has_counter = has_counter,
                         .context = context,
                         .missing = missing};
    bool ok = true;
    for (int i = 0; ok && i < count; i++)
        ok = add_name(&r, names[i], e);
    *out = (struct metric_plan){r.choices.items, (int)r.choices.count, r.counters.items,
                                (int)r.counters.count};
    if (!ok)
        metric_plan_free(out);
    return ok;
}

void metric_plan_free(struct metric_plan *p)
{
    for (int i = 0; i < p->count; i++)
        expr_free(p->choices[i].parsed);
    for (int i = 0; i < p->counter_count; i++)
        free((char *)p->counters[i]);
    free(p->choices);
    free(p->counters);
    memset(p, 0, sizeof *p);
}

/* Where a formula finds the values of a, b, c and d. */
struct operands {
    const struct metric_choice *choice;
    const double *counters;
};

static bool look_up_operand(void *context, const char *name, struct expr_value *value)
{
    const struct operands *o = context;
    int i = name[0] - 'a';
    if (name[0] == '\0' || name[1] != '\0' || i < 0 || i >= METRIC_MAX_COUNTERS ||
        o->choice->counters[i] < 0)
        return false;
    value->text = NULL;
    value->number = o->counters[o->choice->counters[i]];
    return true;
}

double metric_value(const struct metric_plan *p, int i, const double *counters)
{
    const struct metric_choice *c = &p->choices[i];
    if (c->formula < 0)
        return NAN;
    for (int k = 0; k < METRIC_MAX_COUNTERS; k++)
        if (c->counters[k] >= 0 && !isfinite(counters[c->counters[k]]))
            return NAN;
    if (!c->parsed)
        return counters[c->counters[0]];
    struct operands o = {c, counters};
    double value;
    if (!expr_number(c->parsed, look_up_operand, &o, &value, NULL) || !isfinite(value))
        return NAN;
    return value;
}
