/* Implements results.h, which states the rule. */
#include "analyze/results.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/results_samples.h"
#include "base/memory.h"
#include "metrics/metrics.h"
#include "record/outcome.h"

bool axis_is_configuration(enum axis_index axis)
{
    return axis == AXIS_kernel || axis == AXIS_block || axis == AXIS_unroll;
}

bool axis_in_shape(enum axis_index axis)
{
    return axis == AXIS_row_length || axis == AXIS_inner;
}

unsigned results_axes(const struct results *runs, size_t count)
{
    unsigned axes = 0;
    for (size_t i = 0; i < count; i++)
        for (enum axis_index axis = 0; axis < AXIS_COUNT; axis++)
            axes |= results_has_axis(&runs[i], axis) ? 1u << axis : 0;
    return axes;
}

static bool is_axis(const char *name)
{
    for (int i = 0; i < AXIS_COUNT; i++)
        if (strcmp(axis_table[i].name, name) == 0)
            return true;
    return false;
}

/* Returns whether a folder contains folders of runs and is therefore not a run itself. */
static bool holds_runs(const char *folder)
{
    bool found = false;
    DIR *entries = opendir(folder);
    for (const struct dirent *entry; entries && !found && (entry = readdir(entries));) {
        char *manifest = xasprintf("%s/%s/" MANIFEST_FILE, folder, entry->d_name);
        found = entry->d_name[0] != '.' && access(manifest, F_OK) == 0;
        free(manifest);
    }
    if (entries)
        closedir(entries);
    return found;
}

/*
 * Stores in *csv the path of the results.csv to which `given`, the user's argument, refers. Also
 * sets the path and the folder of `r`.
 */
static bool locate(const char *given, struct results *r, char **csv, struct error *e)
{
    struct stat st;
    if (stat(given, &st) != 0)
        return FAIL(e, ERROR_CONFIG, "%s: %s; name the folder of a run, such as results/latest",
                    given, strerror(errno));
    size_t length = strlen(given);
    while (length > 1 && given[length - 1] == '/')
        length--;
    r->path = xstrndup(given, length);
    const char *slash = strrchr(given, '/');
    if (S_ISDIR(st.st_mode)) {
        r->folder = xstrdup(r->path);
        *csv = xasprintf("%s/results.csv", given);
        if (access(*csv, F_OK) != 0 && holds_runs(given))
            return FAIL(e, ERROR_CONFIG,
                        "%s is a folder of runs; name one of the runs that `redsweep log %s` lists",
                        given, given);
    } else {
        r->folder =
            slash ? xstrndup(given, (size_t)(slash - given) + (slash == given)) : xstrdup(".");
        *csv = xstrdup(given);
    }
    return true;
}

static bool read_manifest(struct results *r, struct error *e)
{
    bool found;
    if (manifest_read(r->folder, &r->manifest, &found, e)) {
        r->has_manifest = true;
        return true;
    }
    if (!found)
        error_clear(e);
    return !found;
}

static bool check_columns(const struct results *r, const char *csv, struct error *e)
{
    struct text missing = {0};
    for (int i = 0; i < AXIS_COUNT; i++)
        if (!axis_is_run_time((enum axis_index)i) && !r->known.axes[i])
            text_append(&missing, " %s", axis_table[i].name);
    if (!r->known.status)
        text_append(&missing, " status");
    bool ok = !missing.bytes ||
              FAIL(e, ERROR_CONFIG, "%s lacks the columns%s; is it the results.csv of a run?", csv,
                   missing.bytes);
    text_free(&missing);
    return ok;
}

static enum column_role role_of(const char *name, bool before_grid)
{
    return is_axis(name)        ? ROLE_AXIS
           : known_column(name) ? ROLE_FACT
           : before_grid        ? ROLE_TUNABLE
                                : ROLE_METRIC;
}

/* Adds TUNABLE_PREFIX to the name of a tunable's column. Runs of older versions lack the prefix. */
static void rename_tunable(struct table *t, struct column *c, struct manifest_column *described)
{
    if (tunable_name(c->name) != c->name)
        return;
    c->name = table_keep(t, xasprintf(TUNABLE_PREFIX "%s", c->name));
    member_set(&described->name, c->name);
}

