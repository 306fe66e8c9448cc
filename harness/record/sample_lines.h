/*
 * Reads and checks samples.csv line by line, for all code that needs single samples. Finds the
 * columns by their names.
 */
#ifndef REDSWEEP_RECORD_SAMPLE_LINES_H
#define REDSWEEP_RECORD_SAMPLE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "table/csv.h"
#include "table/lines.h"

/* The header that redsweep writes. Readers accept any order of these columns, and additional
 * columns. */
#define SAMPLES_HEADER "id,sample,time_us\n"

struct sample_lines {
    struct lines lines;
    /* If the caller sets it, each line after the header is also written to this stream. */
    FILE *copy;
    const char *point; /* the id in the current line, as written */
    double time_us;    /* the time in the current line; NaN if the cell is empty */
    bool torn;         /* whether the last line of the file is incomplete */
    struct csv_row row;
    size_t columns, id, sample, time;
};

/* Opens samples.csv in an open folder and reads its header. Messages call the folder `name`. */
bool sample_lines_open(int folder, const char *name, struct sample_lines *out, struct error *e);
void sample_lines_close(struct sample_lines *s);

/* Reads the next line. Returns ERROR_CONFIG if the line has more or fewer cells than the header, or
 * if a cell is not a number. */
bool sample_lines_next(struct sample_lines *s, bool *more, struct error *e);

#endif
