/*
 * Writes and reads CSV as defined by RFC 4180, for all of redsweep.
 *
 * Writers quote a cell that contains a comma, a quote or a line end, and double the quotes in it.
 * Lines end with "\n". A number is written as the shortest text that reads back as the same number,
 * and a missing number as an empty cell.
 *
 * The reader accepts what writers produce, as well as "\r\n" line ends and a UTF-8 byte order mark
 * at the start of a file. Anything else is an error, whose message names the line and the column.
 */
#ifndef REDSWEEP_TABLE_CSV_H
#define REDSWEEP_TABLE_CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

/* Appends a cell. The caller appends commas and line ends. */
void csv_append_text(struct text *t, const char *cell);

/*
 * Appends a string with " | " in place of line ends, and U+FFFD in place of bytes that are not
 * valid UTF-8.
 */
void csv_append_line(struct text *t, const char *prose);

/*
 * Reads CSV from the bytes between `at` and `end`. Cells are unquoted in place, so these bytes must
 * be writable.
 */
struct csv_reader {
    const char *path; /* for messages */
    char *at, *end;
    size_t line; /* the line of `at`, from 1 */
};

struct csv_row {
    char **cells; /* NUL-terminated, within the reader's bytes */
    size_t count, capacity;
    size_t line; /* the line in which the row begins */
};

enum csv_found {
    CSV_ROW,
    CSV_END,
    CSV_TORN, /* the last line is incomplete: its writer was stopped */
    CSV_BAD   /* the text is not CSV; the error says where and why */
};

/*
 * Reads the next row. The row must be zero-initialized and can be reused. Free it with
 * csv_row_free().
 */
enum csv_found csv_next(struct csv_reader *r, struct csv_row *row, struct error *e);
void csv_row_free(struct csv_row *row);

/*
 * Returns the position of the cell with this text, or `count` if there is none. Finds columns by
 * the names in a header.
 */
size_t csv_find(const struct csv_row *row, const char *text);

#endif