static void describe_column(struct results *r, size_t i, bool before_grid)
{
    struct column *c = r->rows.columns.items[i];
    struct manifest_column *described = &r->manifest.columns.items[i];
    enum column_role role = role_of(c->name, before_grid);
    r->columns[i] = (struct results_column){role, described->missing};
    if (role == ROLE_TUNABLE && c->kind == COLUMN_NUMBER && !*described->type)
        c->kind = COLUMN_COUNT;
    c->digits = RESULTS_DIGITS;
    c->unit = unit_for_people(described->unit);
    c->meaning = described->meaning;
    c->as_printed = results_published(r) && c->kind != COLUMN_TEXT;
    c->names_row = role == ROLE_AXIS || role == ROLE_TUNABLE;
    if (role == ROLE_TUNABLE) {
        rename_tunable(&r->rows, c, described);
        c->alias = tunable_name(c->name);
    } else if (strcmp(c->name, "time_us_median") == 0) {
        c->alias = "time"; /* the time by which rows are judged */
    }
    snprintf(described->type, sizeof described->type, "%s", column_kind_names[c->kind]);
}

struct reading {
    struct results *results;
    const char *csv;
};

/*
 * Finds the roles and properties of the columns. table_read_as() calls this after it has read the
 * header.
 */
static bool describe_columns(void *context, struct table *t, struct error *e)
{
    struct reading *reading = context;
    struct results *r = reading->results;
    int grid = table_column(t, "grid");
    const char **names = xcalloc(t->columns.count + 1, sizeof *names);
    for (size_t i = 0; i < t->columns.count; i++)
        names[i] = t->columns.items[i]->name;
    manifest_order_columns(&r->manifest, names, t->columns.count);
    free(names);
    columns_describe_table(&r->manifest, t, e);
    /* One more entry is for show_flags(). */
    r->columns = xcalloc(t->columns.count + 1, sizeof *r->columns);
    for (size_t i = 0; i < t->columns.count; i++)
        describe_column(r, i, (int)i < grid);
    known_columns_find(t, &r->known);
    return check_columns(r, reading->csv, e);
}

static int cache_of(const struct results *r, size_t row)
{
    int cache = CACHE_COUNT - 1;
    while (cache > 0 && strcmp(results_axis(r, row, AXIS_cache), cache_state_names[cache]) != 0)
        cache--;
    return cache;
}

/*
 * Finds the highest ceiling_pct for each cache state. Ignores rows that the search dropped early,
 * because their few samples may all be fast by chance.
 */
static void find_highest_shares(struct results *r)
{
    for (int cache = 0; cache < CACHE_COUNT; cache++)
        r->highest_share[cache] = 100;
    for (size_t row = 0; row < r->rows.row_count; row++) {
        double share = column_number(r->known.ceiling_pct, row);
        if (share > 100 && results_ok(r, row) && !results_raced(r, row)) {
            double *highest = &r->highest_share[cache_of(r, row)];
            *highest = fmax(*highest, share);
        }
    }
}

double results_achieved(const struct results *r, size_t row)
{
    return column_number(r->known.ceiling_pct, row) / r->highest_share[cache_of(r, row)] * 100;
}

static bool read_flags(struct results *r, const char *csv, struct error *e)
{
    const struct known_columns *known = &r->known;
    r->flags = xcalloc(r->rows.row_count + 1, sizeof *r->flags);
    for (size_t i = 0; i < r->rows.row_count; i++)
        if (!known->flags)
            r->flags[i] =
                flags_of_older(column_text(known->backend, i), column_text(known->status, i),
                               column_text(known->reason, i), column_text(known->stopped_by, i));
        else if (!flags_parse(column_text(known->flags, i), &r->flags[i]))
            return FAIL(e, ERROR_CONFIG,
                        "%s, row %zu: the column flags contains '%.100s', which is not a list of "
                        "flags",
                        csv, i + 1, column_text(known->flags, i));
    return true;
}

/*
 * Adds the column `flags` to a run of version 0.2.0, which lacks this column. Does nothing if the
 * run also lacks the column `reason`, from which flags are derived.
 */
