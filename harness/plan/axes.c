/* Chooses the kernels of a sweep, and for each kernel the values of each axis. */
#include "plan/axes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "base/vec.h"

static bool takes_all(const char *pattern)
{
    return strspn(pattern, "*") == strlen(pattern);
}

static bool matches(const char *pattern, const struct kernel *k)
{
    return strcmp(pattern, k->name) == 0 ||
           (kernel_matches(k, pattern) && !(k->racy && takes_all(pattern)));
}

static const char *config_path(const struct config *config)
{
    return config->path && config->path[0] ? config->path : "config";
}

/* Sets chosen[i] for each kernel in the catalogue that takes part in the sweep. */
static bool choose_from_config(const struct config *config, const struct catalogue *c, bool *chosen,
                               struct error *e)
{
    for (int i = 0; i < c->count && config->kernels.count == 0; i++)
        chosen[i] = !c->kernels[i]->racy;
    for (int entry = 0; entry < config->kernels.count; entry++) {
        const char *name = config->kernels.names[entry];
        char suggestion[SUGGESTION_SIZE];
        bool found = false;
        for (int i = 0; i < c->count; i++)
            if (matches(name, c->kernels[i]))
                chosen[i] = found = true;
        if (!found)
            return FAIL(e, ERROR_CONFIG,
                        "%s, kernels[%d]: %s \"%s\"%s; redsweep list kernels prints all names",
                        config_path(config), entry,
                        text_is_glob(name) ? "no kernel matches" : "there is no kernel", name,
                        catalogue_suggestion(c, name, suggestion));
    }
    return true;
}

static bool chooses_row_length(const struct config *config, bool rows)
{
    const struct config_values *v = &config->axis_values[AXIS_row_length];
    for (int i = 0; i < v->count; i++)
        if ((v->values[i] > 0) == rows)
            return true;
    return v->count == 0 && !rows;
}

/* Returns whether a workload has points at the config's shapes, row lengths and inner sizes. */
static bool chooses_rows(const struct config *config, const struct workload *workload)
{
    for (int i = 0; i < config->shape_count && workload->by_rows; i++)
        if (workload->any_axis || config->shapes[i].inner == 1)
            return true;
    if (config->only_shapes)
        return false;
    const struct config_values *inner = &config->axis_values[AXIS_inner];
    for (int i = 0; i < inner->count && !workload->any_axis; i++)
        if (inner->values[i] == 1)
            return chooses_row_length(config, workload->by_rows);
    return (workload->any_axis || inner->count == 0) &&
           chooses_row_length(config, workload->by_rows);
}

/* Checks that each entry of `kernels` has points: row-wise kernels at row lengths above 0, other
 * kernels at row length 0. */
static bool check_rows(const struct config *config, const struct catalogue *c, struct error *e)
{
    for (int entry = 0; entry < config->kernels.count; entry++) {
        const char *name = config->kernels.names[entry];
        const struct workload *workload = NULL;
        for (int i = 0; i < c->count; i++) {
            if (!matches(name, c->kernels[i]))
                continue;
            workload = c->kernels[i]->workload;
            if (chooses_rows(config, workload))
                break;
        }
        if (workload && !chooses_rows(config, workload))
            return FAIL(
                e, ERROR_CONFIG, "%s, kernels[%d]: \"%s\" %s", config_path(config), entry, name,
                config->only_shapes ? workload->by_rows
                                          ? "reduces rows whose elements are contiguous; add a "
                                            "shape with two dimensions"
                                          : "does not reduce rows; add sizes to the shapes"
                : !chooses_row_length(config, workload->by_rows)
                    ? workload->by_rows
                          ? "reduces rows; give their shapes, such as \"shapes\": \"4096x5120\", "
                            "or lengths, such as \"row_lengths\": 1024"
                          : "does not reduce rows; add 0 to row_lengths"
                    : "reduces rows whose elements are contiguous; add 1 to inners");
    }
    return true;
}

