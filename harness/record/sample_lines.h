/*
 * Reads samples.csv line by line, with checks; used by every reader of sample values. Its columns are found by name.
 */
#ifndef REDSWEEP_RECORD_SAMPLE_LINES_H
#define REDSWEEP_RECORD_SAMPLE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "table/csv.h"
#include "table/lines.h"

/* The header as written; readers accept the columns in any order, and additional ones. */
#define SAMPLES_HEADER "id,sample,time_us\n"

struct sample_lines {
    struct lines lines;
    FILE *copy; /* each line after the header is copied there; the caller sets it; NULL: nowhere */
    const char *point; /* of the current line: the id as it is written … */
    double time_us;    /* … and NaN for an empty cell */
    bool torn;         /* at the end: the last line is incomplete */
    struct csv_row row;
    size_t columns, id, sample, time;
};

/* Opens samples.csv in an open folder, called `name` in messages, and reads its header. */
bool sample_lines_open(int folder, const char *name, struct sample_lines *out, struct error *e);
void sample_lines_close(struct sample_lines *s);

/* Fails with ERROR_CONFIG if a line has more or fewer cells than the header, or if a cell is not a number. */
bool sample_lines_next(struct sample_lines *s, bool *more, struct error *e);

#endif
