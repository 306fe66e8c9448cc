/*
 * Checks the metrics without a device: the order of the table, the choice of formulas for a device
 * that has only some of the counters, the values that are computed from counters, and the message
 * for each reason why metrics are refused.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "metrics/metrics.h"

#define LD_SECTORS "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
#define LD_LINES "l1tex__t_set_accesses_pipe_lsu_mem_global_op_ld.sum"
#define LD_REQUESTS "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"

/* the device lacks all counters that match one of these globs */
struct fake_device {
    const char *lacks[8];
    int asked;
};

static bool fake_has(void *context, const char *counter, char why[256])
{
    struct fake_device *d = context;
    d->asked++;
    for (int i = 0; i < 8 && d->lacks[i]; i++)
        if (text_glob_match(d->lacks[i], counter)) {
            snprintf(why, 256, "the fake chip has no %s", counter);
            return false;
        }
    return true;
}

static struct metric_plan resolve(const char *chip, struct fake_device *d, int count,
                                  const char *const *names)
{
    struct metric_plan plan;
    struct error e = {0};
    if (!metrics_resolve(names, count, chip, fake_has, d, "", &plan, &e))
        fail_msg("%s", e.text);
    return plan;
}

/* Expects a refusal, with a message from tests/texts/plan.txt. */
static void refuse(int count, const char *const *names)
{
    struct fake_device d = {{0}, 0};
    struct metric_plan plan;
    struct error e = {0};
    assert_false(metrics_resolve(names, count, "GH100", fake_has, &d, "", &plan, &e));
    assert_int_equal(e.kind, ERROR_CONFIG);
    error_clear(&e);
    assert_null(plan.choices);
    assert_int_equal(plan.count, 0);
}

/* Gives the operands a, b … of a formula a value if the formula lists counters for them. */
static bool known_operand(void *context, const char *name, struct expr_value *value)
{
    const struct metric_formula *f = context;
    value->text = NULL;
    value->number = 2;
    return name[1] == '\0' && name[0] >= 'a' && name[0] < 'a' + METRIC_MAX_COUNTERS &&
           f->counters[name[0] - 'a'];
}

static void count_name(void *context, const char *name)
{
    (void)name;
    ++*(int *)context;
}

static void check_formula(const struct metric *m, const struct metric_formula *f)
{
    struct error e = {0};
    struct expr *x;
    int used = 0, listed = 0;
    double value;
    if (!expr_parse(f->formula, &x, &e) || !expr_number(x, known_operand, (void *)f, &value, &e))
        fail_msg("%s: %s", m->name, e.text);
    expr_names(x, count_name, &used);
    while (listed < METRIC_MAX_COUNTERS && f->counters[listed])
        listed++;
    if (used != listed)
        fail_msg("%s: \"%s\" uses %d of %d counters", m->name, f->formula, used, listed);
    expr_free(x);
}