/* Sets the block sizes. A kernel whose only block size is 1 has no block axis, because no config
 * can request this size. */
static void fill_blocks(const struct config *config, struct kernel_axes *a)
{
    static const uint64_t one[] = {1};
    const struct kernel *k = a->kernel;
    bool serial =
        k->block_rule == BLOCKS_LISTED && k->blocks.count == 1 && k->blocks.values[0] == 1;
    a->blocks = serial ? one : config->axis_values[AXIS_block].values;
    a->block_count = serial ? 1 : config->axis_values[AXIS_block].count;
}

static void fill_unrolls(const struct config *config, struct kernel_axes *a)
{
    const struct int_list *allowed = &a->kernel->unrolls;
    if (allowed->count == 0)
        a->unrolls[a->unroll_count++] = 1;
    const struct config_values *chosen = &config->axis_values[AXIS_unroll];
    for (int i = 0; i < chosen->count; i++)
        for (int j = 0; j < allowed->count; j++)
            if ((uint64_t)allowed->values[j] == chosen->values[i])
                a->unrolls[a->unroll_count++] = chosen->values[i];
}

static int ascending(const void *a, const void *b)
{
    int first = *(const int *)a, second = *(const int *)b;
    return (first > second) - (first < second);
}

static const struct config_tunable *config_tunable(const struct config *config, const char *name)
{
    for (int i = 0; i < config->tunable_count; i++)
        if (strcasecmp(config->tunables[i].name, name) == 0)
            return &config->tunables[i];
    return NULL;
}

static bool no_value_left(const struct config *config, const struct kernel *k,
                          const struct tunable *t, struct error *e)
{
    struct text allowed = {0};
    for (int i = 0; i < t->allowed.count; i++)
        text_append(&allowed, " %d", t->allowed.values[i]);
    FAIL(e, ERROR_CONFIG,
         "%s, tunables.%s: the kernel %s allows none of these values; choose some of%s (%s)",
         config_path(config), config_tunable(config, t->name)->name, k->name, text_shown(&allowed),
         k->path);
    text_free(&allowed);
    return false;
}

static bool takes_value(const struct config *config, const struct config_tunable *wanted,
                        const struct tunable *t, int value)
{
    if (wanted ? wanted->all : config->all_tunables)
        return true;
    if (!wanted)
        return value == t->otherwise;
    for (int i = 0; i < wanted->count; i++)
        if (wanted->values[i] == value)
            return true;
    return false;
}

/* Sets the values that the config requests for each of the kernel's tunables, or the default of a
 * tunable that the config does not name. */
static bool fill_tunables(const struct config *config, struct kernel_axes *a, struct error *e)
{
    for (int i = 0; i < a->kernel->tunable_count; i++) {
        const struct tunable *t = &a->kernel->tunables[i];
        const struct config_tunable *wanted = config_tunable(config, t->name);
        struct int_list *values = &a->tunables[i];
        for (int j = 0; j < t->allowed.count; j++)
            if (takes_value(config, wanted, t, t->allowed.values[j]))
                values->values[values->count++] = t->allowed.values[j];
        if (values->count == 0)
            return no_value_left(config, a->kernel, t, e);
        qsort(values->values, (size_t)values->count, sizeof *values->values, ascending);
    }
    return true;
}

/* Sets the scopes. A complete kernel takes the same time in both scopes, so it gets only one. */
static void fill_scopes(const struct config *config, struct kernel_axes *a)
{
    if (a->kernel->complete) {
        a->scopes[a->scope_count++] = SCOPE_COMPLETE;
        return;
    }
    const struct config_values *chosen = &config->axis_values[AXIS_scope];
    for (int i = 0; i < chosen->count; i++)
        a->scopes[a->scope_count++] = (enum scope)chosen->values[i];
}

