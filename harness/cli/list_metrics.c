/* Lists metrics, with the chips that provide them and their counters; see list_metrics.h. */
#include "cli/list_metrics.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/terminal.h"
#include "base/text.h"
#include "devices/device.h"
#include "metrics/metrics.h"

/* The chip with which a metric is explained if the user named no chip. */
static const char usual_chip[] = "GH100";

/* The tables of one chip. If no chip was named, `tables` is NULL. */
struct source {
    char chip[32];
    const struct counter_tables *tables;
    struct chip_counters *counters;
};

/* A search for a chip by its name in the lists of all drivers. */
struct search {
    const char *wanted;
    char found[32];
    char names[128][32]; /* the names of all chips, for the message */
    int count;
};

static void meet_chip(void *context, const char *chip)
{
    struct search *s = context;
    if (strcasecmp(chip, s->wanted) == 0)
        snprintf(s->found, sizeof s->found, "%s", chip);
    if (s->count < 128)
        snprintf(s->names[s->count++], sizeof s->names[0], "%s", chip);
}

/*
 * Fails because no chip has the requested name. If a driver could not list its chips, `why` says
 * why; otherwise its kind is ERROR_NONE.
 */
static bool no_such_chip(const struct search *s, const struct error *why, struct error *e)
{
    const char *names[128];
    struct text list = {0};
    for (int i = 0; i < s->count; i++) {
        names[i] = s->names[i];
        text_append(&list, "%s%s", i ? ", " : "", names[i]);
    }
    char suggestion[SUGGESTION_SIZE];
    struct text said = {0};
    text_append_safely(&said, "--chip %s: unknown chip; use one of %s%s", s->wanted,
                       list.bytes ? list.bytes : "none",
                       text_suggestion(s->wanted, names, (size_t)s->count, suggestion));
    if (why->kind)
        text_append(&said, "\nNVIDIA's chips are missing from this list: %s", why->text);
    FAIL_LINES(e, ERROR_USAGE, "%s", said.bytes);
    text_free(&said);
    text_free(&list);
    return false;
}

static bool open_source(const char *chip, struct source *out, struct error *e)
{
    struct search search = {.wanted = chip};
    struct error why = {0};
    for (int i = 0; device_drivers[i]; i++) {
        const struct counter_tables *tables = device_drivers[i]->tables;
        if (!tables || !tables->chips(meet_chip, &search, &why) || !search.found[0])
            continue;
        snprintf(out->chip, sizeof out->chip, "%s", search.found);
        out->tables = tables;
        return tables->open(out->chip, &out->counters, e);
    }
    return no_such_chip(&search, &why, e);
}

static void close_source(struct source *s)
{
    if (s->counters)
        s->tables->close(s->counters);
}

static bool has_counter(void *context, const char *counter, char why[256])
{
    struct source *s = context;
    return s->tables->has(s->counters, counter, why);
}

/*
 * Finds out from which counters the chip provides a metric, and how many passes it needs for them.
 */
static bool resolve(struct source *s, const char *name, struct metric_plan *plan, int *passes,
                    struct error *e)
{
    *passes = 0;
    if (!metrics_resolve(&name, 1, s->chip, s->tables ? has_counter : NULL, s,
                         "--chip was not given", plan, e))
        return false;
    if (plan->counter_count && s->tables)
        *passes = s->tables->passes(s->counters, plan->counters, plan->counter_count);
    return true;
}

static cJSON *formula_json(const struct metric_formula *f)
{
    cJSON *o = cJSON_CreateObject();
    if (f->chip)
        cJSON_AddStringToObject(o, "chip", f->chip);
    cJSON *counters = cJSON_AddArrayToObject(o, "counters");
    for (int c = 0; c < METRIC_MAX_COUNTERS && f->counters[c]; c++)
        cJSON_AddItemToArray(counters, cJSON_CreateString(f->counters[c]));
    cJSON_AddStringToObject(o, "formula", f->formula);
    return o;
}

/* Adds to the object `o` from which counters the chip provides the metric, or why it cannot. */
static void add_chip(cJSON *o, struct source *s, const struct metric_plan *plan, int passes)
{
    const struct metric_choice *c = &plan->choices[0];
    cJSON_AddStringToObject(o, "chip", s->chip);
    cJSON_AddBoolToObject(o, "available", c->formula >= 0);
    cJSON_AddItemToObject(o, "reason",
                          c->formula < 0 ? cJSON_CreateString(c->reason) : cJSON_CreateNull());
    cJSON_AddItemToObject(o, "passes", passes ? cJSON_CreateNumber(passes) : cJSON_CreateNull());
    cJSON *counters = cJSON_AddArrayToObject(o, "counters");
    for (int i = 0; i < plan->counter_count; i++) {
        char description[256] = "", unit[64] = "";
        cJSON *counter = cJSON_CreateObject();
        cJSON_AddStringToObject(counter, "name", plan->counters[i]);
        if (s->tables->describe(s->counters, plan->counters[i], description, unit)) {
            cJSON_AddStringToObject(counter, "description", description);
            cJSON_AddStringToObject(counter, "unit", unit);
        }
        cJSON_AddItemToArray(counters, counter);
    }
}

