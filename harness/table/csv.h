/*
 * CSV as RFC 4180 has it, written and read in one place.
 *
 * Written: cells with a comma, a quote or a line end are put in quotes, quotes are doubled, lines
 * end in "\n", numbers are the shortest text that reads back equal, missing numbers are empty.
 * Read: the same, and "\r\n", and a UTF-8 byte order mark at the start. Everything else that is not
 * CSV is refused with its line and column, not guessed at.
 */
#ifndef REDSWEEP_TABLE_CSV_H
#define REDSWEEP_TABLE_CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

/* Appends one cell; commas and line ends between cells are the caller's. */
void csv_append_text(struct text *t, const char *cell);

/* Appends UTF-8 unchanged, and U+FFFD for every byte that is not valid. Line ends become " | ". */
void csv_append_line(struct text *t, const char *prose);

/* State of a reader. Cells are unquoted in place, so the bytes must be writable. */
struct csv_reader {
    const char *path; /* for messages */
    char *at, *end;
    size_t line; /* 1-based line of the file that `at` is in */
};

struct csv_row {
    char **cells; /* NUL-terminated, in the reader's bytes */
    size_t count, capacity;
    size_t line; /* where it begins */
};

enum csv_found {
    CSV_ROW,
    CSV_END,
    CSV_TORN, /* the last line is incomplete: its writer was stopped */
    CSV_BAD   /* the error says where and why */
};

/* Reads the next row. The row starts zeroed, is reused, and is freed with csv_row_free(). */
enum csv_found csv_next(struct csv_reader *r, struct csv_row *row, struct error *e);
void csv_row_free(struct csv_row *row);

/* The position of the cell with this text; `count` if there is none. For headers. */
size_t csv_find(const struct csv_row *row, const char *text);

#endif