static void show_flags(struct results *r)
{
    const struct known_column *flags = known_column("flags");
    if (r->known.flags || !r->known.reason)
        return;
    struct column *added = table_add(&r->rows, (struct column){.name = flags->name,
                                                               .kind = flags->kind,
                                                               .range = flags->range,
                                                               .audience = flags->audience,
                                                               .rank = flags->rank});
    for (size_t i = 0; i < r->rows.row_count; i++) {
        char words[FLAGS_TEXT];
        column_set_text(added, i, flags_text(r->flags[i], words));
    }
    member_set(&manifest_add_column(&r->manifest, flags->name)->meaning, flags->meaning);
    describe_column(r, r->rows.columns.count - 1, false); /* r->columns has room for it */
    known_columns_find(&r->rows, &r->known);
}

void results_find_kernels(struct results *r)
{
    const struct column *names = r->known.axes[AXIS_kernel];
    size_t count = names->codes ? names->texts->texts.count : 1;
    r->kernels = xcalloc(count, sizeof *r->kernels);
    for (size_t i = 0; i < count; i++) {
        const char *name = names->codes ? names->texts->texts.items[i] : "";
        const struct manifest_kernel *k = manifest_kernel(&r->manifest, name);
        r->kernels[i] = (struct results_kernel){.role = results_role(r, name),
                                                .workload = k ? k->workload : "",
                                                .racy = k ? k->racy : "",
                                                .counts_vary = k && strcmp(k->counts, "vary") == 0};
    }
}

const struct results_kernel *results_kernel(const struct results *r, size_t row)
{
    const struct column *names = r->known.axes[AXIS_kernel];
    return &r->kernels[names->codes ? names->codes[row] : 0];
}

/*
 * Sets FLAG_COUNTS_VARY in the rows of older runs, which state only for whole kernels that their
 * counts vary.
 */
static void mark_counts_that_vary(struct results *r)
{
    r->varies = xcalloc(r->rows.row_count + 1, sizeof *r->varies);
    for (size_t i = 0; i < r->rows.row_count; i++) {
        if (results_kernel(r, i)->counts_vary && results_good(r, i))
            r->flags[i] |= FLAG_COUNTS_VARY;
        r->varies[i] = r->flags[i] & FLAG_COUNTS_VARY;
    }
    for (size_t i = 0; i < r->rows.columns.count; i++) {
        const struct metric *m = metric_find(r->rows.columns.items[i]->name);
        if (r->columns[i].role == ROLE_METRIC && m && m->deterministic)
            r->rows.columns.items[i]->varies = r->varies;
    }
}

bool results_read(const char *path, struct results *out, struct error *e)
{
    memset(out, 0, sizeof *out);
    char *csv = NULL;
    bool ok = locate(path, out, &csv, e) && read_manifest(out, e) &&
              table_read_as(csv, describe_columns, &(struct reading){out, csv}, &out->rows, e);
    if (ok) {
        ok = read_flags(out, csv, e);
    }
    if (ok) {
        results_find_kernels(out);
        mark_counts_that_vary(out);
        show_flags(out);
        find_highest_shares(out);
        ok = results_read_samples(out, csv, e);
    }
    free(csv);
    if (!ok)
        results_free(out);
    return ok;
}

void results_free(struct results *r)
{
    free(r->columns);
    free(r->flags);
    free(r->varies);
    free(r->kernels);
    table_free(&r->rows);
    manifest_free(&r->manifest);
    free(r->samples);
    free(r->first_sample);
    free(r->pooled);
    vec_free(&r->changed);
    text_free(&r->pooled_words);
    free(r->folder);
    free(r->path);
    memset(r, 0, sizeof *r);
}

bool results_published(const struct results *r)
{
    return strcmp(r->manifest.status, "published") == 0;
}

const char *results_axis(const struct results *r, size_t row, enum axis_index axis)
{
    return results_has_axis(r, axis) ? column_cell(r->known.axes[axis], row)
                                     : axis_table[axis].fallback;
}

bool results_has_axis(const struct results *r, enum axis_index axis)
{
    return !axis_is_run_time(axis) || r->known.axes[axis];
}

