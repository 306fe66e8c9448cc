/*
 * Shared by the tests of this room: a small catalogue, configs as text, and the real parent, which runs on the
 * fault device into a folder of its own; the resulting rows can be read.
 */
#ifndef REDSWEEP_TESTS_RUN_FIXTURE_H
#define REDSWEEP_TESTS_RUN_FIXTURE_H

#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "fault_device.h"
#include "table/table.h"
#include "run/sweep.h"

struct bed {       /* a test bed: one run's folder and the parts of a sweep */
    char base[64]; /* removed by bed_close() */
    char out[96];  /* the run's folder, which does not exist yet */
    char config_file[96];
    struct config *config;
    struct catalogue kernels, support;
    const struct sweep_gate *gate; /* NULL: one plain run */
    bool retry[STATUS_COUNT];      /* statuses that bed_resume() measures again */
    struct sweep_result result;
    struct error e;
};

/* The kernels: alpha (partial), beta (complete), gamma (partial, in place), hungry (workspace). */
void bed_open(struct bed *b, const char *config_text);
void bed_close(struct bed *b);

/*
 * Runs or resumes the bed's sweep, with stderr hidden. A '|' separates several
 * devices.
 */
bool bed_run(struct bed *b, const char *device);
bool bed_resume(struct bed *b, const char *device, bool anyway);

/* Runs the same sweep on each of the devices at the same time, into OUT/UUID, with a result for each. */
void bed_run_each(struct bed *b, const char *devices, struct sweep_result *results);

/* Reads the bed's results.csv; the caller frees the table with table_free(). */
void bed_table(struct bed *b, struct table *t);

/* Returns a cell by column name. */
const char *cell(const struct table *t, size_t row, const char *column);

/*
 * Fails unless results.csv and samples.csv of the bed belong together: no point has two rows, each point has as many
 * samples as its row says, numbered from 0, and no sample lacks a row.
 */
void bed_check_files(struct bed *b);

/*
 * Returns the status that a row of results.csv must have under the options, and whether its fault ends a
 * worker.
 */
enum status expected_status(const struct fault_options *o, const struct table *t, size_t row,
                            bool timed, bool counted, bool *loses_worker);

/* Fails unless `actual` has the rows of `expected` (in any order) except for timings. */
void same_rows(const struct table *expected, const struct table *actual);

#endif
