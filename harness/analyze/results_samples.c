/*
 * Reads samples.csv twice: once to count each row's samples, and once to store them, grouped by
 * row. This takes only 8 bytes of memory per sample, and the file is never held in memory.
 */
#include "analyze/results_samples.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/map.h"
#include "base/text.h"
#include "record/sample_lines.h"

struct sought {
    const struct results *results;
    const char *id;
};

static bool is_sought(const void *context, uint32_t row)
{
    const struct sought *s = context;
    return strcmp(column_text(s->results->known.id, row), s->id) == 0;
}

/* Maps the ids of points to their rows. */
static bool map_rows(const struct results *r, const char *csv, struct map *out, struct error *e)
{
    for (size_t i = 0; i < r->rows.row_count; i++) {
        const char *name = column_text(r->known.id, i);
        uint64_t hash = hash_text(HASH_START, name);
        if (!*name)
            continue;
        uint32_t other = map_find(out, hash, is_sought, &(struct sought){r, name});
        if (other != MAP_NONE)
            return FAIL(e, ERROR_CONFIG,
                        "%s: the point %s has two rows (row %" PRIu32
                        " and row %zu), but a run writes one row per point; remove one of them",
                        csv, name, other + 1, i + 1);
        map_add(out, hash, (uint32_t)i);
    }
    return true;
}

/* The state while samples.csv is read. */
struct reading {
    struct results *results;
    const struct map *rows;
    bool store;        /* store samples; if false, only count them */
    uint32_t last_row; /* the row of the previous line, whose point is usually the same */
    char last_id[64];
};

static uint32_t row_of(struct reading *r, const char *id)
{
    if (!*id || strcmp(id, r->last_id) != 0) {
        r->last_row = map_find(r->rows, hash_text(HASH_START, id), is_sought,
                               &(struct sought){r->results, id});
        snprintf(r->last_id, sizeof r->last_id, "%s", strlen(id) < sizeof r->last_id ? id : "");
    }
    return r->last_row;
}

static void take_sample(struct reading *r, const struct sample_lines *s)
{
    struct results *out = r->results;
    uint32_t row = row_of(r, s->point);
    if (row == MAP_NONE || isnan(s->time_us))
        return;
    /* While samples are stored, first_sample[row + 1] is where the row's next sample goes. */
    size_t rows = out->rows.row_count;
    if (!r->store)
        out->first_sample[row + 2]++;
    /* The file may have grown since it was counted. */
    else if (out->first_sample[row + 1] < out->first_sample[rows + 1])
        out->samples[out->first_sample[row + 1]++] = s->time_us;
}

static bool take_samples(struct reading *r, int folder, struct error *e)
{
    struct sample_lines s;
    if (!sample_lines_open(folder, r->results->folder, &s, e))
        return false;
    bool ok, more;
    while ((ok = sample_lines_next(&s, &more, e)) && more)
        take_sample(r, &s);
    sample_lines_close(&s);
    return ok;
}

/*
 * Returns whether each row has as many samples as it states. After counting, first_sample[i + 2] is
 * the number of samples that were found for row i.
 */
static bool as_promised(const struct results *r, struct error *e)
{
    for (size_t i = 0; i < r->rows.row_count; i++) {
        double promised = column_number(r->known.samples, i);
        if (!isnan(promised) && promised != (double)r->first_sample[i + 2])
            return FAIL(e, ERROR_CONFIG,
                        "%s/samples.csv: the point %s has %zu samples, but its row in results.csv "
                        "says %.0f, so the file was cut or edited; restore samples.csv, or remove "
                        "it to use only medians and their intervals",
                        r->folder, column_text(r->known.id, i), r->first_sample[i + 2], promised);
    }
    return true;
}

static bool read_twice(struct results *r, const struct map *rows, int folder, struct error *e)
{
    struct reading reading = {.results = r, .rows = rows, .last_row = MAP_NONE};
    size_t count = r->rows.row_count;
    r->first_sample = xcalloc(count + 2, sizeof *r->first_sample);
    bool ok = take_samples(&reading, folder, e) && as_promised(r, e);
    for (size_t i = 2; i < count + 2; i++)
        r->first_sample[i] += r->first_sample[i - 1];
    r->samples = xcalloc(r->first_sample[count + 1] + 1, sizeof *r->samples);
    reading.store = true;
    ok = ok && take_samples(&reading, folder, e);
    return ok;
}

bool results_read_samples(struct results *r, const char *csv, struct error *e)
{
    struct map rows = {0};
    int folder = -1;
    bool ok = map_rows(r, csv, &rows, e) && folder_open(r->folder, &folder, e);
    if (ok && (faccessat(folder, "samples.csv", F_OK, 0) == 0 || errno != ENOENT))
        ok = read_twice(r, &rows, folder, e);
    if (folder >= 0)
        close(folder);
    map_free(&rows);
    return ok;
}
