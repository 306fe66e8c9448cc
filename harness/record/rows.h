/*
 * Reads the rows of a results.csv one at a time, in bounded memory, to resume a run and to merge or
 * count rows. table/table.h reads a whole file into memory.
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
    struct lines lines; /* the current line is the row as it is in the file */
    struct text copy;   /* a copy of that line with the cells of `row` unquoted */
    struct csv_row row;
    /* One entry per column of the file; NULL for a column that columns.def lacks. */
    VEC(const struct known_column *) columns;
    size_t status_column, samples_column, kernel_column, median_column, stdev_column;
    /* Missing in older runs, whose flags are derived from the columns below. */
    size_t flags_column;
    size_t backend_column, reason_column, stopped_by_column;
    uint64_t id; /* the id of the row's point */
    enum status status;
    /* The number of samples in the column `samples`; 0 if that cell is empty. */
    uint32_t samples;
    /* The status for which the run gave up on the row's kernel (flags_given_up()), or
     * STATUS_COUNT. */
    enum status given_up;
    bool torn; /* whether the last line of the file is incomplete */
};

/*
 * Opens results.csv of an open folder and reads its header, which is then the current row. Messages
 * call the folder `name`. Fails with ERROR_CONFIG if the file has no header. Call rows_close() even
 * after an error.
 */
bool rows_open(int folder, const char *name, struct rows *out, struct error *e);
void rows_close(struct rows *r);

/* Reads the next row. After the last row, sets *more to false, and sets `torn`. Returns false after
 * an error, for example if columns.def does not allow a cell's value. */
bool rows_next(struct rows *r, bool *more, struct error *e);

/* Returns the row's cell in this column, or "" if the row is too short. */
const char *rows_cell(const struct rows *r, size_t column);

/* Returns the row's cell in this column as a number, or NaN if the cell is empty. */
double rows_number(const struct rows *r, size_t column);

#endif