/*
 * Returns a metric as a JSON object. If the user named a chip, the object also says from which
 * counters the chip provides the metric.
 */
static cJSON *metric_json(struct source *s, const struct metric_plan *plan, int passes)
{
    const struct metric_choice *c = &plan->choices[0];
    const struct metric *m = c->metric;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "name", c->name);
    cJSON_AddStringToObject(o, "meaning", m ? m->meaning : "a counter by its own name");
    cJSON_AddStringToObject(o, "unit", c->unit);
    if (m) {
        cJSON_AddBoolToObject(o, "deterministic", m->deterministic);
        cJSON *formulas = cJSON_AddArrayToObject(o, "formulas");
        for (int f = 0; f < METRIC_MAX_FORMULAS && m->formulas[f].formula; f++)
            cJSON_AddItemToArray(formulas, formula_json(&m->formulas[f]));
    }
    if (s->tables)
        add_chip(o, s, plan, passes);
    return o;
}

static void print_line(const struct source *s, const struct metric_plan *plan, int passes)
{
    const struct metric_choice *c = &plan->choices[0];
    int indent = printf("%-38s ", c->name);
    struct text line = {0};
    if (s->tables && c->formula < 0)
        text_append(&line, "not available on %s: %s", s->chip, c->reason);
    else
        text_append(&line, "[%s] %s", c->unit, c->metric->meaning);
    if (s->tables && c->formula < 0)
        indent += printf(" –  ") - 2; /* printf() counts the three bytes of the dash */
    else if (s->tables)
        indent += printf("%2d  ", passes);
    terminal_print_words(stdout, text_shown(&line), (size_t)indent);
    text_free(&line);
}

static void print_formulas(const struct metric *m, int chosen)
{
    for (int f = 0; f < METRIC_MAX_FORMULAS && m->formulas[f].formula; f++) {
        const struct metric_formula *formula = &m->formulas[f];
        printf("%s = %s", f ? "    or" : "formula", formula->formula);
        if (formula->chip)
            printf("   on %s", formula->chip);
        printf("%s\n", f == chosen ? "   (this one)" : "");
        for (int c = 0; c < METRIC_MAX_COUNTERS && formula->counters[c]; c++)
            printf("          %c = %s\n", 'a' + c, formula->counters[c]);
    }
}

static void print_explanation(struct source *s, const struct metric_plan *plan, int passes)
{
    const struct metric_choice *c = &plan->choices[0];
    printf("%s%s%s%s\n", c->name, c->unit[0] ? " [" : "", c->unit, c->unit[0] ? "]" : "");
    if (c->metric) {
        terminal_print_words(stdout, c->metric->meaning, 0);
        printf("%s\n",
               c->metric->deterministic
                   ? "The value is the same in every launch of the same kernel on the same input."
                   : "The value varies from launch to launch.");
        print_formulas(c->metric, c->formula);
    }
    if (c->formula < 0) {
        printf("The metric is not available on %s: %s\n", s->chip, c->reason);
        return;
    }
    printf("On %s the metric needs %d pass%s with the counters\n", s->chip, passes,
           passes == 1 ? "" : "es");
    for (int i = 0; i < plan->counter_count; i++) {
        char description[256] = "", unit[64] = "";
        bool described = s->tables->describe(s->counters, plan->counters[i], description, unit);
        printf("  %s%s%s%s\n", plan->counters[i], unit[0] ? " [" : "", unit, unit[0] ? "]" : "");
        if (described) {
            int indent = printf("      NVIDIA: ");
            terminal_print_words(stdout, description, (size_t)indent);
        }
    }
}

/*
 * Prints a metric, as one line or with an explanation. If `array` is not NULL, adds it to `array`
 * instead.
 */
static bool show_metric(struct source *s, const char *name, bool explain, cJSON *array,
                        struct error *e)
{
    struct metric_plan plan;
    int passes;
    if (!resolve(s, name, &plan, &passes, e))
        return false;
    if (array)
        cJSON_AddItemToArray(array, metric_json(s, &plan, passes));
    else if (explain)
        print_explanation(s, &plan, passes);
    else
        print_line(s, &plan, passes);
    metric_plan_free(&plan);
    return true;
}

bool list_metrics(const char *chip, const char *explain, cJSON *array, struct error *e)
{
    struct source s = {0};
    if (!chip && explain)
        chip = usual_chip;
    if (explain && text_is_glob(explain))
        return FAIL(e, ERROR_USAGE, "--explain %s: the option takes one metric, not a pattern",
                    explain);
    if (chip && !open_source(chip, &s, e))
        return false;
    int count;
    const struct metric *table = metric_table(&count);
    bool ok = true;
    if (explain)
        ok = show_metric(&s, explain, true, array, e);
    else if (!array && chip)
        printf("%-38s %s\n", "metric", "passes, [unit], meaning");
    for (int i = 0; ok && !explain && i < count; i++)
        ok = show_metric(&s, table[i].name, false, array, e);
    close_source(&s);
    return ok;
}
