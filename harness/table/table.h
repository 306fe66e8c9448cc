/*
 * Reads CSV: our own, or any that follows RFC 4180.
 *
 * A torn last line (no line end: the writer was killed) is dropped and said in `torn`.
 * Every cell is kept as text; table_number() reads it as a number, NaN when it is empty or none.
 */
#ifndef REDSWEEP_TABLE_TABLE_H
#define REDSWEEP_TABLE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/map.h"
#include "base/vec.h"
#include "table/cell.h"
#include "table/decimal.h"

enum { TABLE_WRITTEN = 8 };

/*
 * A column's cells. Most columns have few different texts: up to 1, 2^8 and 2^16 of them a cell is
 * the text's number in no, one or two bytes; beyond that it is the 64 bits that the text is packed
 * in (a number or a point's id), or else the text's offset in four bytes. So 10^6 rows of 54
 * columns take some 70 MB instead of 900.
 */
struct table_packing;
struct table_column {
    int width; /* bytes of a cell: 0, 1, 2, 4, or 8 for packed ones */
    void *cells;
    const struct table_packing *packing; /* width 8: how */
    char (*written)[DECIMAL_TEXT]; /* width 8: cells that were asked for as text, in turn … */
    unsigned next_written;         /* … the next one goes here, modulo TABLE_WRITTEN */
    size_t capacity;               /* cells that there is room for */
    bool left_out;                 /* all cells are "" */
    enum cell_range range;         /* what a cell may hold */
    VEC(uint32_t) texts;           /* width 0 to 2: offset of each text */
    struct map numbers;            /* of these texts, by their hash */
};

struct table {
    char **columns; /* their names */
    size_t column_count;
    struct table_column *stores; /* one for each column */
    VEC(char) bytes;             /* the texts of all cells, each with its NUL */
    size_t row_count;
    bool torn;
};

/* ERROR_CONFIG names file, line and column of what is not CSV. */
bool table_read(const char *path, struct table *out, struct error *e);
/* What is known of a table before it is read. */
struct table_rules {
    enum cell_range (*range)(const void *context, const char *column); /* what its cells may hold */
    const void *context;
    const char *const
        *left_out; /* columns whose cells are checked and left empty: they take no memory;
                                    their names, then NULL; NULL: none */
};
/* The same, but a cell outside of its column's range is refused, with file, line and column. */
bool table_read_by(const char *path, const struct table_rules *rules, struct table *out,
                   struct error *e);
/* `bytes` (from malloc) are the table's afterwards, and freed also when this fails. */
bool table_parse(const char *path, char *bytes, size_t length, struct table *out, struct error *e);
void table_free(struct table *t);

/* −1 when there is no such column. */
int table_column(const struct table *t, const char *name);
/* "" for column −1. Valid until TABLE_WRITTEN further cells of that column were asked for. */
const char *table_cell(const struct table *t, size_t row, int column);
/* Changes a cell in memory, not of a column that was left out. Cells that were got before are not
 * valid any more. */
void table_set_cell(struct table *t, size_t row, int column, const char *text);
double table_number(const struct table *t, size_t row, int column);

#endif
