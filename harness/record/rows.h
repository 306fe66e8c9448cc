/*
 * The rows of a results.csv one after the other, in bounded memory, with what readers of rows need
 * to continue, merge or count them. For all cells at once: table/table.h.
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
    struct lines lines; /* its line is the row as it is in the file */
    struct text copy;   /* of that line: `row` has its cells in it, unquoted in place */
    struct csv_row row;
    VEC(const struct known_column *) columns; /* NULL for one that columns.def does not have */
    size_t status_column, samples_column, kernel_column, median_column, stdev_column;
    size_t flags_column; /* not there: a run of before it, whose flags its other cells tell */
    size_t backend_column, reason_column, stopped_by_column;
    uint64_t id; /* of the row's point */
    enum status status;
    uint32_t samples;     /* as many as it says; 0 where it says nothing */
    enum status given_up; /* why its kernel was given up (flags_given_up()); STATUS_COUNT: not */
    bool torn;            /* the file ends within its last line */
};

/*
 * Opens results.csv of an open folder, whose name is for messages, and reads the header; the row is
 * the header then. ERROR_CONFIG when there is none. rows_close() also when this fails.
 */
bool rows_open(int folder, const char *name, struct rows *out, struct error *e);
void rows_close(struct rows *r);

/* The next row; *more is false, and `torn` is set, at the end. False for an error: also a cell that
 * columns.def does not allow. */
bool rows_next(struct rows *r, bool *more, struct error *e);

/* The cell of the row in this column; "" where it has fewer. */
const char *rows_cell(const struct rows *r, size_t column);

/* The same as a number; NaN where it is empty. */
double rows_number(const struct rows *r, size_t column);

#endif
