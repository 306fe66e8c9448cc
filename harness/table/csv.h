/*
 * Writes and reads CSV as defined by RFC 4180. All CSV of redsweep is written and read by this
 * code.
 *
 * If a cell contains a comma, a quote or a line end, the writers enclose the cell in quotes and
 * double the quotes in it. Lines end with "\n". A number is written as the shortest text that is
 * read back as the same number. A missing number is an empty cell.
 *
 * The reader accepts the same notation, and also "\r\n" and a UTF-8 byte order mark at the start of
 * a file. It does not guess: any other text is refused with a message that states its line and
 * column.
 */
#ifndef REDSWEEP_TABLE_CSV_H
#define REDSWEEP_TABLE_CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

/* Appends one cell. The caller appends the commas and line ends between cells. */
void csv_append_text(struct text *t, const char *cell);

/*
 * Appends a string, but replaces each line end with " | " and each byte that is not valid UTF-8
 * with U+FFFD. All other characters stay unchanged.
 */
void csv_append_line(struct text *t, const char *prose);

/* This is the state of a reader. Cells are unquoted in place, so the bytes must be writable. */
struct csv_reader {
    const char *path; /* the path of the file, for messages */
    char *at, *end;
    size_t line; /* the number of the line that contains `at`, from 1 */
};

struct csv_row {
    char **cells; /* NUL-terminated texts within the reader's bytes */
    size_t count, capacity;
    size_t line; /* the number of the line in which the row begins */
};

enum csv_found {
    CSV_ROW,
    CSV_END,
    CSV_TORN, /* the last line is incomplete, because its writer was stopped */
    CSV_BAD   /* the text is not CSV; the error says where and why */
};

/* Reads the next row. The row must be zero-initialized and can be reused. csv_row_free() frees
 * it. */
enum csv_found csv_next(struct csv_reader *r, struct csv_row *row, struct error *e);
void csv_row_free(struct csv_row *row);

/*
 * Returns the position of the cell with this text, or `count` if there is none. The function is
 * used for headers.
 */
size_t csv_find(const struct csv_row *row, const char *text);

#endif
