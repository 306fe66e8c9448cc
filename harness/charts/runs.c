/* Implements runs.h. */
#include "charts/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/results_columns.h"
#include "base/memory.h"

/* ---- Names ----------------------------------------------------------------------------------- */

enum { DEEPEST = 9 };

/* Returns the last `depth` components of a path. */
static const char *path_end(const char *path, int depth)
{
    const char *end = path + strlen(path);
    while (end > path && depth > 0) {
        end--;
        depth -= *end == '/';
    }
    return *end == '/' ? end + 1 : end;
}

static bool all_differ(char *const *paths, size_t count, int depth)
{
    struct numbering seen = {0};
    for (size_t i = 0; i < count; i++)
        numbering_add(&seen, path_end(paths[i], depth));
    bool differ = seen.texts.count == count;
    numbering_free(&seen);
    return differ;
}

enum { FACTS = 3 };

/*
 * Returns one of the FACTS facts in which runs can differ: the device (0), the driver (1), or
 * redsweep's version without the commit (2).
 */
static char *fact_of(const struct results *run, int fact)
{
    const struct provenance *p = &run->manifest.provenance;
    const char *name = p->device.name, *version = p->redsweep ? p->redsweep : "";
    if (strncmp(name, "NVIDIA ", strlen("NVIDIA ")) == 0)
        name += strlen("NVIDIA ");
    if (fact == 0)
        return xstrdup(name);
    if (fact == 1)
        return *p->device.driver ? xasprintf("driver %s", p->device.driver) : xstrdup("");
    size_t length = strcspn(version, " (");
    return length ? xasprintf("version %.*s", (int)length, version) : xstrdup("");
}

static void append_facts(const struct results *runs, size_t count, size_t i, struct text *name)
{
    bool any = false;
    for (int fact = 0; fact < FACTS; fact++) {
        char *own = fact_of(&runs[i], fact);
        bool differs = false;
        for (size_t k = 0; k < count && !differs; k++) {
            char *other = fact_of(&runs[k], fact);
            differs = strcmp(own, other) != 0;
            free(other);
        }
        if (differs && *own)
            text_append(name, "%s%s", any ? ", " : " (", own);
        any = any || (differs && *own);
        free(own);
    }
    text_append(name, "%s", any ? ")" : "");
}

char **runs_names(const struct results *runs, size_t count)
{
    char **names = xcalloc(count + 1, sizeof *names), **paths = xcalloc(count + 1, sizeof *paths);
    int depth = 1;
    for (size_t i = 0; i < count; i++) {
        paths[i] = realpath(runs[i].folder, NULL);
        paths[i] = paths[i] ? paths[i] : xstrdup(runs[i].folder);
    }
    while (depth <= DEEPEST && !all_differ(paths, count, depth))
        depth++;
    for (size_t i = 0; i < count; i++) {
        struct text name = {0};
        text_append(&name, "%s", path_end(paths[i], depth));
        if (depth > DEEPEST) /* the user named the same folder twice */
            text_append(&name, " #%zu", i + 1);
        append_facts(runs, count, i, &name);
        names[i] = name.bytes;
    }
    for (size_t i = 0; i < count; i++)
        free(paths[i]);
    free(paths);
    return names;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Sets the cells of an axis to the axis's default in the rows of runs that lack the axis. */
static void fill_axis(struct column *c, const struct run_row *rows, size_t count,
                      enum axis_index axis)
{
    for (size_t i = 0; i < count; i++) {
        if (!column_is_missing(c, i))
            continue;
        const char *value = results_axis(rows[i].run, rows[i].row, axis);
        if (c->codes)
            column_set_text(c, i, value);
        if (c->numbers && *value)
            c->numbers[i] = strtod(value, NULL);
    }
}

static void forget_times(struct results *out, const struct run_row *rows)
{
    const struct known_columns *known = &out->known;
    const struct column *const times[] = {known->time_us_median, known->time_us_ci95_lo,
                                          known->time_us_ci95_hi, known->bandwidth_gbs};
    for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
        const struct column *c = times[k];
        for (size_t i = 0; c && c->numbers && i < out->rows.row_count; i++)
            if (strcmp(results_backend(rows[i].run), "sim") == 0)
                c->numbers[i] = NAN;
    }
}

static void join_columns(const struct results *runs, size_t count, const struct run_row *rows,
                         struct results *out)
{
    VEC(struct results_column) roles = {0};
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < runs[i].rows.columns.count; k++) {
            const struct column *from = runs[i].rows.columns.items[k];
            bool own = strcmp(from->name, "run") == 0 || strcmp(from->name, "started") == 0;
            if (own || table_column(&out->rows, from->name) >= 0)
                continue; /* a merged run has its own column `run` */
            char *name = table_keep(&out->rows, xstrdup(from->name));
            struct column like = {.name = name,
                                  .alias = from->alias ? tunable_name(name) : NULL,
                                  .kind = from->kind,
                                  .digits = from->digits};
            like.unit = from->unit ? table_keep(&out->rows, xstrdup(from->unit)) : NULL;
            results_add(&out->rows, rows, from->name, like);
            vec_push(&roles, (struct results_column){runs[i].columns[k].role, ""});
        }
    for (enum axis_index axis = 0; axis < AXIS_COUNT; axis++) {
        struct column *c = table_find(&out->rows, axis_table[axis].name);
        if (c)
            fill_axis(c, rows, out->rows.row_count, axis);
    }
    for (int added = 0; added < 2; added++)
        /* `run` and `started` */
        vec_push(&roles, (struct results_column){ROLE_FACT, ""});
    out->columns = roles.items;
    known_columns_find(&out->rows, &out->known);
}

/* Takes each kernel's role and workload from the first run that contains the kernel. */
static void join_kernels(const struct results *runs, size_t count, struct manifest *out)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < runs[i].manifest.provenance.kernels.count; k++) {
            const struct manifest_kernel *from = &runs[i].manifest.provenance.kernels.items[k];
            if (manifest_kernel(out, from->name))
                continue;
            struct manifest_kernel *kernel = manifest_add_kernel(out, from->name);
            member_set(&kernel->role, from->role);
            member_set(&kernel->workload, from->workload);
        }
}

void runs_join(const struct results *runs, size_t count, char *const *names, struct results *out)
{
    VEC(struct run_row) rows = {0};
    VEC(const char *) run_of = {0};
    VEC(unsigned) flags = {0};
    *out = (struct results){.path = xstrdup("the runs"), .folder = xstrdup("")};
    manifest_clear(&out->manifest);
    for (size_t i = 0; i < count; i++)
        for (uint32_t row = 0; row < runs[i].rows.row_count; row++) {
            vec_push(&rows, (struct run_row){.run = &runs[i], .row = row});
            vec_push(&run_of, names[i]);
            vec_push(&flags, runs[i].flags[row]);
        }
    out->rows.row_count = rows.count;
    out->flags = flags.items;
    join_columns(runs, count, rows.items, out);
    table_add_texts(&out->rows, i, run_of.items[i], "run");
    table_add_texts(&out->rows, i, rows.items[i].run->manifest.provenance.started, "started");
    join_kernels(runs, count, &out->manifest);
    results_find_kernels(out);
    forget_times(out, rows.items);
    for (int i = 0; i < CACHE_COUNT; i++)
        out->highest_share[i] = 100;
    vec_free(&rows);
    vec_free(&run_of);
}
