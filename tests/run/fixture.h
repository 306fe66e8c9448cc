/*
 * Shared by the tests of this room: a small catalogue, configs as text, the real parent run on the
 * fault device into its own folder, and the resulting rows.
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

struct bed {       /* a test bed: one run's folder and what it takes to run */
    char base[64]; /* removed by bed_close() */
    char out[96];  /* the run's folder, which does not exist yet */
    char config_file[96];
    struct config *config;
    struct catalogue kernels, support;
    const struct sweep_gate *gate; /* NULL: one run */
    bool retry[STATUS_COUNT];      /* what bed_resume() measures again */
    struct sweep_result result;
    struct error e;
};

/* The kernels: alpha (partial), beta (complete), gamma (partial, in place), hungry (workspace). */
void bed_open(struct bed *b, const char *config_text);
void bed_close(struct bed *b);

/*
 * Runs, or goes on with, the bed's sweep; stderr is not shown. Several devices have a '|' in
 * between.
 */
bool bed_run(struct bed *b, const char *device);
bool bed_resume(struct bed *b, const char *device, bool anyway);

/* The same sweep on each of the devices, at the same time, into OUT/UUID; a result for each. */
void bed_run_each(struct bed *b, const char *devices, struct sweep_result *results);

/* The rows of the bed's results.csv; table_free(). */
void bed_table(struct bed *b, struct table *t);

/* A cell by column name. */
const char *cell(const struct table *t, size_t row, const char *column);

/*
 * Fails unless results.csv and samples.csv of the bed belong together: no point twice, as many
 * samples of each point as its row says, numbered from 0, none without a row.
 */
void bed_check_files(struct bed *b);

/* The status that the options let a row of results.csv have, and whether it costs a worker. */
enum status expected_status(const struct fault_options *o, const struct table *t, size_t row,
                            bool timed, bool counted, bool *loses_worker);

/* Fails unless `actual` has the rows of `expected` (in any order) apart from timings. */
void same_rows(const struct table *expected, const struct table *actual);

#endif
