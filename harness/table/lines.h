/*
 * One of our CSV files, read line by line in bounded memory: a row is one line (record/writer.h).
 *
 * A line that ends with the file instead of a line end is torn, as a writer that was killed leaves
 * it. A read that fails is an error, not an end or a torn line.
 */
#ifndef REDSWEEP_TABLE_LINES_H
#define REDSWEEP_TABLE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "table/csv.h"

enum { LINE_MOST_BYTES = 1 << 20 }; /* a row with its longest reason and all metrics has far less */

struct lines {
    int file;
    char path[4200]; /* for messages */
    char *line;      /* the line and its line end; in the buffer, no NUL after it */
    size_t length;
    size_t number;    /* of the line, from 1 */
    off_t begin, end; /* of the line in the file */
    char *buffer;
    size_t next, filled; /* bytes of the buffer that were returned, and that were read */
};

/*
 * Opens a file in an open folder; `name` is the folder's name for messages. ERROR_CONFIG when it
 * cannot be opened.
 */
bool lines_open(int folder, const char *name, const char *file, struct lines *out, struct error *e);
void lines_close(struct lines *l);

/* The next line: CSV_ROW; CSV_END and CSV_TORN as above; CSV_BAD for a failed read or a line of
 * more than LINE_MOST_BYTES. */
enum csv_found lines_next(struct lines *l, struct error *e);

/* The same, and its cells, which are inside the line. */
enum csv_found lines_row(struct lines *l, struct csv_row *row, struct error *e);

/* The cells of the current line, which is modified. */
enum csv_found lines_cells(struct lines *l, struct csv_row *row, struct error *e);

/* The first line, which must be complete: ERROR_CONFIG "has no header" otherwise. */
bool lines_header(struct lines *l, struct error *e);

/* The id of a point that the line begins with, as 16 hexadecimal digits and a comma. */
bool lines_id(const struct lines *l, uint64_t *id);

#endif
