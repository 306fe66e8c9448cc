/*
 * Implements recording.h.
 */
#include "devices/replay/recording.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/element.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/statistics.h"
#include "base/text.h"
#include "record/columns.h"
#include "record/manifest.h"
#include "record/outcome.h"
#include "table/table.h"

static int compare_points(const void *a, const void *b)
{
    const struct recorded_point *x = a, *y = b;
    return x->id < y->id ? -1 : x->id > y->id;
}

struct recorded_point *recording_find(const struct recording *r, uint64_t id)
{
    return r->count ? bsearch(&(struct recorded_point){.id = id}, r->points, r->count,
                              sizeof *r->points, compare_points)
                    : NULL;
}

/* An empty manifest, passed instead of the run's own. Columns that are not in columns.def are
 * therefore read as numbers. */
static struct manifest nothing_described;

static bool read_id(const char *path, const struct column *ids, size_t row, uint64_t *id,
                    struct error *e)
{
    const char *text = column_text(ids, row);
    char *end;
    *id = strtoull(text, &end, 16);
    return (end == text + 16 && *end == '\0') ||
           FAIL(e, ERROR_CONFIG, "%s, row %zu: '%s' is not the id of a point; restore the file",
                path, row + 1, text);
}

/*
 * Finds the number of multiprocessors if the run has no manifest. Some kernels launch
 * `blocks_per_sm` blocks for each multiprocessor, so the largest grid of such a kernel, divided by
 * `blocks_per_sm`, is the number.
 */
static void infer_multiprocessors(struct recording *r, const struct table *t,
                                  const struct column *grid)
{
    const struct column *blocks_per_sm = table_find(t, "blocks_per_sm");
    for (size_t i = 0; i < t->row_count; i++) {
        double blocks = column_number(grid, i), each = column_number(blocks_per_sm, i);
        if (each > 0 && blocks > 0 && fmod(blocks, each) == 0 &&
            blocks / each > (double)r->multiprocessors)
            r->multiprocessors = (int64_t)(blocks / each);
    }
}

/* Returns the smallest difference between two different times in the table. Differences are rounded
 * to a picosecond, because the table contains decimal fractions that are not exact in binary. */
static double clock_step(const struct table *t, const struct known_columns *known)
{
    double *times = xcalloc(2 * t->row_count + 1, sizeof *times);
    size_t count = 0;
    for (size_t i = 0; i < t->row_count; i++) {
        double ends[2] = {column_number(known->time_us_min, i),
                          column_number(known->time_us_max, i)};
        for (int k = 0; k < 2; k++)
            if (!isnan(ends[k]))
                times[count++] = ends[k];
    }
    double step = 0;
    sort_numbers(times, count);
    for (size_t i = 1; i < count; i++) {
        double distance = round((times[i] - times[i - 1]) * 1e6) / 1e6;
        if (distance > 0 && (step == 0 || distance < step))
            step = distance;
    }
    free(times);
    return step;
}

static void read_point(const struct known_columns *known, size_t row, struct recorded_point *p)
{
    const char *status = column_text(known->status, row), *reason = column_text(known->reason, row);
    const struct column *const columns[5] = {known->time_us_min, known->time_us_ci95_lo,
                                             known->time_us_median, known->time_us_ci95_hi,
                                             known->time_us_max};
    double samples = column_number(known->samples, row);
    /* the share of the samples between the median and each end of its confidence interval; see
     * base/statistics.h */
    double half = samples > 6 ? 0.98 / sqrt(samples) : NAN;
    const double shares[5] = {0, 0.5 - half, 0.5, 0.5 + half, 1};
    for (int i = 0; i < 5; i++) {
        p->us[i] = column_number(columns[i], row);
        p->share[i] = shares[i];
    }
    for (int i = 0; i < 5; i++) /* replaces unknown times by the median */
        if (isnan(p->us[i]) || isnan(shares[i])) {
            p->us[i] = p->us[2];
            p->share[i] = i == 0 ? 0 : i == 4 ? 1 : 0.5;
        }
    if (strcmp(status, status_name(STATUS_OK)) != 0)
        p->problem =
            xasprintf("its recorded status is %s%s%s", status, *reason ? ": " : "", reason);
    else if (isnan(p->us[2]))
        p->problem = xstrdup("its recorded row has no time");
}

static bool read_rows(struct recording *r, const char *path, struct error *e)
{
    struct table t;
    struct known_columns known;
    if (!table_read_as(path, columns_describe_table, &nothing_described, &t, e))
        return false;
    bool ok = true;
    known_columns_find(&t, &known);
    static const char *const needed[] = {"id", "status", "time_us_median"};
    for (int i = 0; ok && i < 3; i++)
        ok = table_column(&t, needed[i]) >= 0 ||
             FAIL(e, ERROR_CONFIG, "%s has no column %s; name the results.csv of a run", path,
                  needed[i]);
    r->points = xcalloc(t.row_count + 1, sizeof *r->points);
    size_t timed = 0;
    for (size_t i = 0; ok && i < t.row_count; i++) {
        ok = read_id(path, known.id, i, &r->points[i].id, e);
        read_point(&known, i, &r->points[i]);
        timed += !r->points[i].problem;
        r->count++;
    }
    if (ok && timed == 0)
        ok = FAIL(e, ERROR_CONFIG,
                  "%s: no point has a time, so nothing can be replayed; name a run with times",
                  path);
    if (ok)
        snprintf(r->device, sizeof r->device, "%.63s", column_text(known.device, 0));
    if (ok) {
        qsort(r->points, r->count, sizeof *r->points, compare_points);
        r->step_us = clock_step(&t, &known);
        infer_multiprocessors(r, &t, known.grid);
    }
    for (size_t i = 1; ok && i < r->count; i++)
        if (r->points[i].id == r->points[i - 1].id)
            ok = FAIL(e, ERROR_CONFIG,
                      "%s: the point %016" PRIx64 " has two rows; remove one of them", path,
                      r->points[i].id);
    table_free(&t);
    return ok;
}

