/*
 * Reads the rows of an earlier run to resume it.
 *
 * A point's samples are written before its row. If a writer is killed in between, samples.csv ends
 * with samples that have no row, and perhaps with an incomplete line. These lines are removed. A
 * file is truncated or replaced only after it has been read to its end without an error.
 */
#include "record/recorded.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/sorted.h"
#include "record/replace.h"
#include "record/rows.h"

void recorded_free(struct recorded *r)
{
    vec_free(&r->ids);
    vec_free(&r->times);
    for (size_t i = 0; i < r->given_up.count; i++)
        free(r->given_up.items[i].kernel);
    vec_free(&r->given_up);
    memset(r, 0, sizeof *r);
}

/* What a row in results.csv promises about its point's samples in samples.csv. `missing` is the
 * number of samples that have not been found there yet. */
struct promise {
    uint64_t id;
    struct row_times times;
    uint32_t missing;
};

static int compare_promises(const void *a, const void *b)
{
    const struct promise *x = a, *y = b;
    return x->id < y->id ? -1 : x->id > y->id;
}

void recorded_sort(struct recorded *r)
{
    sorted_make(r->ids.items, r->ids.count);
}

bool recorded_has(const struct recorded *r, uint64_t id)
{
    return sorted_has(r->ids.items, r->ids.count, id);
}

const struct row_times *recorded_times(const struct recorded *r, uint64_t id)
{
    size_t at = sorted_find(r->ids.items, r->ids.count, id);
    return at < r->times.count ? &r->times.items[at] : NULL;
}

typedef VEC(struct promise) promises;

/* Sorts the promises by id, and adds the ids and the times of all rows to `found` in that order. */
static void sort_promises(promises *p, struct recorded *found)
{
    if (p->count)
        qsort(p->items, p->count, sizeof *p->items, compare_promises);
    for (size_t i = 0; i < p->count; i++) {
        vec_push(&found->ids, p->items[i].id);
        vec_push(&found->times, p->items[i].times);
    }
}

static struct promise *find_promise(const promises *p, uint64_t id)
{
    return p->count ? bsearch(&(struct promise){.id = id}, p->items, p->count, sizeof *p->items,
                              compare_promises)
                    : NULL;
}

/*
 * Fails because a file does not have the expected columns. The message names the columns that only
 * the file has, and those that only this version of redsweep has.
 */
static bool refuse_columns(const struct lines *l, const struct columns *columns, struct error *e)
{
    struct text header = {0}, lacking = {0}, further = {0};
    struct csv_row row = {0};
    struct error none = {0};
    text_append_bytes(&header, l->line, l->length);
    struct csv_reader reader = {l->path, header.bytes, header.bytes + header.length, l->number};
    bool *known = xcalloc((size_t)columns->count + 1, sizeof *known);
    /* If the header cannot be read, all columns are reported as missing. */
    (void)csv_next(&reader, &row, &none);
    for (size_t i = 0; i < row.count; i++) {
        int at = 0;
        while (at < columns->count && strcmp(columns->list[at].name, row.cells[i]) != 0)
            at++;
        known[at] = true;
        if (at == columns->count)
            text_append(&further, " %s", row.cells[i]);
    }
    for (int i = 0; i < columns->count; i++)
        if (!known[i])
            text_append(&lacking, " %s", columns->list[i].name);
    FAIL(e, ERROR_CONFIG,
         "the columns of %s differ from those that this redsweep would write (missing: %.300s; "
         "unknown: %.300s). Resume the run with the version, the metrics and the kernels that it "
         "was started with (`redsweep show RUN --info` lists them), or start a new run",
         l->path, lacking.bytes ? lacking.bytes + 1 : "none",
         further.bytes ? further.bytes + 1 : "none");
    free(known);
    csv_row_free(&row);
    text_free(&header);
    text_free(&lacking);
    text_free(&further);
    return false;
}

static bool check_header(const struct lines *l, const struct columns *columns, struct error *e)
{
    struct text header = {0};
    columns_append_header(columns, &header);
    bool same = header.length == l->length && memcmp(header.bytes, l->line, l->length) == 0;
    text_free(&header);
    return same || refuse_columns(l, columns, e);
}

static bool no_duplicates(const struct recorded *found, const char *path, struct error *e)
{
    uint64_t twice;
    return !sorted_duplicate(found->ids.items, found->ids.count, &twice) ||
           FAIL(e, ERROR_CONFIG, "%s: the point %016" PRIx64 " has two rows; remove one of them",
                path, twice);
}

static void note_given_up(struct recorded *found, const char *kernel, enum status status)
{
    for (size_t i = 0; i < found->given_up.count; i++)
        if (strcmp(found->given_up.items[i].kernel, kernel) == 0)
            return;
    vec_push(&found->given_up, (struct given_up){xstrdup(kernel), status});
}

static bool read_results(int folder, const char *name, const struct columns *columns,
                         struct recorded *found, promises *promised, off_t *whole, struct error *e)
{
    struct rows r;
    bool more = true, ok = rows_open(folder, name, &r, e) && check_header(&r.lines, columns, e);
    while (ok && (ok = rows_next(&r, &more, e)) && more) {
        if (r.row.count != (size_t)columns->count)
            ok = FAIL(e, ERROR_CONFIG,
                      "%s:%zu: this line is not a row that a run has written; restore the file",
                      r.lines.path, r.lines.number);
        found->by_status[r.status]++;
        vec_push(promised, (struct promise){r.id,
                                            {rows_number(&r, r.median_column),
                                             rows_number(&r, r.stdev_column), r.samples, r.status},
                                            r.samples});
        if (r.given_up < STATUS_COUNT)
            note_given_up(found, rows_cell(&r, r.kernel_column), r.given_up);
    }
    *whole = r.lines.end;
    sort_promises(promised, found);
    ok = ok && no_duplicates(found, r.lines.path, e);
    rows_close(&r);
    return ok;
}

