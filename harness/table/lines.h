/*
 * Reads a CSV file of a run line by line in a constant amount of memory. In these files each row is
 * one line (record/writer.h).
 *
 * If the last line has no line end, it is torn. A writer that was killed can leave a torn line. A
 * failed read is an error. It is not treated as the end of the file or as a torn line.
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
 * This is the length of the longest line. A row with the longest reason and all metrics is far
 * shorter than this.
 */
enum { LINE_MOST_BYTES = 1 << 20 };

struct lines {
    int file;
    char path[4200]; /* the path of the file, for messages */
    char *line;      /* the current line with its line end; it is within the buffer and not
                        NUL-terminated */
    size_t length;
    size_t number;    /* the number of the line, from 1 */
    off_t begin, end; /* the place of the line in the file */
    char *buffer;
    size_t next, filled; /* the numbers of bytes in the buffer that were returned and that were
                            read */
};

/* Opens a file in an open folder. `name` is the folder's name for messages. Fails with ERROR_CONFIG
 * if the file cannot be opened. */
bool lines_open(int folder, const char *name, const char *file, struct lines *out, struct error *e);
void lines_close(struct lines *l);

/*
 * Reads the next line. CSV_END and CSV_TORN mean the end of the file and a torn line. CSV_BAD means
 * that a read has failed, or that a line has more than LINE_MOST_BYTES bytes.
 */
enum csv_found lines_next(struct lines *l, struct error *e);

/* Reads the next line and splits it into cells, which point into the line. */
enum csv_found lines_row(struct lines *l, struct csv_row *row, struct error *e);

/* Splits the current line into cells. This modifies the line. */
enum csv_found lines_cells(struct lines *l, struct csv_row *row, struct error *e);

/* Reads the first line. If it is missing or torn, the function fails with ERROR_CONFIG. */
bool lines_header(struct lines *l, struct error *e);

/*
 * Reads the id of a point from the start of the line, where it consists of 16 hexadecimal digits
 * before a comma. Returns false if the line does not begin with an id.
 */
bool lines_id(const struct lines *l, uint64_t *id);

#endif
