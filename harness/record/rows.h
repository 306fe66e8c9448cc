/*
 * Reads the rows of a results.csv one at a time and in bounded memory. These functions provide
 * everything that is needed to continue a run, to merge rows or to count them. table/table.h reads
 * all cells at once.
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
    struct lines lines; /* the current line contains the row exactly as it is in the file */
    struct text copy;   /* a copy of that line, in which the cells of `row` are unquoted */
    struct csv_row row;
    /* An entry is NULL if columns.def does not have the column. */
    VEC(const struct known_column *) columns;
    size_t status_column, samples_column, kernel_column, median_column, stdev_column;
    /* In older runs this column is missing; other cells then determine the flags. */
    size_t flags_column;
    size_t backend_column, reason_column, stopped_by_column;
    uint64_t id; /* the id of the row's point */
    enum status status;
    uint32_t samples; /* the number of samples that the row states; 0 if it states none */
    /*
     * The row's kernel was given up for this status (flags_given_up()). It is STATUS_COUNT if the
     * kernel was not given up.
     */
    enum status given_up;
    bool torn; /* whether the last line of the file is incomplete */
};

/*
 * Opens results.csv of an open folder and reads its header, which is then the current row. Messages
 * call the folder `name`. Returns ERROR_CONFIG if there is no header. Call rows_close() even after
 * an error.
 */
bool rows_open(int folder, const char *name, struct rows *out, struct error *e);
void rows_close(struct rows *r);

/* Reads the next row. After the last row *more is false, and `torn` is set. Returns false after an
 * error, for example if columns.def does not allow the value of a cell. */
bool rows_next(struct rows *r, bool *more, struct error *e);

/* Returns the cell of the row in this column, or "" if the row has fewer cells. */
const char *rows_cell(const struct rows *r, size_t column);

/* Returns the cell of the row in this column as a number, or NaN if the cell is empty. */
double rows_number(const struct rows *r, size_t column);

#endif
