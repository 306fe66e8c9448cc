/*
 * A gate measures the points with a SLOW verdict a second time. Checks which points are measured
 * again, and which verdicts are confirmed. Also checks that a comparison makes no allowance for
 * differences between contexts if one process made both runs.
 */
#include "diff_fixture.h"

#include <math.h>

#include "analyze/launch.h"

enum { SIZES = 8, BLOCKS = 3, SAMPLES = 20, KERNELS = 6 };

static const char *const kernel_names[KERNELS] = {"always", "calm",  "never",
                                                  "once",   "point", "still"};

/* make_run() makes rows for eight sizes, cold and warm caches, and three block sizes. The times of
 * a row are 10 µs ± 0.1 %, multiplied by the result of this function. If the result is 0, the row
 * is left out. If the function is NULL, the factor is 1. */
typedef double factor_of(const char *kernel, int size, bool warm, int block);

static struct results make_run(const char *folder, const char *process, factor_of *factor)
{
    struct text csv = {0}, samples = {0}, json = {0};
    text_append(&csv, "id,backend,device,kernel,type,op,n,block,unroll,grid,cache,scope,status,"
                      "time_us_median,time_us_ci95_lo,time_us_ci95_hi\n");
    text_append(&samples, "id,sample,time_us\n");
    for (int i = 0; i < KERNELS * SIZES * 2 * BLOCKS; i++) {
        int block = i % BLOCKS, warm = i / BLOCKS % 2, size = i / BLOCKS / 2 % SIZES;
        const char *kernel = kernel_names[i / BLOCKS / 2 / SIZES];
        double f = factor ? factor(kernel, size, warm, block) : 1;
        if (f == 0)
            continue;
        text_append(&csv, "%016x,cuda,D,%s,int32,sum,%d,%d,1,1,%s,kernel,ok,%.9g,%.9g,%.9g\n",
                    i + 1, kernel, 1024 << size, 64 << block, warm ? "warm" : "cold", 10 * f,
                    9.995 * f, 10.005 * f);
        for (int s = 0; s < SAMPLES; s++)
            text_append(&samples, "%016x,%d,%.9g\n", i + 1, s, 10 * f * (1 + 0.001 * (s % 3 - 1)));
    }
    text_append(&json,
                "{\"schema\": 2, \"status\": \"complete\", \"provenance\": {\"device\": "
                "{\"backend\": \"cuda\", \"name\": \"D\"}, \"process\": \"%s\"}, \"sessions\": "
                "[{\"since\": \"now\", \"launch\": {\"contexts\": 12, \"step_us\": 0.001, "
                "\"min_us\": 4.2, \"max_us\": 4.2, \"refused_us\": 4.5258}}]}",
                process);
    put(folder, "run.json", json.bytes);
    put(folder, "samples.csv", samples.bytes);
    struct results r = read_run(put(folder, "results.csv", csv.bytes));
    text_free(&csv);
    text_free(&samples);
    text_free(&json);
    return r;
}

/* The first measurement finds `once` slow everywhere and `point` slow at one size. The second
 * measurement finds neither of them slow. */
static double first_look(const char *kernel, int size, bool warm, int block)
{
    (void)block;
    bool slow = strcmp(kernel, "always") == 0 || strcmp(kernel, "once") == 0 ||
                (strcmp(kernel, "point") == 0 && size == 5 && warm);
    return slow ? 1.05 : 1;
}

static double of_what_was_slow(const char *kernel, int size, bool warm, int block)
{
    return first_look(kernel, size, warm, block) > 1;
}

static double second_look(const char *kernel, int size, bool warm, int block)
{
    return of_what_was_slow(kernel, size, warm, block) * (strcmp(kernel, "always") == 0 ? 1.05 : 1);
}

static size_t verdicts_of(const struct diff *d, const char *kernel, enum verdict v)
{
    size_t count = 0;
    for (size_t i = 0; i < d->match.pairs.count; i++)
        count += d->points[i].verdict == v &&
                 strcmp(column_text(d->a->known.axes[AXIS_kernel], d->match.pairs.items[i].a),
                        kernel) == 0;
    return count;
}

