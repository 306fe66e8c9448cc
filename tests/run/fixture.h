/* Runs the real parent on the fault device, with a small catalogue and a config given as text.
 * The parent writes the run into a temporary folder, and tests read its rows. */
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

struct bed {       /* the folder of one run, and the parts of its sweep */
    char base[64]; /* removed by bed_close() */
    char out[96];  /* the run's folder, which does not exist at first */
    char config_file[96];
    struct config *config;
    struct catalogue kernels, support;
    const struct sweep_gate *gate; /* the gate; NULL: a single run */
    bool retry[STATUS_COUNT];      /* statuses that bed_resume() measures again */
    struct sweep_result result;
    struct error e;
};

/* Prepares a sweep and its folder. The catalogue has the kernels alpha (partial), beta (complete),
 * gamma (partial, in place) and hungry (needs a workspace). */
void bed_open(struct bed *b, const char *config_text);
void bed_close(struct bed *b);

/* Runs or resumes the bed's sweep with stderr hidden. '|' separates several devices. */
bool bed_run(struct bed *b, const char *device);
bool bed_resume(struct bed *b, const char *device, bool anyway);

/* Runs the same sweep on all devices at once. Each device has its own run in OUT/UUID and its
 * own result. */
void bed_run_each(struct bed *b, const char *devices, struct sweep_result *results);

/* Reads the bed's results.csv. The caller frees the table with table_free(). */
void bed_table(struct bed *b, struct table *t);

/* Returns the row's cell in the column of this name. */
const char *cell(const struct table *t, size_t row, const char *column);

/* Fails unless the bed's results.csv and samples.csv match: no point has two rows, each point
 * has as many samples as its row says, numbered from 0, and each sample belongs to a row. */
void bed_check_files(struct bed *b);

/* Returns the status that a row must have on a device with these options. `loses_worker` says
 * whether the row's fault kills a worker. */
enum status expected_status(const struct fault_options *o, const struct table *t, size_t row,
                            bool timed, bool counted, bool *loses_worker);

/* Fails unless `actual` and `expected` have the same rows apart from timings, in any order. */
void same_rows(const struct table *expected, const struct table *actual);

#endif