const char *results_shape(const struct results *r, size_t row, char out[SHAPE_TEXT])
{
    uint64_t axes[AXIS_COUNT] = {0};
    const enum axis_index used[] = {AXIS_n, AXIS_row_length, AXIS_inner};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        axes[used[i]] = (uint64_t)strtoull(results_axis(r, row, used[i]), NULL, 10);
    return shape_text(axes[AXIS_n], axes[AXIS_row_length], axes[AXIS_inner], out);
}

const double *results_samples(const struct results *r, size_t row, size_t *count)
{
    *count = r->first_sample ? r->first_sample[row + 1] - r->first_sample[row] : 0;
    return *count ? r->samples + r->first_sample[row] : NULL;
}

bool results_ok(const struct results *r, size_t row)
{
    return strcmp(column_text(r->known.status, row), status_name(STATUS_OK)) == 0;
}

bool results_wrong(const struct results *r, size_t row)
{
    return strcmp(column_text(r->known.status, row), status_name(STATUS_WRONG)) == 0;
}

bool results_good(const struct results *r, size_t row)
{
    return results_ok(r, row) || (r->flags[row] & FLAG_SAMPLED);
}

bool results_unresolved(const struct results *r, size_t row)
{
    return r->flags[row] & FLAG_UNRESOLVED;
}

bool results_recalled(const struct results *r)
{
    for (size_t row = 0; row < r->rows.row_count; row++)
        if (r->flags[row] & FLAG_RECALLED)
            return true;
    return false;
}

bool results_raced(const struct results *r, size_t row)
{
    return r->flags[row] & FLAG_RACED;
}

bool results_counts_vary(const struct results *r, size_t row)
{
    return r->flags[row] & FLAG_COUNTS_VARY;
}

const char *results_workload(const struct results *r, const char *kernel)
{
    const struct manifest_kernel *k = manifest_kernel(&r->manifest, kernel);
    return k ? k->workload : "";
}

struct role results_role(const struct results *r, const char *kernel)
{
    const struct manifest_kernel *k = manifest_kernel(&r->manifest, kernel);
    struct role role;
    (void)role_parse(k ? k->role : role_of_older(kernel, NULL), &role);
    return role;
}

const char *results_device(const struct results *r)
{
    const char *name = r->manifest.provenance.device.name;
    return *name || !r->rows.row_count ? name : column_text(r->known.device, 0);
}

const char *results_backend(const struct results *r)
{
    const char *name = r->manifest.provenance.device.backend;
    return *name || !r->rows.row_count ? name : column_text(r->known.backend, 0);
}

/*
 * Returns whether it would be pointless to show a value of an axis. An unroll factor of 1 says
 * nothing, because kernels that cannot unroll have this value, too.
 */
static bool says_nothing(enum axis_index axis, const char *value)
{
    return axis == AXIS_unroll && strcmp(value, "1") == 0;
}

bool results_larger_setting(const struct results *r, size_t row, size_t than)
{
    const struct column *blocks = r->known.axes[AXIS_block], *unrolls = r->known.axes[AXIS_unroll];
    double block = column_number(blocks, row), other = column_number(blocks, than);
    return block > other ||
           (block == other && column_number(unrolls, row) > column_number(unrolls, than));
}

void results_setting(const struct results *r, size_t row, struct text *out)
{
    size_t before = out->length;
    for (enum axis_index i = 0; i < AXIS_COUNT; i++) {
        const char *value = results_axis(r, row, i);
        if (i != AXIS_kernel && axis_is_configuration(i) && !says_nothing(i, value))
            text_append(out, "%s%s %s", out->length > before ? ", " : "", axis_table[i].name,
                        value);
    }
    for (size_t i = 0; i < r->rows.columns.count; i++) {
        const struct column *c = r->rows.columns.items[i];
        if (r->columns[i].role == ROLE_TUNABLE && !column_is_missing(c, row))
            text_append(out, ", %s %s", tunable_name(c->name), column_cell(c, row));
    }
}

void results_configuration(const struct results *r, size_t row, struct text *out)
{
    text_append(out, "%s, ", results_axis(r, row, AXIS_kernel));
    results_setting(r, row, out);
}
