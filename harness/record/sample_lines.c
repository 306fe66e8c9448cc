/* Reads the lines of samples.csv. */
#include "record/sample_lines.h"

#include <math.h>
#include <stdlib.h>

#include "table/cell.h"

static bool take_header(struct sample_lines *s, struct error *e)
{
    enum csv_found found = lines_row(&s->lines, &s->row, e);
    if (found == CSV_BAD)
        return false;
    s->columns = found == CSV_ROW ? s->row.count : 0;
    s->id = csv_find(&s->row, "id");
    s->sample = csv_find(&s->row, "sample");
    s->time = csv_find(&s->row, "time_us");
    return (s->id < s->columns && s->sample < s->columns && s->time < s->columns) ||
           FAIL(e, ERROR_CONFIG,
                "%s does not have the columns id, sample and time_us; restore the file",
                s->lines.path);
}

bool sample_lines_open(int folder, const char *name, struct sample_lines *out, struct error *e)
{
    *out = (struct sample_lines){0};
    if (!lines_open(folder, name, "samples.csv", &out->lines, e))
        return false;
    if (take_header(out, e))
        return true;
    sample_lines_close(out);
    return false;
}

void sample_lines_close(struct sample_lines *s)
{
    csv_row_free(&s->row);
    lines_close(&s->lines);
}

/* Reads the next line's cells. Splitting a line changes it, so it is written to s->copy first. */
static enum csv_found next_cells(struct sample_lines *s, struct error *e)
{
    enum csv_found found = lines_next(&s->lines, e);
    if (found != CSV_ROW)
        return found;
    if (s->copy)
        fwrite(s->lines.line, 1, s->lines.length, s->copy);
    return lines_cells(&s->lines, &s->row, e);
}

bool sample_lines_next(struct sample_lines *s, bool *more, struct error *e)
{
    enum csv_found found = next_cells(s, e);
    *more = found == CSV_ROW;
    s->torn = found == CSV_TORN;
    if (!*more)
        return found != CSV_BAD;
    if (s->row.count != s->columns)
        return FAIL(e, ERROR_CONFIG, "%s:%zu: the line has %zu cells, but the header has %zu",
                    s->lines.path, s->lines.number, s->row.count, s->columns);
    const char *time = s->row.cells[s->time];
    if (!cell_check(CELL_POSITIVE, s->row.cells[s->sample],
                    &(struct cell_place){s->lines.path, "sample", s->lines.number}, e) ||
        !cell_check(CELL_POSITIVE, time,
                    &(struct cell_place){s->lines.path, "time_us", s->lines.number}, e))
        return false;
    s->point = s->row.cells[s->id];
    s->time_us = *time ? strtod(time, NULL) : NAN;
    return true;
}
