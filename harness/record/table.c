/*
 * Reading recorded results back: see table.h for the rule.
 */
#include "record/table.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/csv.h"

/* 10^6 rows of results take about 0.4 GB; more than this is no table of ours. */
#define LARGEST_FILE ((off_t)2 << 30)

static bool read_all(int file, const char *path, char *bytes, size_t length, size_t *got,
                     struct error *e)
{
    *got = 0;
    while (*got < length) {
        ssize_t n = read(file, bytes + *got, length - *got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return FAIL(e, ERROR_SYSTEM, "%s: cannot read: %s", path, strerror(errno));
        if (n == 0)
            break; /* it became shorter meanwhile */
        *got += (size_t)n;
    }
    return true;
}

static bool read_file(const char *path, char **bytes, size_t *length, struct error *e)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return FAIL(e, ERROR_CONFIG, "%s: cannot open: %s", path, strerror(errno));
    struct stat st;
    bool ok = false;
    if (fstat(file, &st) != 0)
        FAIL(e, ERROR_SYSTEM, "%s: cannot ask for its size: %s", path, strerror(errno));
    else if (!S_ISREG(st.st_mode))
        FAIL(e, ERROR_CONFIG, "%s: not a regular file; give a run's results.csv", path);
    else if (st.st_size > LARGEST_FILE)
        FAIL(e, ERROR_CONFIG, "%s: %lld bytes are too much; a table may have up to %lld", path,
             (long long)st.st_size, (long long)LARGEST_FILE);
    else if (!(*bytes = malloc((size_t)st.st_size + 1)))
        FAIL(e, ERROR_MEMORY, "%s: too little memory for %lld bytes", path, (long long)st.st_size);
    else
        ok = read_all(file, path, *bytes, (size_t)st.st_size, length, e);
    if (!ok)
        free(*bytes);
    close(file);
    return ok;
}

static bool take_header(const struct csv_row *row, const char *path, struct table *t,
                        struct error *e)
{
    for (size_t i = 0; i < row->count; i++) {
        if (!row->cells[i][0])
            return FAIL(e, ERROR_CONFIG, "%s: line %zu: column %zu has no name", path, row->line,
                        i + 1);
        for (size_t j = 0; j < i; j++)
            if (strcmp(row->cells[i], row->cells[j]) == 0)
                return FAIL(e, ERROR_CONFIG,
                            "%s: line %zu: columns %zu and %zu are both called '%s'; every column "
                            "needs a name of its own",
                            path, row->line, j + 1, i + 1, row->cells[i]);
    }
    t->columns = malloc(row->count * sizeof *t->columns);
    if (!t->columns)
        return FAIL(e, ERROR_MEMORY, "%s: too little memory for the header", path);
    memcpy(t->columns, row->cells, row->count * sizeof *t->columns);
    t->column_count = row->count;
    return true;
}

static bool take_row(const struct csv_row *row, const char *path, struct table *t, size_t *capacity,
                     struct error *e)
{
    if (row->count != t->column_count)
        return FAIL(e, ERROR_CONFIG,
                    "%s: line %zu: %zu cells, but the header has %zu; every row needs as many "
                    "commas as the header",
                    path, row->line, row->count, t->column_count);
    if (t->row_count == *capacity) {
        size_t more = *capacity ? 2 * *capacity : 256;
        char **cells = more > SIZE_MAX / sizeof *cells / t->column_count
                           ? NULL
                           : realloc(t->cells, more * t->column_count * sizeof *cells);
        if (!cells)
            return FAIL(e, ERROR_MEMORY, "%s: too little memory for row %zu", path, row->line);
        t->cells = cells;
        *capacity = more;
    }
    memcpy(t->cells + t->row_count * t->column_count, row->cells,
           t->column_count * sizeof *t->cells);
    t->row_count++;
    return true;
}

static bool take_rows(struct csv_reader *reader, struct csv_row *row, struct table *t,
                      struct error *e)
{
    size_t capacity = 0;
    for (;;) {
        switch (csv_next(reader, row, e)) {
        case CSV_BAD:
            return false;
        case CSV_ROW:
            if (t->columns ? !take_row(row, reader->path, t, &capacity, e)
                           : !take_header(row, reader->path, t, e))
                return false;
            break;
        case CSV_TORN:
            if (!t->columns)
                return FAIL(e, ERROR_CONFIG, "%s: line %zu: the file ends within its header",
                            reader->path, reader->line);
            t->torn = true;
            return true;
        case CSV_END:
            if (!t->columns)
                return FAIL(e, ERROR_CONFIG,
                            "%s: empty; a table begins with a line of column names", reader->path);
            return true;
        }
    }
}

bool table_parse(const char *path, char *bytes, size_t length, struct table *out, struct error *e)
{
    *out = (struct table){.bytes = bytes};
    size_t mark = length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    struct csv_reader reader = {path, bytes + mark, bytes + length, 1};
    struct csv_row row = {0};
    bool ok = take_rows(&reader, &row, out, e);
    csv_row_free(&row);
    if (!ok)
        table_free(out);
    return ok;
}

bool table_read(const char *path, struct table *out, struct error *e)
{
    *out = (struct table){0};
    char *bytes = NULL;
    size_t length = 0;
    return read_file(path, &bytes, &length, e) && table_parse(path, bytes, length, out, e);
}

void table_free(struct table *t)
{
    free(t->bytes);
    free(t->columns);
    free(t->cells);
    memset(t, 0, sizeof *t);
}

int table_column(const struct table *t, const char *name)
{
    for (size_t i = 0; i < t->column_count; i++)
        if (strcmp(t->columns[i], name) == 0)
            return (int)i;
    return -1;
}

const char *table_cell(const struct table *t, size_t row, int column)
{
    return column < 0 ? "" : t->cells[row * t->column_count + (size_t)column];
}

double table_number(const struct table *t, size_t row, int column)
{
    const char *cell = table_cell(t, row, column);
    char *end;
    double number = strtod(cell, &end);
    return end == cell || *end ? NAN : number;
}
