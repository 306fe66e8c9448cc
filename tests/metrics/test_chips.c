/*
 * Compares the table of metrics with CUPTI's own lists for every chip that CUPTI supports. No GPU
 * is needed.
 *
 * If CUPTI lacks a metric's counter for some chip, that must be one of the exceptions below. An
 * exception that CUPTI no longer needs is an error, too. The tests thus notice when a new CUPTI
 * loses or gains a counter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

#include "../texts/expected.h"
#include "base/text.h"
#include "devices/cuda/counters.h"
#include "metrics/metrics.h"

/* Which chips lack which metrics, and why. The first two columns may be globs. */
static const struct {
    const char *metrics, *chips, *why;
} exceptions[] = {
    {"dram_*", "GA10B", "an Orin's memory belongs to the whole system, not to the GPU"},
    {"dram_*", "GB10B", "as GA10B: shared memory of a system on a chip"},
    {"dram_*", "GB20B", "as GA10B: shared memory of a system on a chip"},
    {"stall_constant_memory_dependency", "GB*", "Blackwell has no counter of misses there"},
};

/* Some CUPTI versions list these chips (globs) although they have no counters for them. */
static const struct {
    const char *library, *chips;
} empty_chips[] = {
    {"CUPTI *", "GV11B"},
    /* No range profiler has ever supported Maxwell, Pascal, or Tegra chips with these
     * architectures. */
    {"CUPTI 12.6*", "GM*"},
    {"CUPTI 12.6*", "GP*"},
    {"CUPTI 12.6*", "T[12]*"},
};

static bool is_exception(const char *metric, const char *chip)
{
    for (size_t i = 0; i < sizeof exceptions / sizeof exceptions[0]; i++)
        if (text_glob_match(exceptions[i].metrics, metric) &&
            text_glob_match(exceptions[i].chips, chip))
            return true;
    return false;
}

/* Returns whether the metric is an exception of CUPTI 12, which has no counters for the L2 of
 * GB20B. */
static bool is_exception_of_12(const char *library, const char *metric, const char *chip)
{
    return strncmp(library, "CUPTI 12", 8) == 0 && strcmp(chip, "GB20B") == 0 &&
           text_glob_match("l2_*", metric);
}

static bool is_empty_chip(const char *library, const char *chip)
{
    for (size_t i = 0; i < sizeof empty_chips / sizeof empty_chips[0]; i++)
        if (text_glob_match(empty_chips[i].library, library) &&
            text_glob_match(empty_chips[i].chips, chip))
            return true;
    return false;
}

static bool has(void *context, const char *counter, char why[256])
{
    return counters_has(context, counter, why);
}

/* Opens CUPTI's host part for one chip. If CUPTI is missing, prints the reason and skips the
 * test. */
static struct counters *open_chip(const char *chip)
{
    struct counters *c = counters_open(-1, chip);
    if (counters_missing(c)[0]) {
        print_message("skipped: %s\n", counters_missing(c));
        counters_close(c);
        texts_leave_others();
        skip();
    }
    return c;
}

static struct metric_plan resolve(struct counters *c, const char *const *names, int count)
{
    struct metric_plan plan;
    struct error e = {0};
    if (!metrics_resolve(names, count, counters_chip(c), has, c, "", &plan, &e))
        fail_msg("%s", e.text);
    return plan;
}

static int check_chip(const char *chip)
{
    const char *all[] = {"*"};
    struct counters *c = open_chip(chip);
    struct metric_plan plan = resolve(c, all, 1);
    bool empty = is_empty_chip(counters_library(c), chip);
    int wrong = 0;
    for (int i = 0; i < plan.count; i++) {
        const struct metric_choice *m = &plan.choices[i];
        bool available = m->formula >= 0;
        bool expected = !empty && !is_exception(m->name, chip) &&
                        !is_exception_of_12(counters_library(c), m->name, chip);
        if (available != expected) {
            print_message("%s: %s is %s: %s\n", chip, m->name, available ? "there" : "missing",
                          m->reason);
            wrong++;
        }
        if (!available && !m->reason[0]) {
            print_message("%s: %s is missing without a reason\n", chip, m->name);
            wrong++;
        }
    }
    if (!empty && counters_passes(c, plan.counters, plan.counter_count) < 1) {
        print_message("%s: the whole table cannot be scheduled\n", chip);
        wrong++;
    }
    metric_plan_free(&plan);
    counters_close(c);
    return wrong;
}

static void every_metric_on_every_chip(void **state)
{
    (void)state;
    struct counters *c = open_chip("GH100");
    const char *const *chips;
    int count, wrong = 0;
    struct error e = {0};
    if (!counters_chips(c, &chips, &count, &e))
        fail_msg("%s", e.text);
    assert_in_range(count, 20, 200);
    for (int i = 0; i < count; i++)
        wrong += check_chip(chips[i]);
    counters_close(c);
    assert_int_equal(wrong, 0);
}

