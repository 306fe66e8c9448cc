/*
 * Reading an earlier run's files in order to go on with them: see recorded.h.
 *
 * A row is one line (record.h), so lines can be taken one by one. A point's samples are written
 * before its row; whoever was killed between the two left samples without a row at the end of
 * samples.csv, which are cut off with the torn line that may follow them.
 */
#include "record/recorded.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/csv.h"

void recorded_free(struct recorded *r)
{
    free(r->ids);
    memset(r, 0, sizeof *r);
}

static int compare_ids(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

bool recorded_has(const struct recorded *r, uint64_t id)
{
    return r->count && bsearch(&id, r->ids, r->count, sizeof id, compare_ids) != NULL;
}

/* "0123456789abcdef"; what begins so is looked at no further. */
static bool parse_id(const char *text, uint64_t *id)
{
    int length = 0;
    return sscanf(text, "%16" SCNx64 "%n", id, &length) == 1 && length == 16;
}

/* A file that is read line by line. */
struct lines {
    FILE *file;
    char path[4200]; /* for messages */
    char *line;
    size_t capacity;
    size_t number;    /* of the line, from 1 */
    off_t begin, end; /* of the line in the file */
};

static bool lines_open(int folder, const char *name, const char *file, struct lines *out,
                       struct error *e)
{
    memset(out, 0, sizeof *out);
    snprintf(out->path, sizeof out->path, "%.4000s/%s", name, file);
    int fd = openat(folder, file, O_RDONLY | O_CLOEXEC);
    out->file = fd < 0 ? NULL : fdopen(fd, "r");
    if (out->file)
        return true;
    FAIL(e, ERROR_CONFIG, "%s: cannot open: %s; a run's folder holds results.csv and samples.csv",
         out->path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return false;
}

static void lines_close(struct lines *l)
{
    free(l->line);
    if (l->file)
        fclose(l->file);
}

/* The next whole line; false at the end, and where the rest is torn. */
static bool lines_next(struct lines *l)
{
    ssize_t length = getline(&l->line, &l->capacity, l->file);
    if (length <= 0 || l->line[length - 1] != '\n')
        return false;
    l->begin = l->end;
    l->end += length;
    l->number++;
    return true;
}

static bool check_header(const struct lines *l, const struct columns *columns, struct error *e)
{
    struct text header = {0};
    columns_append_header(columns, &header);
    bool same = !header.failed && strcmp(header.bytes, l->line) == 0;
    if (!same)
        FAIL(e, ERROR_CONFIG,
             "%s: its columns are not those that this run would write: the metrics, the kernels' "
             "tunables or redsweep itself have changed; start a new run",
             l->path);
    text_free(&header);
    return same;
}

static int column_of(const struct columns *c, const char *name)
{
    int i = 0;
    while (strcmp(c->list[i].name, name) != 0)
        i++;
    return i;
}

static bool add_id(struct recorded *found, size_t *capacity, uint64_t id, const struct lines *l,
                   struct error *e)
{
    if (found->count == *capacity) {
        size_t more = *capacity ? 2 * *capacity : 1024;
        uint64_t *ids = realloc(found->ids, more * sizeof *ids);
        if (!ids)
            return FAIL(e, ERROR_MEMORY, "%s: too little memory for row %zu", l->path, l->number);
        found->ids = ids;
        *capacity = more;
    }
    found->ids[found->count++] = id;
    return true;
}

static bool take_row(struct lines *l, const struct columns *columns, struct csv_row *row,
                     size_t *capacity, struct recorded *found, struct error *e)
{
    size_t length = (size_t)(l->end - l->begin);
    struct csv_reader reader = {l->path, l->line, l->line + length, l->number};
    if (csv_next(&reader, row, e) != CSV_ROW)
        return false;
    enum status status;
    uint64_t id;
    if (row->count != (size_t)columns->count || !parse_id(row->cells[0], &id) ||
        !status_find(row->cells[column_of(columns, "status")], &status))
        return FAIL(e, ERROR_CONFIG, "%s: line %zu is not a row that a run has written", l->path,
                    l->number);
    found->by_status[status]++;
    return add_id(found, capacity, id, l, e);
}

static bool no_doubles(const struct recorded *found, const char *path, struct error *e)
{
    for (size_t i = 1; i < found->count; i++)
        if (found->ids[i] == found->ids[i - 1])
            return FAIL(e, ERROR_CONFIG, "%s: point %016" PRIx64 " has two rows", path,
                        found->ids[i]);
    return true;
}

static bool read_results(int folder, const char *name, const struct columns *columns,
                         struct recorded *found, off_t *whole, struct error *e)
{
    struct lines l;
    struct csv_row row = {0};
    size_t capacity = 0;
    if (!lines_open(folder, name, "results.csv", &l, e))
        return false;
    bool ok = lines_next(&l) ? check_header(&l, columns, e)
                             : FAIL(e, ERROR_CONFIG, "%s: has no header", l.path);
    while (ok && lines_next(&l))
        ok = take_row(&l, columns, &row, &capacity, found, e);
    *whole = l.end;
    if (ok && found->count)
        qsort(found->ids, found->count, sizeof *found->ids, compare_ids);
    ok = ok && no_doubles(found, l.path, e);
    csv_row_free(&row);
    lines_close(&l);
    return ok;
}

static bool read_samples(int folder, const char *name, const struct recorded *found, off_t *whole,
                         struct error *e)
{
    struct lines l;
    if (!lines_open(folder, name, "samples.csv", &l, e))
        return false;
    bool ok = lines_next(&l) || FAIL(e, ERROR_CONFIG, "%s: has no header", l.path);
    *whole = l.end;
    while (ok && lines_next(&l)) {
        uint64_t id;
        bool known = parse_id(l.line, &id) && recorded_has(found, id);
        if (known && *whole != l.begin)
            ok = FAIL(e, ERROR_CONFIG, "%s: the lines before line %zu belong to no row", l.path,
                      l.number);
        if (known)
            *whole = l.end;
    }
    lines_close(&l);
    return ok;
}

bool recorded_read(int folder, const char *name, const struct columns *columns,
                   struct recorded *found, struct recorded_lengths *whole, struct error *e)
{
    return read_results(folder, name, columns, found, &whole->results, e) &&
           read_samples(folder, name, found, &whole->samples, e);
}

/* The points of the rows with these statuses, ascending. */
static bool find_statuses(int folder, const char *name, const bool statuses[STATUS_COUNT],
                          struct recorded *found, struct error *e)
{
    struct lines l;
    struct csv_row row = {0};
    size_t capacity = 0;
    int column = -1;
    if (!lines_open(folder, name, "results.csv", &l, e))
        return false;
    bool ok = true;
    while (ok && lines_next(&l)) {
        struct csv_reader reader = {l.path, l.line, l.line + (l.end - l.begin), l.number};
        enum status status;
        uint64_t id;
        ok = csv_next(&reader, &row, e) == CSV_ROW;
        if (ok && l.number == 1)
            for (size_t i = 0; i < row.count; i++)
                column = strcmp(row.cells[i], "status") == 0 ? (int)i : column;
        else if (ok && (column < 0 || (size_t)column >= row.count ||
                        !status_find(row.cells[column], &status) || !parse_id(row.cells[0], &id)))
            ok = FAIL(e, ERROR_CONFIG, "%s: line %zu is not a row that a run has written", l.path,
                      l.number);
        else if (ok && statuses[status])
            ok = add_id(found, &capacity, id, &l, e);
    }
    if (ok && found->count)
        qsort(found->ids, found->count, sizeof *found->ids, compare_ids);
    csv_row_free(&row);
    lines_close(&l);
    return ok;
}

/* Replaces a file by one without the whole lines of these points; a torn last line goes, too. */
static bool remove_lines(int folder, const char *name, const char *file,
                         const struct recorded *points, struct error *e)
{
    struct lines l;
    char next[64];
    snprintf(next, sizeof next, "%s.next", file);
    if (!lines_open(folder, name, file, &l, e))
        return false;
    int fd = openat(folder, next, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
    bool ok = out != NULL;
    while (ok && lines_next(&l)) {
        size_t length = (size_t)(l.end - l.begin);
        uint64_t id;
        if (!parse_id(l.line, &id) || !recorded_has(points, id))
            ok = fwrite(l.line, 1, length, out) == length;
    }
    ok = ok && fflush(out) == 0 && fsync(fd) == 0 && renameat(folder, next, folder, file) == 0 &&
         fsync(folder) == 0;
    if (!ok) {
        FAIL(e, ERROR_SYSTEM, "%s: cannot be written anew: %s; it stays as it was", l.path,
             strerror(errno));
        (void)unlinkat(folder, next, 0);
    }
    if (out)
        fclose(out);
    else if (fd >= 0)
        close(fd);
    lines_close(&l);
    return ok;
}

bool record_take_out(const char *folder, const bool statuses[STATUS_COUNT], size_t *taken,
                     struct error *e)
{
    struct recorded points = {0};
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    *taken = 0;
    if (fd < 0)
        return FAIL(e, ERROR_SYSTEM, "%s: cannot open the folder: %s", folder, strerror(errno));
    bool ok = find_statuses(fd, folder, statuses, &points, e);
    if (ok && points.count)
        ok = remove_lines(fd, folder, "samples.csv", &points, e) &&
             remove_lines(fd, folder, "results.csv", &points, e);
    if (ok)
        *taken = points.count;
    recorded_free(&points);
    close(fd);
    return ok;
}
