/*
 * Reading back what was recorded: any CSV of ours (or of somebody who follows RFC 4180).
 *
 * A torn last line (no line end: the writer was killed) is dropped and said in `torn`.
 * All cells are text; table_number() reads a cell as a number, NaN when it is empty or none.
 */
#ifndef REDSWEEP_RECORD_TABLE_H
#define REDSWEEP_RECORD_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/vec.h"

struct table {
    char *bytes; /* the file; cells point into it */
    char **columns;
    size_t column_count;
    VEC(char *) cells; /* row-major */
    size_t row_count;
    bool torn;
};

/* ERROR_CONFIG names file, line and column of what is not CSV. */
bool table_read(const char *path, struct table *out, struct error *e);
/* `bytes` (from malloc) are the table's afterwards, and freed also when this fails. */
bool table_parse(const char *path, char *bytes, size_t length, struct table *out, struct error *e);
void table_free(struct table *t);

/* −1 when there is no such column. */
int table_column(const struct table *t, const char *name);
const char *table_cell(const struct table *t, size_t row, int column); /* "" for column −1 */
double table_number(const struct table *t, size_t row, int column);

#endif
