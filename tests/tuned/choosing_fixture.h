/* Selects configurations from one invented run of the kernels in fixture.h. */
#ifndef REDSWEEP_TESTS_TUNED_CHOOSING_FIXTURE_H
#define REDSWEEP_TESTS_TUNED_CHOOSING_FIXTURE_H

#include "fixture.h"

#include "../texts/expected.h"

static struct catalogue kernels;

static inline int set_up(void **state)
{
    if (make_scratch(state) != 0)
        return -1;
    texts_rename(scratch, "$work");
    kernels = make_catalogue();
    return 0;
}

static inline int tear_down(void **state)
{
    catalogue_free(&kernels);
    return remove_scratch(state);
}

/* Returns the hash of the current source of `even`. */
static inline uint64_t even_hash(void)
{
    return catalogue_find(&kernels, "even")->code_hash;
}

/* Selects configurations from one run. The caller frees the result. */
static inline bool choose_from(const char *rows, struct results *run, struct tuned *t,
                               struct error *e)
{
    put_told("run", "D", "9.0", even_hash());
    *run = make_run("run", "D", rows);
    return tuned_choose(run, 1, &kernels, false, t, e);
}

/* Selects configurations from one run, and checks that the library's first function has this
 * many ranges. */
static inline struct tuned choose(const char *rows, size_t ranges)
{
    static struct error e;
    struct results r;
    struct tuned t;
    if (!choose_from(rows, &r, &t, &e))
        fail_msg("%s", e.text);
    results_free(&r);
    assert_int_equal(t.functions[0].range_count, ranges);
    return t;
}

#endif
