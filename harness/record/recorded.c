/*
 * Reading an earlier run's rows in order to resume it: see recorded.h.
 *
 * A point's samples are written before its row; a writer killed between the two left samples
 * without a row at the end of samples.csv, which are cut off with the torn line that may follow
 * them. A file is cut off or replaced only after it was read to its end without an error.
 */
#include "record/recorded.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sorted.h"
#include "record/lines.h"
#include "record/replace.h"

void recorded_free(struct recorded *r)
{
    vec_free(&r->ids);
    for (size_t i = 0; i < r->given_up.count; i++)
        free(r->given_up.items[i].kernel);
    vec_free(&r->given_up);
    memset(r, 0, sizeof *r);
}

/* How many samples of each point samples.csv has to have; a point's samples are counted down. */
struct promise {
    uint64_t id;
    enum status status;
    uint32_t samples, missing;
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

typedef VEC(struct promise) promises;

/* Both lists ascend by id. */
static void sort_promises(promises *p, struct recorded *found)
{
    if (p->count)
        qsort(p->items, p->count, sizeof *p->items, compare_promises);
    for (size_t i = 0; i < p->count; i++)
        vec_push(&found->ids, p->items[i].id);
}

static struct promise *find_promise(const promises *p, uint64_t id)
{
    return p->count ? bsearch(&(struct promise){.id = id}, p->items, p->count, sizeof *p->items,
                              compare_promises)
                    : NULL;
}

/* "0123456789abcdef" at the line's beginning; what follows is looked at no further. */
static bool line_id(const char *line, size_t length, uint64_t *id)
{
    char digits[17] = "", *end;
    memcpy(digits, line, length < 16 ? length : 16);
    *id = strtoull(digits, &end, 16);
    return end == digits + 16 && strspn(digits, "0123456789abcdefABCDEF") == 16;
}

/* The rows of results.csv. */
struct rows {
    struct lines lines;
    struct csv_row row;
    size_t status_column, samples_column, reason_column, kernel_column;
    uint64_t id; /* of the row */
    enum status status;
    uint32_t samples;     /* as many as it says; 0 where it says nothing */
    enum status given_up; /* why the kernel was given up; STATUS_COUNT: it was not */
};

static bool check_header(const struct lines *l, const struct columns *columns, struct error *e)
{
    struct text header = {0};
    columns_append_header(columns, &header);
    bool same = header.length == l->length && memcmp(header.bytes, l->line, l->length) == 0;
    text_free(&header);
    return same || FAIL(e, ERROR_CONFIG,
                        "%s: its columns are not those that this run would write: the metrics, the "
                        "kernels' tunables or redsweep itself have changed; start a new run",
                        l->path);
}

/* Opens the file and reads its header, which must be that of `columns` unless these are NULL. */
static bool rows_open(int folder, const char *name, const struct columns *columns, struct rows *out,
                      struct error *e)
{
    *out = (struct rows){0};
    struct lines *l = &out->lines;
    if (!lines_open(folder, name, "results.csv", l, e))
        return false;
    enum csv_found found = lines_next(l, e);
    bool ok = found == CSV_ROW ||
              (found != CSV_BAD && FAIL(e, ERROR_CONFIG, "%s: has no header", l->path));
    ok = ok && (!columns || check_header(l, columns, e));
    if (ok) { /* else there may be no line at all */
        struct csv_reader reader = {l->path, l->line, l->line + l->length, 1};
        ok = csv_next(&reader, &out->row, e) == CSV_ROW;
    }
    const struct {
        const char *name;
        size_t *column;
    } wanted[] = {{"status", &out->status_column},
                  {"samples", &out->samples_column},
                  {"reason", &out->reason_column},
                  {"kernel", &out->kernel_column}};
    for (size_t w = 0; w < sizeof wanted / sizeof *wanted; w++) {
        *wanted[w].column = out->row.count;
        for (size_t i = 0; ok && i < out->row.count; i++)
            if (strcmp(out->row.cells[i], wanted[w].name) == 0)
                *wanted[w].column = i;
    }
    return ok;
}

static void rows_close(struct rows *r)
{
    csv_row_free(&r->row);
    if (r->lines.buffer)
        lines_close(&r->lines);
}

static const char *cell_of(const struct rows *r, size_t column)
{
    return column < r->row.count ? r->row.cells[column] : "";
}

/* The next row: *more is false where there is none. False for an error. */
static bool rows_next(struct rows *r, bool *more, struct error *e)
{
    enum csv_found found = lines_row(&r->lines, &r->row, e);
    *more = found == CSV_ROW;
    if (!*more)
        return found != CSV_BAD;
    r->samples = (uint32_t)strtoul(cell_of(r, r->samples_column), NULL, 10);
    const char *reason = strstr(cell_of(r, r->reason_column), RECORD_GIVEN_UP);
    if (!reason || !status_find(reason + strlen(RECORD_GIVEN_UP), &r->given_up))
        r->given_up = STATUS_COUNT;
    return (r->status_column < r->row.count &&
            status_find(r->row.cells[r->status_column], &r->status) &&
            line_id(r->row.cells[0], strlen(r->row.cells[0]), &r->id)) ||
           FAIL(e, ERROR_CONFIG, "%s: line %zu is not a row written by a run", r->lines.path,
                r->lines.number);
}

static bool no_duplicates(const struct recorded *found, const char *path, struct error *e)
{
    for (size_t i = 1; i < found->ids.count; i++)
        if (found->ids.items[i] == found->ids.items[i - 1])
            return FAIL(e, ERROR_CONFIG, "%s: point %016" PRIx64 " has two rows", path,
                        found->ids.items[i]);
    return true;
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
    bool more = true, ok = rows_open(folder, name, columns, &r, e);
    while (ok && (ok = rows_next(&r, &more, e)) && more) {
        if (r.row.count != (size_t)columns->count)
            ok = FAIL(e, ERROR_CONFIG, "%s: line %zu is not a row written by a run", r.lines.path,
                      r.lines.number);
        found->by_status[r.status]++;
        vec_push(promised, (struct promise){r.id, r.status, r.samples, r.samples});
        if (r.given_up < STATUS_COUNT)
            note_given_up(found, cell_of(&r, r.kernel_column), r.given_up);
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
    enum csv_found next = lines_next(&l, e);
    bool ok =
        next == CSV_ROW || (next != CSV_BAD && FAIL(e, ERROR_CONFIG, "%s: has no header", l.path));
    struct promise *p = NULL; /* mostly that of the line before */
    *whole = l.end;
    while (ok && (next = lines_next(&l, e)) == CSV_ROW) {
        uint64_t id;
        bool has_id = line_id(l.line, l.length, &id);
        if (has_id && !(p && p->id == id))
            p = find_promise(promised, id);
        if (!has_id || !p)
            continue;
        if (*whole != l.begin)
            ok = FAIL(e, ERROR_CONFIG, "%s: the lines before line %zu belong to no row", l.path,
                      l.number);
        p->missing--; /* one too many: UINT32_MAX */
        *whole = l.end;
    }
    lines_close(&l);
    return ok && next != CSV_BAD;
}

/*
 * Samples are on disk before their row. Fewer are left when the file was cut, or by a
 * `resume --retry` that was killed when it had replaced samples.csv and not yet results.csv.
 */
static bool none_missing(const promises *promised, const char *name, struct error *e)
{
    for (size_t i = 0; i < promised->count; i++) {
        const struct promise *p = &promised->items[i];
        if (p->missing)
            return FAIL(e, ERROR_CONFIG,
                        "%s/samples.csv: point %016" PRIx64 " has %" PRIu32
                        " samples, but its row in results.csv says %" PRIu32
                        ": the file was cut or edited, or a `resume --retry` was killed; restore "
                        "it, or %s%s",
                        name, p->id, p->samples - p->missing, p->samples,
                        p->status == STATUS_OK ? "start a new run" : "resume with --retry ",
                        p->status == STATUS_OK ? "" : status_name(p->status));
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

/* The points of the rows with these statuses, ascending. */
static bool find_statuses(int folder, const char *name, const bool statuses[STATUS_COUNT],
                          struct recorded *found, struct error *e)
{
    struct rows r;
    bool more = true, ok = rows_open(folder, name, NULL, &r, e);
    while (ok && (ok = rows_next(&r, &more, e)) && more)
        if (statuses[r.status] || (r.given_up < STATUS_COUNT && statuses[r.given_up]))
            vec_push(&found->ids, r.id);
    recorded_sort(found);
    rows_close(&r);
    return ok;
}

/* A file, and the points whose lines are left out of its copy. */
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
        if (!line_id(r->lines.line, r->lines.length, &id) || !recorded_has(r->points, id))
            fwrite(r->lines.line, 1, r->lines.length, to);
    }
    return found != CSV_BAD;
}

/* Replaces a file by one without the whole lines of these points; a torn last line goes, too. */
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

static bool open_run(const char *folder, int *fd, struct error *e)
{
    *fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return *fd >= 0 ||
           FAIL(e, ERROR_SYSTEM, "%s: cannot open the folder: %s", folder, strerror(errno));
}

/* The points of the rows with these statuses. */
static bool find_points(const char *folder, const bool statuses[STATUS_COUNT], struct recorded *out,
                        struct error *e)
{
    int fd;
    memset(out, 0, sizeof *out);
    if (!open_run(folder, &fd, e))
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
    if (!open_run(folder, &fd, e))
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
