/*
 * Reads a CSV file of a run line by line in constant memory. In these files, each row is one line
 * (record/writer.h).
 *
 * A last line without a line end is called torn; a killed writer can leave one. If reading fails,
 * this is an error, not the end of the file or a torn line.
 */
#ifndef REDSWEEP_TABLE_LINES_H
#define REDSWEEP_TABLE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "table/csv.h"

/*
 * The most bytes that a line may have. Even a row with all metrics and the longest reason is far
 * shorter.
 */
enum { LINE_MOST_BYTES = 1 << 20 };

struct lines {
    int file;
    char path[4200]; /* for messages */
    char *line;      /* the current line with its line end, within the buffer and not
                        NUL-terminated */
    size_t length;
    size_t number;    /* of the current line, from 1 */
    off_t begin, end; /* of the current line, as offsets in the file */
    char *buffer;
    /* how many bytes of the buffer have been returned, and how many have been read */
    size_t next, filled;
};

/* Opens a file in an open folder. `name` is the folder's name for messages. Fails with ERROR_CONFIG
 * if the file cannot be opened. */
bool lines_open(int folder, const char *name, const char *file, struct lines *out, struct error *e);
void lines_close(struct lines *l);

/*
 * Reads the next line. Returns CSV_END at the end of the file, CSV_TORN for a torn line, and
 * CSV_BAD if reading failed or the line has more than LINE_MOST_BYTES bytes.
 */
enum csv_found lines_next(struct lines *l, struct error *e);

/* Reads the next line and splits it into the cells of `row`, which point into the line. */
enum csv_found lines_row(struct lines *l, struct csv_row *row, struct error *e);

/* Splits the current line into cells. This modifies the line. */
enum csv_found lines_cells(struct lines *l, struct csv_row *row, struct error *e);

/* Reads the first line. Fails with ERROR_CONFIG if this line is missing or torn. */
bool lines_header(struct lines *l, struct error *e);

/*
 * Reads a point's id, 16 hexadecimal digits before a comma, from the start of the line. Returns
 * false if the line does not start with an id.
 */
bool lines_id(const struct lines *l, uint64_t *id);

#endif