static enum time_verdict kernel_verdict(const struct diff *d, const char *kernel)
{
    return d->times.kernels[numbering_find(&d->kernels, kernel)].verdict;
}

static void only_what_is_slow_twice_is_slow(void **state)
{
    (void)state;
    struct results a = make_run("c-a", "1", NULL), b = make_run("c-b", "1", first_look);
    struct results again_a = make_run("c-aa", "2", of_what_was_slow);
    struct results again_b = make_run("c-bb", "2", second_look);
    struct diff d;
    compare(&a, &b, &d);
    assert_int_equal(kernel_verdict(&d, "always"), TIME_SLOW);
    assert_int_equal(kernel_verdict(&d, "once"), TIME_SLOW);
    assert_int_equal(kernel_verdict(&d, "point"), TIME_SAME); /* at all sizes together */
    assert_int_equal(verdicts_of(&d, "point", VERDICT_SLOW), BLOCKS);
    size_t count, slow = d.all->verdicts[VERDICT_SLOW];
    uint64_t *ids = diff_slow_points(&d, &count);
    assert_int_equal(count, again_a.rows.row_count);
    for (size_t i = 0; i < count; i++) {
        char text[17];
        snprintf(text, sizeof text, "%016llx", (unsigned long long)ids[i]);
        /* The ids are in row order. */
        assert_string_equal(text, column_text(again_a.known.id, i));
    }
    free(ids);

    struct diff again;
    compare(&again_a, &again_b, &again);
    diff_confirm(&d, &again);
    assert_int_equal(kernel_verdict(&d, "always"), TIME_SLOW);
    assert_int_equal(kernel_verdict(&d, "once"), TIME_UNKNOWN);
    assert_int_equal(verdicts_of(&d, "always", VERDICT_SLOW), SIZES * 2 * BLOCKS);
    assert_int_equal(verdicts_of(&d, "once", VERDICT_SLOW), 0);
    assert_int_equal(verdicts_of(&d, "point", VERDICT_SLOW), 0);
    assert_int_equal(d.findings.slow, SIZES * 2 * BLOCKS);
    assert_int_equal(d.findings.slow_kernels, 1);
    assert_int_equal(d.findings.slow_cells, SIZES * 2);
    assert_int_equal(d.all->verdicts[VERDICT_UNKNOWN], slow - d.findings.slow);
    assert_int_equal(diff_exit_code(&d, false), DIFF_FAILS);
    diff_free(&d);

    /* No verdict is confirmed, so the gate passes. */
    diff_free(&again);
    compare(&again_a, &again_a, &again);
    compare(&a, &b, &d);
    diff_confirm(&d, &again);
    assert_int_equal(d.findings.fails, 0);
    assert_int_equal(diff_exit_code(&d, false), DIFF_FINE);
    assert_int_equal(diff_exit_code(&d, true), DIFF_UNDECIDED);
    diff_free(&d);
    diff_free(&again);
    struct results *runs[] = {&a, &b, &again_a, &again_b};
    for (int i = 0; i < 4; i++)
        results_free(runs[i]);
}

static void one_process_has_one_context(void **state)
{
    (void)state;
    struct results a = make_run("p-a", "1", NULL), b = make_run("p-b", "1", NULL);
    struct results other = make_run("p-other", "2", NULL), none = make_run("p-none", "", NULL);
    struct run_margins m = launch_margins(&a, &b);
    assert_near(m.step_us, 0.001, 1e-12);
    assert_near(m.context_sd_us, 0, 0);
    m = launch_margins(&a, &other);
    assert_near(m.context_sd_us, 0.1, 1e-9);
    /* If the processes are unknown, the runs do not count as runs of one process. */
    m = launch_margins(&none, &none);
    assert_near(m.context_sd_us, 0.1, 1e-9);
    struct results *runs[] = {&a, &b, &other, &none};
    for (int i = 0; i < 4; i++)
        results_free(runs[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_is_slow_twice_is_slow),
        cmocka_unit_test(one_process_has_one_context),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
