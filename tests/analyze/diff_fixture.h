/*
 * Functions that compare two runs with the usual options and look up the results.
 */
#ifndef REDSWEEP_TESTS_COMPARE_DIFF_FIXTURE_H
#define REDSWEEP_TESTS_COMPARE_DIFF_FIXTURE_H

#include "analyze/diff.h"

#include "fixture.h"

static const struct diff_options usual = {
    .minimum_effect = 0.01, .error_rate = 0.05, .fail_on = FAIL_BY_DEFAULT};

static inline void compare(const struct results *a, const struct results *b, struct diff *d)
{
    static struct error e;
    if (!diff_runs(a, b, &usual, d, &e))
        fail_msg("%s", e.text);
}

/* Returns what the comparison says about the first point of `kernel` that both runs contain. */
static inline const struct point_diff *point_of(const struct diff *d, const char *kernel)
{
    for (size_t i = 0; i < d->match.pairs.count; i++)
        if (strcmp(column_text(d->a->known.axes[AXIS_kernel], d->match.pairs.items[i].a), kernel) ==
            0)
            return &d->points[i];
    fail_msg("no pair of %s", kernel);
    return NULL;
}

/* Returns what a writer prints about the comparison, or about one of its tables. The caller frees
 * the string. */
static inline char *written(const struct diff *d,
                            void (*write)(const struct view *, const char *, FILE *),
                            const char *table)
{
    /* `bytes` is static because gcc 12 mistakes a local variable for the buffer of open_memstream()
     * and warns about it. */
    static char *bytes;
    size_t length;
    struct view v = {0};
    diff_view(d, false, NULL, &v);
    FILE *f = open_memstream(&bytes, &length);
    write(&v, table, f);
    assert_int_equal(fclose(f), 0);
    view_free(&v);
    return bytes;
}

static inline void assert_says(const char *text, const char *part)
{
    if (strstr(text, part))
        return;
    fprintf(stderr, "%s\n", text); /* cmocka cuts messages off at 1 KiB */
    fail_msg("\"%s\" is not in the text above", part);
}

#endif