static void expect_passes(const char *chip, int expected, const char *const *names, int count)
{
    struct counters *c = open_chip(chip);
    struct metric_plan plan = resolve(c, names, count);
    int passes = counters_passes(c, plan.counters, plan.counter_count);
    if (passes != expected)
        fail_msg("%d metrics from %s on need %d passes on %s, not %d", count, names[0], passes,
                 chip, expected);
    metric_plan_free(&plan);
    counters_close(c);
}

/* CUPTI 12.6 and 12.8 predate some of the requested chips. A newer CUPTI must list all of them. */
static bool lists(const char *chip)
{
    struct counters *c = open_chip("GH100");
    const char *const *chips;
    int count;
    bool found = false;
    struct error e = {0};
    if (!counters_chips(c, &chips, &count, &e))
        fail_msg("%s", e.text);
    for (int i = 0; i < count; i++)
        found = found || strcmp(chips[i], chip) == 0;
    if (!found)
        print_message("%s: skipped: %s does not list it\n", chip, counters_library(c));
    assert_true(found || text_glob_match("CUPTI 12.[68]*", counters_library(c)));
    counters_close(c);
    return found;
}

static void passes_of_the_default_metrics(void **state)
{
    (void)state;
    const char *names[] = {"gld_transactions", "inst_per_warp", "warp_execution_efficiency",
                           "gst_transactions", "gld_lines",     "gst_lines"};
    expect_passes("GH100", 1, names, 3);
    expect_passes("GH100", 2, names, 6);
    if (lists("GB202"))
        expect_passes("GB202", 1, names, 3);
}

static void wrong_names_spoil_nothing(void **state)
{
    (void)state;
    struct counters *c = open_chip("GH100");
    const char *right = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
    char why[256] = "";
    assert_false(counters_has(c, "l1tex__t_sectors_pipe_lsu_mem_global_op_lx.sum", why));
    assert_non_null(strstr(why, " l1tex__t_sectors_pipe_lsu_mem_global_op_l"));
    assert_false(counters_has(c, "smsp__warp_issue_stalled_barier_per_warp_active.pct", why));
    texts_expect("a counter that lacks a letter", why);
    assert_false(counters_has(c, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld", why));
    assert_false(counters_has(c, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sums", why));
    texts_expect("an unknown suffix", why);
    assert_false(counters_has(c, "", why));
    assert_true(counters_has(c, right, why));
    const char *mixed[] = {right, "l1tex__nothing.sum"};
    assert_int_equal(counters_passes(c, mixed, 2), 0);
    assert_int_equal(counters_passes(c, mixed, 1), 1);
    /* Asking again gives the same answers. */
    why[0] = '\0';
    assert_false(counters_has(c, "l1tex__t_sectors_pipe_lsu_mem_global_op_lx.sum", why));
    assert_non_null(strstr(why, " l1tex__t_sectors_pipe_lsu_mem_global_op_l"));
    assert_true(counters_has(c, right, why));
    char description[256], unit[64];
    assert_true(counters_describe(c, right, description, unit));
    assert_non_null(strstr(description, "global loads"));
    /* Versions before 12.9 have L2_sector instead. */
    assert_int_equal(strcasecmp(unit, "l2_sector"), 0);
    assert_false(counters_describe(c, "l1tex__nothing.sum", description, unit));
    counters_close(c);
}

static void unknown_chips_have_a_reason(void **state)
{
    (void)state;
    struct counters *c = open_chip("GX999");
    char why[256] = "";
    assert_false(counters_has(c, "sm__cycles_active.avg", why));
    assert_non_null(strstr(why, "CUPTI"));
    counters_close(c);
    c = open_chip("");
    why[0] = '\0';
    assert_false(counters_has(c, "sm__cycles_active.avg", why));
    texts_expect("no chip", why);
    counters_close(c);
}

static void without_the_library_there_is_a_reason(void **state)
{
    (void)state;
    setenv("REDSWEEP_CUPTI", "/nowhere/libcupti.so", 1);
    struct error e = {0};
    struct counters *c = counters_open(-1, "GH100");
    unsetenv("REDSWEEP_CUPTI");
    assert_non_null(strstr(counters_missing(c), "REDSWEEP_CUPTI=/nowhere/libcupti.so"));
    assert_string_equal(counters_library(c), "");
    char why[256] = "";
    assert_false(counters_has(c, "sm__cycles_active.avg", why));
    assert_non_null(strstr(why, "/nowhere/libcupti.so"));
    const char *names[] = {"sm__cycles_active.avg"};
    double value;
    assert_int_equal(counters_passes(c, names, 1), 0);
    assert_false(counters_measure(c, names, 1, 1, NULL, NULL, NULL, &value, &e));
    assert_int_equal(e.kind, ERROR_UNSUPPORTED);
    assert_non_null(strstr(e.text, "/nowhere/libcupti.so"));
    counters_close(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_metric_on_every_chip),
        cmocka_unit_test(passes_of_the_default_metrics),
        cmocka_unit_test(wrong_names_spoil_nothing),
        cmocka_unit_test(unknown_chips_have_a_reason),
        cmocka_unit_test(without_the_library_there_is_a_reason),
    };
    return cmocka_run_group_tests_name("chips", tests, NULL, NULL);
}
