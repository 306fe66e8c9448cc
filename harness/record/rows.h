/*
 * Reads the rows of a results.csv one after another, in bounded memory, with everything needed to
 * continue, merge or count them. To read all cells at once: table/table.h.
 */
#ifndef REDSWEEP_RECORD_ROWS_H
#define REDSWEEP_RECORD_ROWS_H

#include <stdint.h>

#include "base/vec.h"
#include "record/columns.h"
#include "record/flags.h"
#include "table/lines.h"
#include "record/outcome.h"

struct rows {
    struct lines lines; /* its line is the unchanged row of the file */
    struct text copy;   /* copy of that line: the cells of `row` are in it, unquoted in place */
    struct csv_row row;
    VEC(const struct known_column *) columns; /* NULL for a column that columns.def does not have */
    size_t status_column, samples_column, kernel_column, median_column, stdev_column;
    size_t flags_column; /* missing: an older run, whose other cells show its flags */
    size_t backend_column, reason_column, stopped_by_column;
    uint64_t id; /* of the row's point */
    enum status status;
    uint32_t samples;     /* number stated in the row; 0 if there is none */
    enum status given_up; /* why its kernel was given up (flags_given_up()); STATUS_COUNT: not */
    bool torn;            /* the file ends within its last line */
};

/*
 * Opens results.csv of an open folder, whose name is for messages, and reads the header, which is
 * then the current row. ERROR_CONFIG if there is none. Call rows_close() even if this fails.
 */
bool rows_open(int folder, const char *name, struct rows *out, struct error *e);
void rows_close(struct rows *r);

/* The next row; at the end, *more is false, and `torn` is set. Returns false for an error, such as
 * a cell that columns.def does not allow. */
bool rows_next(struct rows *r, bool *more, struct error *e);

/* The cell of the row in this column; "" if it has fewer. */
const char *rows_cell(const struct rows *r, size_t column);

/* The same as a number; NaN if it is empty. */
double rows_number(const struct rows *r, size_t column);

#endif
