/*
 * Writes a config that measures the tied or the fastest points again. A config states lists of axis
 * values and stands for all their combinations, so it must exclude the combinations that are not
 * wanted. There is one exclusion for each kernel and problem. It names the settings to keep rather
 * than those to exclude, because it is shorter that way.
 */
#include "analyze/best.h"

#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/memory.h"

/*
 * How to sample: until the interval is 0.2 % wide, because tied configurations differ only
 * slightly.
 */
static const char timing[] = "{\"min_samples\":200,\"max_samples\":2000,\"relative_width\":0.002,"
                             "\"budget_s\":2}";

static bool is_finalist(const struct remeasure *how, const struct problem *p, size_t i)
{
    return how->fastest ? i < how->fastest : p->tied > 1 && p->candidates[i].tied;
}

static const char *axis_of(const struct best *b, const struct candidate *c, enum axis_index axis)
{
    return results_axis(&b->runs[c->run], c->row, axis);
}

/* Adds a string or a number to a list unless it is there already. */
static void add_once(cJSON *config, const char *key, const char *cell, bool number)
{
    cJSON *list = cJSON_GetObjectItemCaseSensitive(config, key), *item;
    if (!list)
        list = cJSON_AddArrayToObject(config, key);
    cJSON *fresh = number ? cJSON_CreateNumber(strtod(cell, NULL)) : cJSON_CreateString(cell);
    cJSON_ArrayForEach(item, list)
    {
        if (cJSON_Compare(item, fresh, true)) {
            cJSON_Delete(fresh);
            return;
        }
    }
    cJSON_AddItemToArray(list, fresh);
}

static void add_axes(const struct best *b, const struct candidate *c, cJSON *config)
{
    /* the smallest block that a config may contain; CPU kernels always have block 1 */
    enum { MIN_BLOCK = 32 };
    for (enum axis_index i = 0; i < AXIS_COUNT; i++)
        if (b->axes >> i & 1 && (i != AXIS_block || atoi(axis_of(b, c, i)) >= MIN_BLOCK))
            add_once(config, axis_table[i].key, axis_of(b, c, i),
                     axis_table[i].kind == AXIS_NUMBER);
}

/*
 * Appends an expression such as "type = int32 and op = sum" from the axes of the problem or, if
 * `setting` is true, of the setting. Leaves out the axis `except`.
 */
static void append_axes(const struct best *b, const struct candidate *c, bool setting,
                        enum axis_index except, struct text *t)
{
    bool first = true;
    for (enum axis_index i = 0; i < AXIS_COUNT; i++) {
        if (i == except || axis_is_configuration(i) != setting || !(b->axes >> i & 1))
            continue;
        text_append(t, "%s%s = %s", first ? "" : " and ", axis_table[i].name, axis_of(b, c, i));
        first = false;
    }
}

static void append_setting(const struct best *b, const struct candidate *c, struct text *t)
{
    const struct results *r = &b->runs[c->run];
    append_axes(b, c, true, AXIS_kernel, t);
    for (size_t i = 0; i < r->rows.columns.count; i++) {
        const struct column *of = r->rows.columns.items[i];
        if (r->columns[i].role == ROLE_TUNABLE && !column_is_missing(of, c->row))
            text_append(t, " and %s = %s", tunable_name(of->name), column_cell(of, c->row));
    }
}

/*
 * Adds an exclusion of one kernel's unselected settings in one problem: `kernel = K and (the
 * problem) and not (setting or setting …)`.
 */
static void exclude_others(const struct best *b, const struct remeasure *how,
                           const struct problem *p, const char *kernel, cJSON *list)
{
    struct text t = {0};
    text_append(&t, "%s = %s and ", axis_table[AXIS_kernel].name, kernel);
    append_axes(b, &p->candidates[0], false, AXIS_COUNT, &t);
    size_t found = 0;
    for (size_t i = 0; i < p->count; i++) {
        const struct candidate *c = &p->candidates[i];
        if (!is_finalist(how, p, i) || strcmp(axis_of(b, c, AXIS_kernel), kernel) != 0)
            continue;
        text_append(&t, "%s", found++ ? " or (" : " and not ((");
        append_setting(b, c, &t);
        text_append(&t, ")");
    }
    if (found)
        text_append(&t, ")");
    cJSON_AddItemToArray(list, cJSON_CreateString(t.bytes));
    text_free(&t);
}

/*
 * Adds exclusions of the problems that are not wanted. If only (int32, n = 1000) and (float32, n =
 * 2000) have ties, for example, the combinations of these axis values include (float32, n = 1000).
 * One exclusion removes the unwanted series. For each remaining series, another one removes the
 * unwanted sizes.
 */
static void exclude_other_problems(const struct best *b, cJSON *list)
{
    struct text series = {0};
    for (size_t i = 0; i < b->series_count; i++) {
        const struct series *f = &b->series[i];
        const struct candidate *c = &b->problems[f->first].candidates[0];
        struct text sizes = {0};
        text_append(&series, "%s(", series.length ? " or " : "not (");
        append_axes(b, c, false, AXIS_n, &series);
        text_append(&series, ")");
        append_axes(b, c, false, AXIS_n, &sizes);
        for (size_t k = f->first; k < f->first + f->count; k++)
            text_append(&sizes, "%s%s = %.0f", k > f->first ? " or " : " and not (",
                        axis_table[AXIS_n].name, b->problems[k].n);
        text_append(&sizes, ")");
        cJSON_AddItemToArray(list, cJSON_CreateString(sizes.bytes));
        text_free(&sizes);
    }
    text_append(&series, ")");
    cJSON_AddItemToArray(list, cJSON_CreateString(series.bytes));
    text_free(&series);
}

static void fill_config(const struct best *b, const struct remeasure *how, cJSON *config)
{
    for (size_t i = 0; i < b->problem_count; i++)
        for (size_t c = 0; c < b->problems[i].count; c++)
            if (is_finalist(how, &b->problems[i], c))
                add_axes(b, &b->problems[i].candidates[c], config);
    cJSON *kernels = cJSON_GetObjectItemCaseSensitive(config, axis_table[AXIS_kernel].key), *kernel;
    cJSON *list = cJSON_AddArrayToObject(config, "exclude");
    exclude_other_problems(b, list);
    for (size_t i = 0; i < b->problem_count; i++)
        cJSON_ArrayForEach(kernel, kernels)
        {
            exclude_others(b, how, &b->problems[i], kernel->valuestring, list);
        }
}

void best_remeasure_config(const struct best *b, const struct remeasure *how, struct text *out)
{
    bool any = false;
    for (size_t i = 0; i < b->problem_count; i++)
        any = any || is_finalist(how, &b->problems[i], 0);
    if (!any)
        return;
    cJSON *config = cJSON_CreateObject(), *samples = cJSON_Parse(timing);
    cJSON_AddStringToObject(config, "name", "remeasured");
    if (how->energy_s > 0)
        cJSON_AddNumberToObject(samples, "energy_s", how->energy_s);
    cJSON_AddItemToObject(config, "timing", samples);
    cJSON_AddArrayToObject(config, "metrics");
    /* The config allows all values of tunables; the exclusions leave only the measured ones. */
    cJSON_AddStringToObject(config, "tunables", "all");
    fill_config(b, how, config);
    char *text = cJSON_Print(config);
    cJSON_Delete(config);
    text_append(out, "%s\n", text ? text : "");
    cJSON_free(text);
}
