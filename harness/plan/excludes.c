/* Applies the config's `exclude` and `skip`. */
#include "plan/excludes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"

struct exclude_context {
    const struct plan *plan;
    const struct point *point;
    /* The last level whose axes have values. LEVEL_COUNT: all axes have values. */
    int level;
};

/* Returns the level at which an axis gets its value. */
static int level_of(enum axis_index axis)
{
    return axis == AXIS_block    ? LEVEL_BLOCK
           : axis == AXIS_unroll ? LEVEL_UNROLL
           : axis == AXIS_scope  ? LEVEL_COUNT
                                 : LEVEL_KERNEL;
}

/* Returns whether the name is "device", the only name in expressions that is neither an axis nor a
 * tunable. */
static bool is_device(const char *name)
{
    return strcmp(name, "device") == 0;
}

static bool look_up_axis(void *context, const char *name, struct expr_value *value)
{
    const struct exclude_context *c = context;
    enum axis_index axis = axis_find(name);
    *value = (struct expr_value){.number = INFINITY};
    if (axis != AXIS_COUNT) {
        if (level_of(axis) <= c->level)
            *value = plan_axis_value(c->plan, c->point, axis);
        return true;
    }
    if (is_device(name)) { /* the value is missing if no device is known */
        *value = (struct expr_value){*c->plan->device ? c->plan->device : NULL, NAN};
        return true;
    }
    name = tunable_name(name);
    const struct kernel *k = plan_kernel(c->plan, c->point);
    for (int t = 0; t < k->tunable_count; t++)
        if (strcasecmp(k->tunables[t].name, name) == 0) {
            if (LEVEL_TUNABLES + t <= c->level)
                value->number = c->point->tunables[t];
            return true;
        }
    value->number = NAN; /* the value is missing if only other kernels have this tunable */
    for (int i = 0; i < c->plan->tunable_name_count; i++)
        if (strcasecmp(c->plan->tunable_names[i], name) == 0)
            return true;
    return false;
}

bool excludes_narrow(struct excludes *x, const struct point *p, int level)
{
    struct exclude_context context = {x->plan, p, level};
    bool excluded = false;
    int *below = x->open[level + 1], count = 0;
    for (int i = 0; i < x->open_count[level]; i++) {
        int entry = x->open[level][i];
        enum expr_truth truth =
            expr_partial(x->plan->config->excludes[entry], look_up_axis, &context);
        if (truth == EXPR_TRUE)
            excluded = x->used[entry] = true;
        else if (truth == EXPR_UNKNOWN)
            below[count++] = entry;
    }
    x->open_count[level + 1] = count;
    return excluded;
}

bool excludes_apply(struct excludes *x, const struct point *p, int level, bool *excluded,
                    struct error *e)
{
    const struct config *config = x->plan->config;
    struct exclude_context context = {x->plan, p, LEVEL_COUNT};
    *excluded = false;
    for (int i = 0; i < x->open_count[level]; i++) {
        double value;
        int entry = x->open[level][i];
        if (!expr_number(config->excludes[entry], look_up_axis, &context, &value, e))
            return error_prefix(e, "%s: exclude[%d]", config->path, entry);
        if (value != 0 && !isnan(value))
            *excluded = x->used[entry] = true;
    }
    return true;
}

bool excludes_skip(const struct excludes *x, const struct point *p, const char **reason,
                   struct error *e)
{
    const struct config *config = x->plan->config;
    struct exclude_context context = {x->plan, p, LEVEL_COUNT};
    *reason = NULL;
    for (int i = 0; i < config->skip_count && !*reason; i++) {
        double value;
        if (!expr_number(config->skips[i].where, look_up_axis, &context, &value, e))
            return error_prefix(e, "%s: skip", config->path);
        if (value != 0 && !isnan(value))
            *reason = config->skips[i].reason;
    }
    return true;
}

struct name_check {
    const struct plan *plan;
    const char *unknown;
    bool device;
};

static void check_axis(void *context, const char *name)
{
    struct name_check *c = context;
    c->device = c->device || is_device(name);
    if (axis_find(name) != AXIS_COUNT || is_device(name))
        return;
    for (int i = 0; i < c->plan->tunable_name_count; i++)
        if (strcasecmp(c->plan->tunable_names[i], tunable_name(name)) == 0)
            return;
    if (!c->unknown)
        c->unknown = name;
}

/* Checks the names in an expression. `key` says where it is, such as "exclude[2]". */
static bool check_entry(const struct plan *plan, const struct expr *entry, const char *key,
                        struct error *e)
{
    struct name_check c = {.plan = plan};
    expr_names(entry, check_axis, &c);
    if (!c.unknown)
        return true;
    char suggestion[SUGGESTION_SIZE];
    if (!text_suggestion(c.unknown, axis_names, AXIS_COUNT, suggestion)[0])
        text_suggestion(c.unknown, (const char *const *)plan->tunable_names,
                        (size_t)plan->tunable_name_count, suggestion);
    struct text axes = {0};
    for (int j = 0; j < AXIS_COUNT; j++)
        text_append(&axes, "%s%s", j ? ", " : "", axis_names[j]);
    FAIL(e, ERROR_CONFIG,
         "%s, %s: the expression \"%s\" contains the unknown name '%s'%s; use %s, device and the "
         "tunables of the chosen kernels",
         plan->config->path, key, expr_source(entry), c.unknown, suggestion, axes.bytes);
    text_free(&axes);
    return false;
}

static bool names_device(const struct plan *plan, const struct expr *entry)
{
    struct name_check c = {.plan = plan};
    expr_names(entry, check_axis, &c);
    return c.device;
}

static bool check_entries(const struct plan *plan, struct error *e)
{
    const struct config *config = plan->config;
    for (int i = 0; i < config->exclude_count; i++) {
        char key[32];
        snprintf(key, sizeof key, "exclude[%d]", i);
        if (!check_entry(plan, config->excludes[i], key, e))
            return false;
    }
    for (int i = 0; i < config->skip_count; i++)
        if (!check_entry(plan, config->skips[i].where, "skip", e))
            return false;
    return true;
}

bool excludes_begin(struct excludes *x, const struct plan *plan, struct error *e)
{
    size_t count = (size_t)plan->config->exclude_count;
    if (!check_entries(plan, e))
        return false;
    *x = (struct excludes){.plan = plan, .used = xcalloc(count, sizeof *x->used)};
    for (int level = 0; level < LEVEL_COUNT; level++)
        x->open[level] = xcalloc(count, sizeof *x->open[level]);
    for (int i = 0; i < plan->config->exclude_count; i++)
        x->open[LEVEL_KERNEL][x->open_count[LEVEL_KERNEL]++] = i;
    return true;
}

void excludes_end(struct excludes *x)
{
    for (int level = 0; level < LEVEL_COUNT; level++)
        free(x->open[level]);
    free(x->used);
}

void excludes_note_unused(const struct excludes *x, struct text *notes)
{
    const struct config *config = x->plan->config;
    for (int i = 0; i < config->exclude_count; i++)
        if (!x->used[i] && !names_device(x->plan, config->excludes[i]))
            text_append_safely(notes, "exclude[%d] excludes no point: %s\n", i,
                               expr_source(config->excludes[i]));
}
