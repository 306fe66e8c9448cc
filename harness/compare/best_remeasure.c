/*
 * A config for the points that best cannot tell apart: the product of their axes, less every point
 * of it that is not wanted. An exclusion for each kernel and problem says which of its settings are
 * wanted there, so that each stays small.
 */
#include "compare/best.h"

#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

/* Samples until the interval is a fifth of a percent wide: ties are what is close. */
static const char timing[] = "{\"min_samples\":200,\"max_samples\":2000,\"relative_width\":0.002,"
                             "\"budget_s\":2}";

static const char *text_of(const struct best *b, const struct candidate *c, const char *column)
{
    return results_text(&b->runs[c->run], c->row, column);
}

/* Adds a text or a number to a list that has it not. */
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
    static const struct {
        const char *key, *column;
        bool number;
    } axes[] = {{"kernels", "kernel", false}, {"sizes", "n", true},       {"blocks", "block", true},
                {"types", "type", false},     {"ops", "op", false},       {"cache", "cache", false},
                {"scope", "scope", false},    {"unrolls", "unroll", true}};
    enum { LEAST_BLOCK = 32 }; /* of a config: kernels of the CPU, block 1, have it all the same */
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++)
        if (strcmp(axes[i].key, "blocks") != 0 || atoi(text_of(b, c, "block")) >= LEAST_BLOCK)
            add_once(config, axes[i].key, text_of(b, c, axes[i].column), axes[i].number);
}

static void append_problem(const struct best *b, const struct candidate *c, struct text *t)
{
    text_append(t, "type = %s and op = %s and n = %s and cache = %s and scope = %s",
                text_of(b, c, "type"), text_of(b, c, "op"), text_of(b, c, "n"),
                text_of(b, c, "cache"), text_of(b, c, "scope"));
}

static void append_setting(const struct best *b, const struct candidate *c, struct text *t)
{
    const struct results *r = &b->runs[c->run];
    text_append(t, "block = %s and unroll = %s", text_of(b, c, "block"), text_of(b, c, "unroll"));
    for (size_t i = 0; i < r->rows.column_count; i++) {
        const char *cell = table_cell(&r->rows, c->row, (int)i);
        if (r->columns[i].role == ROLE_TUNABLE && *cell)
            text_append(t, " and %s = %s", r->rows.columns[i], cell);
    }
}

/* `kernel = K and (the problem) and not (setting or setting …)`: nothing but the tied ones. */
static bool exclude_others(const struct best *b, const struct problem *p, const char *kernel,
                           cJSON *list)
{
    struct text t = {0};
    text_append(&t, "kernel = %s and ", kernel);
    append_problem(b, &p->candidates[0], &t);
    size_t tied = 0;
    for (size_t i = 0; i < p->count; i++) {
        const struct candidate *c = &p->candidates[i];
        if (!c->tied || p->tied < 2 || strcmp(text_of(b, c, "kernel"), kernel) != 0)
            continue;
        text_append(&t, "%s", tied++ ? " or (" : " and not ((");
        append_setting(b, c, &t);
        text_append(&t, ")");
    }
    if (tied)
        text_append(&t, ")");
    if (!t.failed)
        cJSON_AddItemToArray(list, cJSON_CreateString(t.bytes));
    bool ok = !t.failed;
    text_free(&t);
    return ok;
}

static void append_family(const struct best *b, const struct family *f, struct text *t)
{
    const struct candidate *c = &b->problems[f->first].candidates[0];
    text_append(t, "type = %s and op = %s and cache = %s and scope = %s", text_of(b, c, "type"),
                text_of(b, c, "op"), text_of(b, c, "cache"), text_of(b, c, "scope"));
}

/*
 * The product of axes also makes problems that nobody asked for: (float32, n = 1000) where only
 * (int32, n = 1000) and (float32, n = 2000) are tied. One exclusion for families that are not
 * there, and one for each family's sizes.
 */
static bool exclude_other_problems(const struct best *b, cJSON *list)
{
    struct text families = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < b->family_count; i++) {
        const struct family *f = &b->families[i];
        struct text sizes = {0};
        text_append(&families, "%s(", families.length ? " or " : "not (");
        append_family(b, f, &families);
        text_append(&families, ")");
        append_family(b, f, &sizes);
        for (size_t k = f->first; k < f->first + f->count; k++)
            text_append(&sizes, "%sn = %.0f", k > f->first ? " or " : " and not (",
                        b->problems[k].n);
        text_append(&sizes, ")");
        ok = !sizes.failed;
        if (ok)
            cJSON_AddItemToArray(list, cJSON_CreateString(sizes.bytes));
        text_free(&sizes);
    }
    text_append(&families, ")");
    ok = ok && !families.failed;
    if (ok)
        cJSON_AddItemToArray(list, cJSON_CreateString(families.bytes));
    text_free(&families);
    return ok;
}

static bool fill_config(const struct best *b, cJSON *config)
{
    for (size_t i = 0; i < b->problem_count; i++)
        for (size_t c = 0; b->problems[i].tied > 1 && c < b->problems[i].count; c++)
            if (b->problems[i].candidates[c].tied)
                add_axes(b, &b->problems[i].candidates[c], config);
    cJSON *kernels = cJSON_GetObjectItemCaseSensitive(config, "kernels"), *kernel;
    cJSON *list = cJSON_AddArrayToObject(config, "exclude");
    bool ok = exclude_other_problems(b, list);
    for (size_t i = 0; ok && i < b->problem_count; i++)
        cJSON_ArrayForEach(kernel, kernels)
        {
            ok = ok && exclude_others(b, &b->problems[i], kernel->valuestring, list);
        }
    return ok;
}

bool best_remeasure_config(const struct best *b, struct text *out)
{
    size_t tied = 0;
    for (size_t i = 0; i < b->problem_count; i++)
        tied += b->problems[i].tied > 1;
    if (!tied)
        return true;
    cJSON *config = cJSON_CreateObject();
    cJSON_AddStringToObject(config, "name", "remeasured");
    cJSON_AddItemToObject(config, "timing", cJSON_Parse(timing));
    cJSON_AddArrayToObject(config, "metrics");
    bool ok = fill_config(b, config);
    char *text = ok ? cJSON_Print(config) : NULL;
    cJSON_Delete(config);
    if (text)
        text_append(out, "%s\n", text);
    cJSON_free(text);
    return text && !out->failed;
}
