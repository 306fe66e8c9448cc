/*
 * Functions that write runs row by row, for tests that compare runs. Each run has its own folder.
 */
#ifndef REDSWEEP_TESTS_COMPARE_FIXTURE_H
#define REDSWEEP_TESTS_COMPARE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "../near.h"
#include "../texts/expected.h"

#include "analyze/results.h"

#define REAL_RUN "tests/data/quick-h200"

static char scratch[] = "/tmp/redsweep-compare-XXXXXX";

static int make_scratch(void **state)
{
    (void)state;
    if (!mkdtemp(scratch))
        return -1;
    texts_rename(scratch, "$work");
    return 0;
}

static int remove_scratch(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", scratch);
    return system(command);
}

/* Makes the folder, writes `text` to scratch/folder/file, and returns the folder's path. */
static inline const char *put(const char *folder, const char *file, const char *text)
{
    static char path[4][256];
    static int next;
    char *at = path[next++ % 4], whole[512];
    snprintf(at, 256, "%s/%s", scratch, folder);
    mkdir(at, 0777);
    snprintf(whole, sizeof whole, "%s/%s", at, file);
    FILE *f = fopen(whole, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
    return at;
}

static inline struct results read_run(const char *path)
{
    struct results r;
    static struct error e;
    if (!results_read(path, &r, &e))
        fail_msg("%s", e.text);
    return r;
}

#endif