static void table_is_in_order(void **state)
{
    (void)state;
    int count;
    const struct metric *table = metric_table(&count);
    assert_in_range(count, 100, 400);
    for (int i = 0; i < count; i++) {
        const struct metric *m = &table[i];
        assert_true(m->name[0] && m->unit[0] && strlen(m->meaning) > 10);
        assert_true(strlen(m->name) < 64 && strlen(m->unit) < 32);
        for (const char *c = m->name; *c; c++)
            assert_true((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '_');
        assert_null(strstr(m->name, "__")); /* this name is never taken for a counter */
        assert_ptr_equal(metric_find(m->name), m);
        assert_non_null(m->formulas[0].formula);
        bool everywhere = false;
        for (int k = 0; k < METRIC_MAX_FORMULAS && m->formulas[k].formula; k++) {
            check_formula(m, &m->formulas[k]);
            everywhere = everywhere || !m->formulas[k].chip;
        }
        assert_true(everywhere);
    }
    assert_null(metric_find("gld_transaction"));
}

static void transactions_are_sectors_or_lines(void **state)
{
    (void)state;
    struct fake_device d = {{0}, 0};
    const char *names[] = {"gld_transactions", "gld_lines", "gld_transactions_per_request"};
    struct metric_plan modern = resolve("GH100", &d, 3, names);
    assert_int_equal(modern.counter_count, 3);
    assert_string_equal(modern.counters[0], LD_SECTORS);
    assert_string_equal(modern.counters[1], LD_LINES);
    assert_string_equal(modern.counters[2], LD_REQUESTS);
    /*
     * the sectors (derived by hand), lines and requests of neighbored_less at n = 2^14 with blocks
     * of 1024
     */
    double counts[] = {16368, 6128, 1168};
    assert_true(metric_value(&modern, 0, counts) == 16368);
    assert_true(metric_value(&modern, 1, counts) == 6128);
    assert_true(fabs(metric_value(&modern, 2, counts) - 14.01369863) < 1e-8);
    metric_plan_free(&modern);

    struct metric_plan kepler = resolve("kepler", &d, 3, names);
    assert_int_equal(kepler.counter_count, 2); /* both metrics use the counter of lines */
    assert_string_equal(kepler.counters[0], LD_LINES);
    double lines[] = {6128, 1168};
    assert_true(metric_value(&kepler, 0, lines) == 6128);
    assert_true(fabs(metric_value(&kepler, 2, lines) - 5.246575342) < 1e-8);
    metric_plan_free(&kepler);
}

/* The published 25.01 % for a Tesla K80 follows from 131008 requested bytes in 16368 sectors of
 * 32 bytes. */
static void ratios_fall_back_to_plain_counts(void **state)
{
    (void)state;
    struct fake_device sim = {{"*average*"}, 0};
    const char *names[] = {"gld_efficiency", "inst_per_warp", "warp_execution_efficiency",
                           "branch_efficiency"};
    struct metric_plan p = resolve("sim", &sim, 4, names);
    /* The values are bytes, sectors, instructions, warps, thread instructions, and uniform and
     * all branch targets. */
    const char *order[] = {"smsp__sass_data_bytes_mem_global_op_ld.sum",
                           LD_SECTORS,
                           "smsp__inst_executed.sum",
                           "smsp__warps_launched.sum",
                           "smsp__thread_inst_executed.sum",
                           "smsp__sass_branch_targets_threads_uniform.sum",
                           "smsp__sass_branch_targets.sum"};
    assert_int_equal(p.counter_count, 7);
    for (int i = 0; i < 7; i++)
        assert_string_equal(p.counters[i], order[i]);
    double counts[] = {131008, 16368, 1000, 8, 24000, 30, 40};
    assert_true(fabs(metric_value(&p, 0, counts) - 25.0122189) < 1e-6);
    assert_true(metric_value(&p, 1, counts) == 125);
    assert_true(metric_value(&p, 2, counts) == 75);
    assert_true(metric_value(&p, 3, counts) == 75);
    for (int i = 0; i < 4; i++)
        assert_int_equal(p.choices[i].formula, 1);
    metric_plan_free(&p);
}

static void throughput_is_bytes_a_nanosecond(void **state)
{
    (void)state;
    struct fake_device d = {{0}, 0};
    const char *names[] = {"gld_requested_throughput", "gpu_time_us", "inst_replay_overhead",
                           "flop_count_sp", "eligible_warps_per_cycle"};
    struct metric_plan p = resolve("GH100", &d, 5, names);
    /*
     * The values are bytes, ns, issued, executed, fadd, fmul, ffma, and eligible warps per
     * scheduler.
     */
    double counts[] = {4096, 2048, 110, 100, 5, 6, 7, 0.75};
    assert_int_equal(p.counter_count, 8);
    assert_true(metric_value(&p, 0, counts) == 2);
    assert_true(metric_value(&p, 1, counts) == 2.048);
    assert_true(metric_value(&p, 2, counts) == 0.1);
    assert_true(metric_value(&p, 3, counts) == 25);
    assert_true(metric_value(&p, 4, counts) == 3);
    assert_string_equal(p.choices[0].unit, "GB/s");
    metric_plan_free(&p);
}

static void dram_falls_back_and_then_gives_a_reason(void **state)
{
    (void)state;
    const char *names[] = {"dram_read_bytes"};
    struct fake_device blackwell = {{"dram__bytes_read*"}, 0};
    struct metric_plan p = resolve("GB202", &blackwell, 1, names);
    assert_string_equal(p.counters[0], "fbpa__dram_read_bytes.sum");
    metric_plan_free(&p);

    struct fake_device soc = {{"dram__*", "fbpa__*"}, 0};
    p = resolve("GB10B", &soc, 1, names);
    assert_int_equal(p.choices[0].formula, -1);
    assert_int_equal(p.counter_count, 0);
    assert_string_equal(p.choices[0].reason, "the fake chip has no dram__bytes_read.sum");
    assert_true(isnan(metric_value(&p, 0, NULL)));
    metric_plan_free(&p);
}

static void missing_counts_give_no_value(void **state)
{
    (void)state;
    struct fake_device d = {{0}, 0};
    const char *names[] = {"gld_transactions", "gld_transactions_per_request"};
    struct metric_plan p = resolve("GH100", &d, 2, names);
    double missing[] = {NAN, 10}, none[] = {0, 0}, endless[] = {10, INFINITY};
    assert_true(isnan(metric_value(&p, 0, missing)));
    assert_true(isnan(metric_value(&p, 1, missing)));
    assert_true(metric_value(&p, 0, none) == 0);
    assert_true(metric_value(&p, 0, endless) == 10);
    assert_true(isnan(metric_value(&p, 1, endless))); /* 10 / infinity is not a count */
    assert_true(isnan(metric_value(&p, 1, none)));    /* without loads there is no ratio */
    metric_plan_free(&p);
}

static void raw_counters_are_metrics(void **state)
{
    (void)state;
    struct fake_device d = {{"foo__*"}, 0};
    const char *names[] = {"sm__cycles_active.avg", "foo__bar.sum",
                           "sm__warps_active.avg.pct_of_peak_sustained_active"};
    struct metric_plan p = resolve("GH100", &d, 3, names);
    assert_string_equal(p.choices[0].column, "sm__cycles_active_avg");
    assert_string_equal(p.choices[0].unit, "");
    assert_string_equal(p.choices[2].unit, "%");
    assert_null(p.choices[0].metric);
    double counts[] = {17, 50};
    assert_true(metric_value(&p, 0, counts) == 17);
    assert_true(isnan(metric_value(&p, 1, counts)));
    assert_string_equal(p.choices[1].reason, "the fake chip has no foo__bar.sum");
    assert_true(metric_value(&p, 2, counts) == 50);
    metric_plan_free(&p);
}

static void globs_stand_for_rows(void **state)
{
    (void)state;
    struct fake_device d = {{0}, 0};
    const char *names[] = {"gld_lines", "g?t_lines", "gld_l*", "stall_s*"};
    struct metric_plan p = resolve("GH100", &d, 4, names);
    assert_int_equal(p.count, 4); /* these are gld_lines, gst_lines, stall_sync, stall_sleeping */
    assert_string_equal(p.choices[0].name, "gld_lines");
    assert_string_equal(p.choices[1].name, "gst_lines");
    assert_string_equal(p.choices[2].name, "stall_sync");
    assert_string_equal(p.choices[3].name, "stall_sleeping");
    metric_plan_free(&p);
}

static void without_counters_all_share_the_reason(void **state)
{
    (void)state;
    const char *names[] = {"gld_transactions", "sm__cycles_active.avg"};
    struct metric_plan p;
    struct error e = {0};
    assert_true(metrics_resolve(names, 2, "", NULL, NULL, "CUPTI is not there", &p, &e));
    for (int i = 0; i < 2; i++) {
        assert_int_equal(p.choices[i].formula, -1);
        assert_string_equal(p.choices[i].reason, "CUPTI is not there");
        assert_true(isnan(metric_value(&p, i, NULL)));
    }
    assert_string_equal(p.choices[0].unit, "transactions");
    metric_plan_free(&p);
}

static void refusals(void **state)
{
    (void)state;
    refuse(1, (const char *[]){"gld_transaction"});
    refuse(1, (const char *[]){"zzzzzzzzzz"});
    refuse(1, (const char *[]){"sm__cycles_active"});
    refuse(1, (const char *[]){"sm__Cycles.avg"});
    refuse(1, (const char *[]){"sm__cycles..avg"});
    refuse(1, (const char *[]){"sm__cycles."});
    refuse(1, (const char *[]){""});
    refuse(1, (const char *[]){"nothing_*"});
    refuse(2, (const char *[]){"gld_lines", "gld_lines"});
    refuse(2, (const char *[]){"a__b.c_d", "a__b.c.d"});
    char wide[200];
    memset(wide, 'x', sizeof wide - 1);
    memcpy(wide, "sm__", 4);
    memcpy(wide + 190, ".sum", 4);
    wide[194] = '\0';
    refuse(1, (const char *[]){wide});
}

/* `redsweep diff` requires that counts of instructions and of their accesses are equal. It does not
 * require this of metrics that depend on time or on the contents of a cache. */
static void what_a_diff_compares_exactly_does_not_depend_on_time(void **state)
{
    (void)state;
    static const char *const exact[] = {"*_requests",   "inst_executed*",  "inst_fp_*",
                                        "flop_count_*", "g*_transactions", "local_*_transactions",
                                        "*_launched",   "g*_lines",        "g*_sectors"},
                             *const timed[] = {"stall_*", "*_throughput",  "*hit_rate",  "dram_*",
                                               "l2_*",    "*_utilization", "inst_issued"};
    int count, seen = 0;
    const struct metric *table = metric_table(&count);
    for (int i = 0; i < count; i++) {
        for (size_t j = 0; j < sizeof exact / sizeof *exact; j++)
            if (text_glob_match(exact[j], table[i].name) && ++seen && !table[i].deterministic)
                fail_msg("%s is not deterministic", table[i].name);
        for (size_t j = 0; j < sizeof timed / sizeof *timed; j++)
            if (text_glob_match(timed[j], table[i].name) && ++seen && table[i].deterministic)
                fail_msg("%s is deterministic", table[i].name);
    }
    assert_true(seen > 60);
}

/* Returns whether a counter depends on time. Such counters count cycles, percentages of cycles,
 * seconds, reported conflicts, or accesses that depend on what caches hold. */
static bool counter_moves(const char *counter)
{
    static const char *const moving[] = {"*cycle*",
                                         "*elapsed*",
                                         "*time*",
                                         "*issue*",
                                         "*lookup_hit*",
                                         "lts__*",
                                         "dram__*",
                                         "*_hit*",
                                         "fbpa__*",
                                         "*pct_of_peak*",
                                         "*data_pipe_lsu_wavefronts*",
                                         "*data_bank_conflicts*",
                                         "*.per_second",
                                         "*latency*",
                                         "*occupancy*"};
    for (size_t i = 0; i < sizeof moving / sizeof *moving; i++)
        if (text_glob_match(moving[i], counter))
            return true;
    return false;
}

/* A metric must be marked as deterministic exactly if all of its counters are independent of time.
 * The exception is the difference between wavefronts and reported conflicts: both counters vary by
 * the same amount, so their difference is constant. */
static void what_is_made_of_counts_that_stay_stays(void **state)
{
    (void)state;
    int count, stays = 0;
    const struct metric *table = metric_table(&count);
    for (int i = 0; i < count; i++) {
        bool moves = false;
        for (int f = 0; f < METRIC_MAX_FORMULAS; f++)
            for (int c = 0; c < METRIC_MAX_COUNTERS && table[i].formulas[f].counters[c]; c++)
                moves |= counter_moves(table[i].formulas[f].counters[c]);
        moves &= !text_glob_match("shared_*_net", table[i].name) &&
                 strcmp(table[i].name, "shared_efficiency") != 0;
        stays += !moves;
        if (table[i].deterministic == moves)
            fail_msg("%s: deterministic is %d, and its counters %s with time", table[i].name,
                     table[i].deterministic, moves ? "move" : "do not move");
    }
    assert_true(stays > 60 && stays < count - 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_is_in_order),
        cmocka_unit_test(transactions_are_sectors_or_lines),
        cmocka_unit_test(ratios_fall_back_to_plain_counts),
        cmocka_unit_test(throughput_is_bytes_a_nanosecond),
        cmocka_unit_test(dram_falls_back_and_then_gives_a_reason),
        cmocka_unit_test(missing_counts_give_no_value),
        cmocka_unit_test(raw_counters_are_metrics),
        cmocka_unit_test(globs_stand_for_rows),
        cmocka_unit_test(without_counters_all_share_the_reason),
        cmocka_unit_test(refusals),
        cmocka_unit_test(what_is_made_of_counts_that_stay_stays),
        cmocka_unit_test(what_a_diff_compares_exactly_does_not_depend_on_time),
    };
    return cmocka_run_group_tests_name("metrics", tests, NULL, NULL);
}
