/*
 * From metric names to counters, and from counters back to values: see metrics.h.
 *
 * A formula is chosen once per device, when the plan is made: the first whose chip matches and
 * whose counters all exist. A value is computed only when every counter of its formula has one,
 * and is missing (NaN) when the formula divides by zero: a kernel without loads has no load
 * efficiency.
 */
#include "metrics/metrics.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* What metrics_resolve() was asked, for the functions that it is made of. */
struct resolver {
    const char *chip;
    bool (*has_counter)(void *context, const char *counter, char why[256]);
    void *context;
    const char *missing;
    struct metric_plan *plan;
    int capacity, counter_capacity;
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

/* unit__what_is_counted.rollup[.more]: at least "x__y.z", of the characters that names use. */
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
                    "metric \"%s\" looks like a counter without its suffix: append .sum, .avg, "
                    ".max, .min, .pct or .ratio",
                    name);
    int count;
    const struct metric *table = metric_table(&count);
    const char **names = malloc((size_t)count * sizeof *names);
    if (!names)
        return FAIL(e, ERROR_MEMORY, "out of memory while looking for metric \"%s\"", name);
    for (int i = 0; i < count; i++)
        names[i] = table[i].name;
    const char *nearest = text_nearest(name, names, (size_t)count);
    free(names);
    return FAIL(e, ERROR_CONFIG,
                "metric \"%s\" is not known%s%s%s; `redsweep list metrics` shows all names, and a "
                "counter's own name (\"sm__cycles_active.avg\") works too",
                name, nearest ? ": did you mean \"" : "", nearest ? nearest : "",
                nearest ? "\"?" : "");
}

/* The index of a counter in the plan, added when it is new; -1 when memory runs out. */
static int plan_counter(struct resolver *r, const char *counter)
{
    struct metric_plan *p = r->plan;
    for (int i = 0; i < p->counter_count; i++)
        if (strcmp(p->counters[i], counter) == 0)
            return i;
    if (p->counter_count == r->counter_capacity) {
        int capacity = r->counter_capacity ? 2 * r->counter_capacity : 16;
        const char **grown = realloc(p->counters, (size_t)capacity * sizeof *grown);
        if (!grown)
            return -1;
        p->counters = grown;
        r->counter_capacity = capacity;
    }
    char *copy = strdup(counter);
    if (!copy)
        return -1;
    p->counters[p->counter_count] = copy;
    return p->counter_count++;
}

/* Whether the device has all counters of a formula; else the first one's reason. */
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
    for (int i = 0; i < METRIC_MAX_COUNTERS && f->counters[i]; i++) {
        c->counters[i] = plan_counter(r, f->counters[i]);
        if (c->counters[i] < 0)
            return FAIL(e, ERROR_MEMORY, "out of memory for the counters of %s", c->name);
    }
    if (!expr_parse(f->formula, &c->parsed, e))
        return error_prefix(e, "the formula of metric %s (harness/metrics/table.c)", c->name);
    c->formula = index;
    return true;
}

/*
 * Takes the first formula that the device serves. Otherwise the reason is the first formula's:
 * it is the one that the metric is meant to come from.
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

static bool choose_counter(struct resolver *r, struct metric_choice *c, struct error *e)
{
    if (!r->has_counter(r->context, c->name, c->reason))
        return true;
    c->reason[0] = '\0';
    c->counters[0] = plan_counter(r, c->name);
    if (c->counters[0] < 0)
        return FAIL(e, ERROR_MEMORY, "out of memory for the counter %s", c->name);
    c->formula = 0;
    return true;
}

/* A raw counter's unit follows from its suffix, where one does: its base unit is the chip's. */
static const char *counter_unit(const char *name)
{
    size_t length = strlen(name);
    if (length > 4 && strcmp(name + length - 4, ".pct") == 0)
        return "%";
    if (strstr(name, ".pct_of_peak_"))
        return "%";
    return "";
}

static bool column_taken(const struct metric_plan *p, const char *column)
{
    for (int i = 0; i < p->count; i++)
        if (strcmp(p->choices[i].column, column) == 0)
            return true;
    return false;
}

static bool add_choice(struct resolver *r, const char *name, const struct metric *metric,
                       struct error *e)
{
    struct metric_plan *p = r->plan;
    if (p->count == r->capacity) {
        int capacity = r->capacity ? 2 * r->capacity : 16;
        struct metric_choice *grown = realloc(p->choices, (size_t)capacity * sizeof *grown);
        if (!grown)
            return FAIL(e, ERROR_MEMORY, "out of memory for %d metrics", capacity);
        p->choices = grown;
        r->capacity = capacity;
    }
    struct metric_choice *c = &p->choices[p->count];
    memset(c, 0, sizeof *c);
    c->formula = -1;
    for (int i = 0; i < METRIC_MAX_COUNTERS; i++)
        c->counters[i] = -1;
    if (strlen(name) >= sizeof c->name)
        return FAIL(e, ERROR_CONFIG, "metric \"%.40s…\" is too long: at most %zu characters", name,
                    sizeof c->name - 1);
    snprintf(c->name, sizeof c->name, "%s", name);
    for (size_t i = 0; i <= strlen(name); i++)
        c->column[i] = name[i] == '.' ? '_' : name[i];
    if (column_taken(p, c->column))
        return FAIL(e, ERROR_CONFIG,
                    "metric \"%s\" is given twice: each needs a column %s of its own, so remove "
                    "one",
                    name, c->column);
    c->metric = metric;
    snprintf(c->unit, sizeof c->unit, "%s", metric ? metric->unit : counter_unit(name));
    p->count++;
    if (!r->has_counter) {
        snprintf(c->reason, sizeof c->reason, "%s",
                 r->missing && r->missing[0] ? r->missing : "this device has no counters");
        return true;
    }
    return metric ? choose_formula(r, c, e) : choose_counter(r, c, e);
}

static bool add_glob(struct resolver *r, const char *glob, struct error *e)
{
    int count, matched = 0;
    const struct metric *table = metric_table(&count);
    for (int i = 0; i < count; i++) {
        if (!text_glob_match(glob, table[i].name))
            continue;
        matched++;
        if (!column_taken(r->plan, table[i].name) && !add_choice(r, table[i].name, &table[i], e))
            return false;
    }
    if (!matched)
        return FAIL(e, ERROR_CONFIG,
                    "metric \"%s\" matches no name; `redsweep list metrics` shows all names", glob);
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
    memset(out, 0, sizeof *out);
    struct resolver r = {.chip = chip ? chip : "",
                         .has_counter = has_counter,
                         .context = context,
                         .missing = missing,
                         .plan = out};
    for (int i = 0; i < count; i++)
        if (!add_name(&r, names[i], e)) {
            metric_plan_free(out);
            return false;
        }
    return true;
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

/* The names a, b, c, d of a formula. */
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