/* Declares that all columns except `id` contain non-negative numbers. */
static bool describe_samples(void *context, struct table *t, struct error *e)
{
    (void)context;
    (void)e;
    for (size_t i = 0; i < t->columns.count; i++) {
        struct column *c = t->columns.items[i];
        bool is_id = strcmp(c->name, "id") == 0;
        c->kind = is_id ? COLUMN_TEXT : COLUMN_NUMBER;
        c->range = is_id ? CELL_ANY : CELL_POSITIVE;
    }
    return true;
}

/* Reads the samples. Fails if those of a point are not in consecutive rows. */
static bool read_samples(struct recording *r, const char *path, struct error *e)
{
    struct table t;
    if (access(path, F_OK) != 0)
        return true;
    if (!table_read_as(path, describe_samples, NULL, &t, e))
        return false;
    const struct column *ids = table_find(&t, "id"), *time = table_find(&t, "time_us");
    bool ok = (time && ids) ||
              FAIL(e, ERROR_CONFIG,
                   "%s does not have the columns id, sample and time_us; restore the file", path);
    r->samples = xcalloc(t.row_count + 1, sizeof *r->samples);
    struct recorded_point *p = NULL;
    for (size_t i = 0; ok && i < t.row_count; i++) {
        uint64_t id;
        r->samples[i] = column_number(time, i);
        ok = read_id(path, ids, i, &id, e) &&
             (!column_is_missing(time, i) ||
              FAIL(e, ERROR_CONFIG, "%s, row %zu: the sample has no time; restore the file", path,
                   i + 1));
        if (!ok || (p && p->id == id)) {
            if (p)
                p->sample_count++;
            continue;
        }
        p = recording_find(r, id);
        if (p && p->sample_count > 0)
            ok = FAIL(e, ERROR_CONFIG,
                      "%s: the samples of the point %016" PRIx64
                      " are not in consecutive rows; restore the file",
                      path, id);
        if (p) {
            p->first_sample = i;
            p->sample_count = 1;
        }
    }
    table_free(&t);
    return ok;
}

bool recording_read(const char *path, uint64_t seed, struct recording *out, struct error *e)
{
    const char *slash = strrchr(path, '/');
    *out = (struct recording){.seed = seed, .multiprocessors = -1};
    manifest_clear(&out->manifest);
    out->folder = folder_exists(path) ? xstrdup(path)
                  : slash             ? xstrndup(path, (size_t)(slash - path))
                                      : xstrdup(".");
    struct text file = {0};
    text_append(&file, "%s/results.csv", out->folder);
    bool ok = read_rows(out, folder_exists(path) ? file.bytes : path, e);
    file.length = 0;
    text_append(&file, "%s/samples.csv", out->folder);
    ok = ok && read_samples(out, file.bytes, e);
    file.length = 0;
    text_append(&file, "%s/" MANIFEST_FILE, out->folder);
    if (ok && access(file.bytes, F_OK) == 0) {
        out->has_manifest = true;
        manifest_free(&out->manifest);
        ok = manifest_read(out->folder, &out->manifest, NULL, e);
        if (out->manifest.provenance.device.multiprocessors > 0)
            out->multiprocessors = out->manifest.provenance.device.multiprocessors;
    }
    text_free(&file);
    if (!ok)
        recording_free(out);
    return ok;
}

void recording_free(struct recording *r)
{
    for (size_t i = 0; i < r->count; i++)
        free(r->points[i].problem);
    free(r->points);
    free(r->samples);
    free(r->folder);
    manifest_free(&r->manifest);
    memset(r, 0, sizeof *r);
}

/* Returns a uniform random number in (0, 1]. */
static double uniform(uint64_t *state)
{
    return (double)((random_next(state) >> 11) + 1) / 9007199254740992.0;
}

double recording_draw(const struct recording *r, struct recorded_point *p)
{
    const uint64_t key[3] = {r->seed, p->id, p->drawn++};
    uint64_t state = hash_bytes(HASH_START, key, sizeof key) | 1;
    /* Drops the first number, because it is similar for states that differ in few bits. */
    (void)random_next(&state);
    if (p->sample_count > 0)
        return r->samples[p->first_sample + random_next(&state) % p->sample_count];
    double share = uniform(&state);
    int i = 0;
    while (i < 3 && share > p->share[i + 1])
        i++;
    double width = p->share[i + 1] - p->share[i];
    double us =
        p->us[i] + (width > 0 ? (share - p->share[i]) / width : 0) * (p->us[i + 1] - p->us[i]);
    if (r->step_us > 0)
        us = round(us / r->step_us) * r->step_us;
    return round(us * 1e6) / 1e6;
}
