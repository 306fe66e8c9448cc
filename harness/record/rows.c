/* Reads rows one at a time. */
#include "record/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Reads the cells of the current line. */
static enum csv_found read_cells(struct rows *r, struct error *e)
{
    r->copy.length = 0;
    text_append_bytes(&r->copy, r->lines.line, r->lines.length);
    struct csv_reader reader = {r->lines.path, r->copy.bytes, r->copy.bytes + r->copy.length,
                                r->lines.number};
    return csv_next(&reader, &r->row, e);
}

bool rows_open(int folder, const char *name, struct rows *out, struct error *e)
{
    *out = (struct rows){0};
    if (!lines_open(folder, name, "results.csv", &out->lines, e) || !lines_header(&out->lines, e) ||
        read_cells(out, e) != CSV_ROW)
        return false;
    for (size_t i = 0; i < out->row.count; i++) {
        const struct known_column *known = known_column(out->row.cells[i]);
        vec_push(&out->columns, known);
    }
    out->status_column = csv_find(&out->row, "status");
    out->samples_column = csv_find(&out->row, "samples");
    out->flags_column = csv_find(&out->row, "flags");
    out->backend_column = csv_find(&out->row, "backend");
    out->reason_column = csv_find(&out->row, "reason");
    out->stopped_by_column = csv_find(&out->row, "stopped_by");
    out->kernel_column = csv_find(&out->row, "kernel");
    out->median_column = csv_find(&out->row, "time_us_median");
    out->stdev_column = csv_find(&out->row, "time_us_stdev");
    return true;
}

void rows_close(struct rows *r)
{
    csv_row_free(&r->row);
    vec_free(&r->columns);
    text_free(&r->copy);
    if (r->lines.buffer)
        lines_close(&r->lines);
}

const char *rows_cell(const struct rows *r, size_t column)
{
    return column < r->row.count ? r->row.cells[column] : "";
}

double rows_number(const struct rows *r, size_t column)
{
    const char *cell = rows_cell(r, column);
    return *cell ? strtod(cell, NULL) : NAN;
}

/* Checks the values of the row's cells, as table_read_as() does for a whole table. */
static bool check_cells(const struct rows *r, struct error *e)
{
    for (size_t i = 0; i < r->row.count && i < r->columns.count; i++) {
        const struct known_column *column = r->columns.items[i];
        if (column &&
            !cell_check(column->range, r->row.cells[i],
                        &(struct cell_place){r->lines.path, column->name, r->lines.number}, e))
            return false;
    }
    return true;
}

static bool read_flags(struct rows *r, struct error *e)
{
    unsigned flags;
    if (r->flags_column >= r->columns.count)
        flags = flags_of_older(rows_cell(r, r->backend_column), rows_cell(r, r->status_column),
                               rows_cell(r, r->reason_column), rows_cell(r, r->stopped_by_column));
    else if (!flags_parse(rows_cell(r, r->flags_column), &flags))
        return FAIL(e, ERROR_CONFIG,
                    "%s:%zu: the column flags contains '%.100s', which is not a list of flags",
                    r->lines.path, r->lines.number, rows_cell(r, r->flags_column));
    r->given_up = flags_given_up(flags);
    return true;
}

bool rows_next(struct rows *r, bool *more, struct error *e)
{
    enum csv_found found = lines_next(&r->lines, e);
    if (found == CSV_ROW)
        found = read_cells(r, e);
    r->torn = found == CSV_TORN;
    *more = found == CSV_ROW;
    if (!*more)
        return found != CSV_BAD;
    if (!check_cells(r, e))
        return false;
    r->samples = (uint32_t)strtoul(rows_cell(r, r->samples_column), NULL, 10);
    return read_flags(r, e) &&
           ((status_find(rows_cell(r, r->status_column), &r->status) &&
             lines_id(&r->lines, &r->id)) ||
            FAIL(e, ERROR_CONFIG,
                 "%s:%zu: this line is not a row that a run has written; restore the file",
                 r->lines.path, r->lines.number));
}