static bool read_samples(int folder, const char *name, const promises *promised, off_t *whole,
                         struct error *e)
{
    struct lines l;
    if (!lines_open(folder, name, "samples.csv", &l, e))
        return false;
    enum csv_found next = CSV_END;
    bool ok = lines_header(&l, e);
    struct promise *p = NULL; /* the promise of the preceding line, which often has the same id */
    *whole = l.end;
    while (ok && (next = lines_next(&l, e)) == CSV_ROW) {
        uint64_t id;
        bool has_id = lines_id(&l, &id);
        if (has_id && !(p && p->id == id))
            p = find_promise(promised, id);
        if (!has_id || !p)
            continue;
        if (*whole != l.begin)
            ok = FAIL(e, ERROR_CONFIG,
                      "%s:%zu: the lines before this one belong to no row; restore the file",
                      l.path, l.number);
        p->missing--; /* if there is one sample too many, this becomes UINT32_MAX */
        *whole = l.end;
    }
    lines_close(&l);
    return ok && next != CSV_BAD;
}

/*
 * Checks that no samples are missing. A row's samples are on disk before the row, so samples are
 * missing only if the file was truncated, or if `resume --retry` was killed between replacing
 * samples.csv and replacing results.csv.
 */
static bool none_missing(const promises *promised, const char *name, struct error *e)
{
    for (size_t i = 0; i < promised->count; i++) {
        const struct promise *p = &promised->items[i];
        if (p->missing)
            return FAIL(e, ERROR_CONFIG,
                        "%s/samples.csv: the point %016" PRIx64 " has %" PRIu32
                        " samples, but its row in results.csv says %" PRIu32
                        ". The file was cut or edited, or a `resume --retry` was killed; restore "
                        "the file, or %s%s",
                        name, p->id, p->times.samples - p->missing, p->times.samples,
                        p->times.status == STATUS_OK ? "start a new run" : "resume with --retry ",
                        p->times.status == STATUS_OK ? "" : status_name(p->times.status));
    }
    return true;
}

bool recorded_read(int folder, const char *name, const struct columns *columns,
                   struct recorded *found, struct recorded_lengths *whole, struct error *e)
{
    promises promised = {0};
    bool ok = read_results(folder, name, columns, found, &promised, &whole->results, e) &&
              read_samples(folder, name, &promised, &whole->samples, e) &&
              none_missing(&promised, name, e);
    vec_free(&promised);
    return ok;
}

/* Finds the points whose rows have one of these statuses, in ascending order. */
static bool find_statuses(int folder, const char *name, const bool statuses[STATUS_COUNT],
                          struct recorded *found, struct error *e)
{
    struct rows r;
    bool more = true, ok = rows_open(folder, name, &r, e);
    while (ok && (ok = rows_next(&r, &more, e)) && more)
        if (statuses[r.status] || (r.given_up < STATUS_COUNT && statuses[r.given_up]))
            vec_push(&found->ids, r.id);
    recorded_sort(found);
    rows_close(&r);
    return ok;
}

/* The state while a file is copied without the lines of `points`. */
struct removal {
    struct lines lines;
    const struct recorded *points;
};

static bool copy_other_lines(void *context, FILE *to, struct error *e)
{
    struct removal *r = context;
    enum csv_found found;
    while ((found = lines_next(&r->lines, e)) == CSV_ROW) {
        uint64_t id;
        if (!lines_id(&r->lines, &id) || !recorded_has(r->points, id))
            fwrite(r->lines.line, 1, r->lines.length, to);
    }
    return found != CSV_BAD;
}

/* Replaces a file with a copy that lacks the lines of `points` and any incomplete last line. */
static bool remove_lines(int folder, const char *name, const char *file,
                         const struct recorded *points, struct error *e)
{
    struct removal r = {.points = points};
    if (!lines_open(folder, name, file, &r.lines, e))
        return false;
    bool ok = file_replace(folder, name, file, copy_other_lines, &r, e);
    lines_close(&r.lines);
    return ok;
}

/* Opens a folder and finds the points whose rows have one of these statuses. */
static bool find_points(const char *folder, const bool statuses[STATUS_COUNT], struct recorded *out,
                        struct error *e)
{
    int fd;
    memset(out, 0, sizeof *out);
    if (!folder_open(folder, &fd, e))
        return false;
    bool ok = find_statuses(fd, folder, statuses, out, e);
    close(fd);
    return ok;
}

bool recorded_find(const char *folder, struct recorded *out, struct error *e)
{
    bool all[STATUS_COUNT];
    for (int s = 0; s < STATUS_COUNT; s++)
        all[s] = true;
    return find_points(folder, all, out, e);
}

bool record_take_out_points(const char *folder, const struct recorded *points, struct error *e)
{
    int fd;
    if (points->ids.count == 0)
        return true;
    if (!folder_open(folder, &fd, e))
        return false;
    bool ok = remove_lines(fd, folder, "samples.csv", points, e) &&
              remove_lines(fd, folder, "results.csv", points, e);
    close(fd);
    return ok;
}

bool record_take_out(const char *folder, const bool statuses[STATUS_COUNT], size_t *taken,
                     struct error *e)
{
    struct recorded points;
    *taken = 0;
    bool ok =
        find_points(folder, statuses, &points, e) && record_take_out_points(folder, &points, e);
    if (ok)
        *taken = points.ids.count;
    recorded_free(&points);
    return ok;
}