/* Checks that each tunable in the config belongs to a chosen kernel. */
static bool check_tunables(const struct config *config, const struct kernel_axes *axes, int count,
                           struct error *e)
{
    char **names;
    int name_count;
    bool ok = true;
    axes_tunable_names(axes, count, &names, &name_count);
    for (int i = 0; ok && i < config->tunable_count; i++) {
        const char *wanted = config->tunables[i].name;
        char lower[128];
        size_t length = 0;
        for (; wanted[length] && length + 1 < sizeof lower; length++)
            lower[length] = (char)tolower((unsigned char)wanted[length]);
        lower[length] = '\0';
        bool found = false;
        for (int j = 0; j < name_count; j++)
            found = found || strcmp(names[j], lower) == 0;
        if (found)
            continue;
        char suggestion[SUGGESTION_SIZE];
        ok = FAIL(
            e, ERROR_CONFIG,
            "%s, tunables.%s: none of the chosen kernels has a tunable with this name%s",
            config_path(config), wanted,
            text_suggestion(lower, (const char *const *)names, (size_t)name_count, suggestion));
    }
    for (int i = 0; i < name_count; i++)
        free(names[i]);
    free(names);
    return ok;
}

bool axes_choose(const struct config *config, const struct catalogue *catalogue,
                 struct kernel_axes **out, int *count, struct error *e)
{
    *out = NULL;
    *count = 0;
    size_t kernels = (size_t)catalogue->count;
    bool *chosen = xcalloc(kernels, sizeof *chosen);
    struct kernel_axes *axes = xcalloc(kernels, sizeof *axes);
    bool ok = choose_from_config(config, catalogue, chosen, e) && check_rows(config, catalogue, e);
    for (size_t i = 0; ok && i < kernels; i++) {
        if (!chosen[i])
            continue;
        struct kernel_axes *a = &axes[(*count)++];
        a->index = (uint32_t)i;
        a->kernel = catalogue->kernels[i];
        fill_blocks(config, a);
        fill_unrolls(config, a);
        fill_scopes(config, a);
        ok = fill_tunables(config, a, e);
    }
    ok = ok && check_tunables(config, axes, *count, e);
    free(chosen);
    if (ok)
        *out = axes;
    else
        free(axes);
    return ok;
}

/* Returns whether the kernel supports this unroll factor. A kernel without unroll factors has
 * factor 1. */
static bool has_unroll(const struct kernel *k, int unroll)
{
    for (int i = 0; i < k->unrolls.count; i++)
        if (k->unrolls.values[i] == unroll)
            return true;
    return k->unrolls.count == 0 && unroll == 1;
}

void axes_note_unused(const struct config *config, const struct kernel_axes *axes, int count,
                      struct text *notes)
{
    enum { ALL_UNROLLS = 64 };
    const struct config_values *wanted = &config->axis_values[AXIS_unroll];
    for (int i = 0; i < wanted->count && wanted->count < ALL_UNROLLS; i++) {
        bool found = false;
        for (int k = 0; k < count && !found; k++)
            found = has_unroll(axes[k].kernel, (int)wanted->values[i]);
        if (!found)
            text_append(notes,
                        "no chosen kernel supports the unroll factor %d listed in \"unrolls\"\n",
                        (int)wanted->values[i]);
    }
}

static int by_text(const void *a, const void *b)
{
    const char *const *first = a, *const *second = b;
    return strcmp(*first, *second);
}

void axes_tunable_names(const struct kernel_axes *axes, int count, char ***names, int *name_count)
{
    VEC(char *) found = {0};
    for (int i = 0; i < count; i++)
        for (int t = 0; t < axes[i].kernel->tunable_count; t++) {
            const char *name = axes[i].kernel->tunables[t].name;
            size_t j = 0;
            while (j < found.count && strcasecmp(found.items[j], name) != 0)
                j++;
            if (j < found.count)
                continue;
            char *lower = xstrdup(name);
            for (char *p = lower; *p; p++)
                *p = (char)tolower((unsigned char)*p);
            vec_push(&found, lower);
        }
    if (found.count)
        qsort(found.items, found.count, sizeof *found.items, by_text);
    *names = found.items;
    *name_count = (int)found.count;
}
