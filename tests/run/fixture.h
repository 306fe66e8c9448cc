/*
 * The tests of this folder share these functions. They run the real parent on the fault device,
 * with a small catalogue and a config that is given as text. The parent writes a run into a
 * temporary folder, from which tests read the rows.
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

struct bed {       /* A test bed is one run's folder and the parts of a sweep. */
    char base[64]; /* the folder that bed_close() removes */
    char out[96];  /* the run's folder, which does not exist at first */
    char config_file[96];
    struct config *config;
    struct catalogue kernels, support;
    const struct sweep_gate *gate; /* the gate; NULL means a single run */
    bool retry[STATUS_COUNT];      /* the statuses that bed_resume() measures again */
    struct sweep_result result;
    struct error e;
};

/* The kernels are alpha (partial), beta (complete), gamma (partial, in place) and hungry (which
 * needs a workspace). */
void bed_open(struct bed *b, const char *config_text);
void bed_close(struct bed *b);

/*
 * These functions run or resume the bed's sweep, with stderr hidden. Several devices are separated
 * by '|'.
 */
bool bed_run(struct bed *b, const char *device);
bool bed_resume(struct bed *b, const char *device, bool anyway);

/*
 * Runs the same sweep on each of the devices, on all at the same time. Each device has its own run
 * in OUT/UUID, and its own result.
 */
void bed_run_each(struct bed *b, const char *devices, struct sweep_result *results);

/* Reads the bed's results.csv. The caller frees the table with table_free(). */
void bed_table(struct bed *b, struct table *t);

/* Returns the cell of a row in the column of this name. */
const char *cell(const struct table *t, size_t row, const char *column);

/*
 * Fails unless the bed's results.csv and samples.csv match. No point may have two rows. Each point
 * must have as many samples as its row says, numbered from 0, and each sample must belong to a row.
 */
void bed_check_files(struct bed *b);

/*
 * Returns the status that a row of results.csv must have if the device has these options.
 * `loses_worker` says whether the row's fault ends a worker.
 */
enum status expected_status(const struct fault_options *o, const struct table *t, size_t row,
                            bool timed, bool counted, bool *loses_worker);

/* Fails unless `actual` and `expected` have the same rows, in any order and apart from timings. */
void same_rows(const struct table *expected, const struct table *actual);

#endif
