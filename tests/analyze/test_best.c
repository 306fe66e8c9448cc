/*
 * Checks what `redsweep best` finds: winners, ties, the sizes at which each kernel wins, and the
 * best single choice for all sizes. Also checks which rows can never win, and the config that
 * measures ties again.
 */
#include "analyze/best.h"

#include <math.h>

#include "fixture.h"
#include "base/expr.h"
#include "base/statistics.h"
#include "spec/config.h"
#include "../table/cells.h"

#define HEADER                                                                                     \
    "id,backend,device,kernel,type,op,n,block,unroll,loads,grid,cache,scope,status,"               \
    "time_us_median,time_us_ci95_lo,time_us_ci95_hi\n"

/* Writes rows of the form "kernel n block loads status time". Each gets 50 samples within ± 1 %
 * of its time. */
static struct results make_run(const char *folder, const char *rows)
{
    struct text csv = {0}, samples = {0};
    text_append(&csv, HEADER);
    text_append(&samples, "id,sample,time_us\n");
    char kernel[32], loads[8], status[16];
    int n, block, used, id = 0;
    double time;
    for (; sscanf(rows, " %31s %d %d %7s %15s %lf%n", kernel, &n, &block, loads, status, &time,
                  &used) == 6;
         rows += used) {
        double list[50];
        struct summary s;
        for (int i = 0; i < 50; i++) {
            list[i] = time * (0.99 + 0.02 * i / 49);
            text_append(&samples, "%d,%d,%.17g\n", id, i, list[i]);
        }
        assert_true(summarize(list, 50, &s));
        text_append(&csv,
                    "%d,cuda,D,%s,int32,sum,%d,%d,1,%s,1,cold,complete,%s,%.17g,%.17g,%.17g\n",
                    id++, kernel, n, block, strcmp(loads, "-") == 0 ? "" : loads, status, s.median,
                    s.ci95_lo, s.ci95_hi);
    }
    put(folder, "samples.csv", samples.bytes);
    struct results r = read_run(put(folder, "results.csv", csv.bytes));
    text_free(&csv);
    text_free(&samples);
    return r;
}

static struct best find(const struct results *runs, size_t count, bool last_alone)
{
    static struct error e;
    const struct best_options o = {.metric = "time_us_median", .last_run_alone = last_alone};
    struct best b;
    if (!best_find(runs, count, &o, &b, &e))
        fail_msg("%s", e.text);
    return b;
}

/* Returns what a writer prints about the findings, or about one of their tables. The caller frees
 * the string. */
static char *written(const struct best *b, void (*write)(const struct view *, const char *, FILE *),
                     const char *table)
{
    char *bytes;
    size_t length;
    struct view v = {0};
    best_view(b, &v);
    FILE *f = open_memstream(&bytes, &length);
    write(&v, table, f);
    assert_int_equal(fclose(f), 0);
    view_free(&v);
    return bytes;
}

static const char *name_of(const struct best *b, const struct candidate *c)
{
    static char name[128];
    struct text t = {0};
    best_name(b, c, &t);
    snprintf(name, sizeof name, "%s", t.bytes);
    text_free(&t);
    return name;
}

/* Kernel a wins at the two smaller sizes and b at the largest. Kernel c ties with the winner at
 * two sizes and is nearly as fast at the third. */
static const char three_sizes[] = "a 1024 64 - ok 10    b 1024 64 - ok 12   c 1024 64 4 ok 10.01 "
                                  "a 2048 64 - ok 20    b 2048 64 - ok 22   c 2048 64 4 ok 20.4  "
                                  "a 4096 64 - ok 44    b 4096 64 - ok 40   c 4096 64 4 ok 40.03 ";

static void test_winners_and_ties(void **state)
{
    (void)state;
    struct results r = make_run("three", three_sizes);
    struct best b = find(&r, 1, false);
    assert_int_equal(b.problem_count, 3);
    assert_int_equal(b.series_count, 1);
    assert_string_equal(name_of(&b, &b.problems[0].candidates[0]), "a, block 64");
    assert_int_equal(b.problems[0].tied, 2);
    assert_string_equal(name_of(&b, &b.problems[0].candidates[1]), "c, block 64, loads 4");
    assert_true(b.problems[0].candidates[1].tied);
    assert_false(b.problems[0].candidates[2].tied);
    assert_int_equal(b.problems[1].tied, 1);
    assert_int_equal(b.problems[2].tied, 2);
    /* Kernel a wins at 1024 and 2048, which form one range. At 4096, b and c tie, and b is
     * chosen because it has no regret. */
    const struct series *f = &b.series[0];
    assert_int_equal(f->range_count, 2);
    assert_int_equal(f->ranges[0].last, 1);
    assert_string_equal(name_of(&b, best_candidate(&b.problems[0], f->ranges[0].configuration)),
                        "a, block 64");
    assert_string_equal(name_of(&b, best_candidate(&b.problems[2], f->ranges[1].configuration)),
                        "b, block 64");
    /* The best single choice is c, although it wins at no size: its times are 1.001, 1.02 and
     * 1.00075 times the winners'. */
    assert_string_equal(name_of(&b, best_candidate(&b.problems[0], f->overall)),
                        "c, block 64, loads 4");
    assert_near(f->regret, cbrt(1.001 * 1.02 * 1.00075) - 1, 1e-7);
    assert_near(f->worst, 0.02, 1e-7);
    assert_near(f->worst_n, 2048, 0);
    assert_int_equal(f->measured, 3);
    best_free(&b);
    results_free(&r);
}

static void test_what_never_wins(void **state)
{
    (void)state;
    put("never", "run.json",
        "{\n\"schema\": 2,\n\"provenance\": {\"kernels\": [{\"name\": \"racy\", \"racy\": \"reads "
        "while others write\"}]}}\n");
    struct results r = make_run("never", "racy 1024 64 - ok 1     wrong 1024 64 - wrong 1 "
                                         "cub_sum 1024 64 - ok 13 sweep_read 1024 64 - ok 8 "
                                         "good 1024 64 - ok 10    cub_max 1024 64 - ok 14 ");
    struct best b = find(&r, 1, false);
    assert_int_equal(b.problem_count, 1);
    assert_int_equal(b.problems[0].count, 1);
    assert_string_equal(name_of(&b, &b.problems[0].candidates[0]), "good, block 64");
    assert_string_equal(name_of(&b, &b.problems[0].reference), "cub_sum, block 64");
    assert_string_equal(name_of(&b, &b.problems[0].limit), "sweep_read, block 64");
    assert_int_equal(b.racy, 1);
    assert_int_equal(b.failed, 1);
    assert_string_equal(b.racy_kernels.bytes, "racy");
    char *bytes = written(&b, view_write_text, NULL);
    texts_expect("what never wins", bytes);
    free(bytes);
    bytes = written(&b, view_write_csv, NULL);
    struct table t;
    assert_true(table_parse("best.csv", bytes, strlen(bytes), NULL, NULL, &t, NULL));
    assert_int_equal(t.row_count, 3);
    static const char *const standings[] = {"winner", "reference", "limit"},
                             *kernels[] = {"good", "cub_sum", "sweep_read"};
    const double ratios[] = {1, 1.3, 0.8};
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(table_cell(&t, i, table_column(&t, "standing")), standings[i]);
        assert_string_equal(table_cell(&t, i, table_column(&t, "kernel")), kernels[i]);
        assert_near(table_number(&t, i, table_column(&t, "ratio")), ratios[i], 1e-9);
        assert_string_equal(table_cell(&t, i, table_column(&t, "q")), "");
    }
    table_free(&t);
    best_free(&b);
    results_free(&r);
    static struct error e;
    r = make_run("never", "racy 1024 64 - ok 1 wrong 1024 64 - wrong 1");
    const struct best_options o = {.metric = "time_us_median"},
                              no_column = {.metric = "time_us_medain"};
    assert_false(best_find(&r, 1, &o, &b, &e));
    texts_expect("no right row", e.text);
    assert_false(best_find(&r, 1, &no_column, &b, &e));
    texts_expect("time_us_medain", e.text);
    results_free(&r);
    r = make_run("peers", "cub_sum 1024 64 - ok 1 sweep_read 1024 64 - ok 1");
    assert_false(best_find(&r, 1, &o, &b, &e));
    texts_expect("kernels that others are compared with", e.text);
    results_free(&r);
}

/* A kernel that only reads its input is the speed limit for the other kernels, even if it
 * belongs to another workload. */
static void test_limits(void **state)
{
    (void)state;
    put("limits", "run.json",
        "{\n\"schema\": 2,\n\"provenance\": {\"kernels\": [\n"
        "{\"name\": \"whole\", \"workload\": \"reduce\"},\n"
        "{\"name\": \"library\", \"workload\": \"reduce\", \"role\": \"peer\"},\n"
        "{\"name\": \"sweep_read\", \"workload\": \"read\"},\n"
        "{\"name\": \"empty\", \"workload\": \"launch\"},\n"
        "{\"name\": \"sweep_write\", \"workload\": \"write\"},\n"
        "{\"name\": \"rows_a\", \"workload\": \"rows\"},\n"
        "{\"name\": \"rows_limit\", \"workload\": \"rows_limit\"}]}}\n");
    /* If several kernels only read, the slowest one, at its fastest setting, is the limit. */
    struct results r = make_run("limits", "whole 1024 64 - ok 10      sweep_read 1024 64 - ok 8 "
                                          "library 1024 64 - ok 5 "
                                          "sweep_read 1024 128 - ok 9 empty 1024 64 - ok 7 "
                                          "sweep_write 1024 64 - ok 1 rows_a 1024 64 - ok 6 "
                                          "rows_limit 1024 64 4 ok 5  rows_limit 1024 64 8 ok 3 ");
    struct best b = find(&r, 1, false);
    assert_int_equal(b.problem_count, 2);
    assert_string_equal(name_of(&b, &b.problems[0].candidates[0]), "whole, block 64");
    assert_string_equal(name_of(&b, &b.problems[0].reference), "library, block 64");
    assert_string_equal(name_of(&b, &b.problems[0].limit), "sweep_read, block 64");
    assert_string_equal(name_of(&b, &b.problems[1].candidates[0]), "rows_a, block 64");
    assert_string_equal(name_of(&b, &b.problems[1].limit), "rows_limit, block 64, loads 8");
    assert_int_equal(b.problems[0].count + b.problems[1].count, 2);
    best_free(&b);
    results_free(&r);
}

/* A row without an n belongs to no problem. The loop over the problems must still end. */
static void test_no_size(void **state)
{
    (void)state;
    struct results r =
        read_run(put("no-n", "results.csv",
                     HEADER "1,cuda,D,a,int32,sum,,64,1,,1,cold,complete,ok,1,1,1\n"
                            "2,cuda,D,b,int32,sum,16,64,1,,1,cold,complete,ok,2,2,2\n"));
    struct best b = find(&r, 1, false);
    assert_int_equal(b.problem_count, 1);
    assert_string_equal(name_of(&b, &b.problems[0].candidates[0]), "b, block 64");
    assert_int_equal(b.failed, 1);
    best_free(&b);
    results_free(&r);
}

/* If two runs contain the same point, the row of the last run counts. With last_run_alone, a
 * problem that the last run contains has only the rows of the last run. */
static void test_several_runs(void **state)
{
    (void)state;
    struct results runs[2] = {make_run("first", three_sizes),
                              make_run("second", "a 1024 64 - ok 15 c 1024 64 4 ok 13")};
    struct best b = find(runs, 2, false);
    assert_string_equal(name_of(&b, &b.problems[0].candidates[0]), "b, block 64"); /* 12 µs */
    assert_int_equal(b.problems[0].count, 3);
    best_free(&b);
    b = find(runs, 2, true);
    assert_string_equal(name_of(&b, &b.problems[0].candidates[0]), "c, block 64, loads 4");
    assert_int_equal(b.problems[0].count, 2);
    assert_int_equal(b.problems[1].count, 3); /* The last run lacks this problem. */
    best_free(&b);
    results_free(&runs[0]);
    results_free(&runs[1]);
}

static void test_csv(void **state)
{
    (void)state;
    struct results r = make_run("csv", three_sizes);
    struct best b = find(&r, 1, false);
    char *bytes = written(&b, view_write_csv, NULL);
    struct table t;
    assert_true(table_parse("best.csv", bytes, strlen(bytes), NULL, NULL, &t, NULL));
    assert_int_equal(t.row_count, 5); /* The three problems have 2, 1 and 2 rows. */
    int standing = table_column(&t, "standing");
    assert_string_equal(table_cell(&t, 0, standing), "winner");
    assert_string_equal(table_cell(&t, 1, standing), "tied");
    assert_string_equal(table_cell(&t, 1, table_column(&t, "t_loads")), "4");
    assert_near(table_number(&t, 1, table_column(&t, "ratio")), 1.001, 1e-6);
    table_free(&t);
    best_free(&b);
    results_free(&r);
}

struct point_names {
    const char *kernel;
    double n, block, loads;
};

static bool look_up(void *context, const char *name, struct expr_value *value)
{
    const struct point_names *p = context;
    static const struct {
        const char *name, *text;
    } fixed[] = {{"type", "int32"}, {"op", "sum"}, {"cache", "cold"}, {"scope", "complete"}};
    *value = (struct expr_value){.number = NAN};
    for (int i = 0; i < 4; i++)
        if (strcmp(fixed[i].name, name) == 0)
            value->text = fixed[i].text;
    if (strcmp(name, "kernel") == 0)
        value->text = p->kernel;
    else if (!value->text)
        value->number = strcmp(name, "n") == 0        ? p->n
                        : strcmp(name, "block") == 0  ? p->block
                        : strcmp(name, "loads") == 0  ? p->loads
                        : strcmp(name, "unroll") == 0 ? 1
                                                      : NAN;
    return true;
}

/* Returns whether the config excludes the point. */
static bool is_excluded(const struct config *config, struct point_names *p)
{
    bool excluded = false;
    for (int x = 0; x < config->exclude_count; x++) {
        static struct error e;
        double value;
        if (!expr_number(config->excludes[x], look_up, p, &value, &e))
            fail_msg("%s", e.text);
        excluded = excluded || (value != 0 && !isnan(value));
    }
    return excluded;
}

/* The config that measures ties again is valid and contains exactly the tied points. */
static void test_remeasure(void **state)
{
    (void)state;
    static struct error e;
    struct results r = make_run("again", three_sizes);
    struct best b = find(&r, 1, false);
    struct text text = {0};
    best_remeasure_config(&b, &(struct remeasure){0}, &text);
    struct config *config;
    if (!config_parse("again.json", text.bytes, &config, &e))
        fail_msg("%s", e.text);
    /* The product of the config's axes includes problems without ties. The config excludes these
     * problems by their sizes. */
    assert_non_null(strstr(text.bytes, "and not (n = 1024 or n = "));
    const char *kernels[] = {"a", "b", "c"};
    const double sizes[] = {1024, 2048, 4096};
    int left = 0;
    for (int k = 0; k < 3; k++)
        for (int n = 0; n < 3; n++) {
            struct point_names p = {kernels[k], sizes[n], 64, k == 2 ? 4 : NAN};
            bool excluded = is_excluded(config, &p);
            bool tied = (n == 0 && k != 1) || (n == 2 && k != 0);
            assert_int_equal(excluded, !tied);
            left += !excluded;
        }
    assert_int_equal(left, 4);
    config_free(config);
    text_free(&text);
    best_free(&b);
    results_free(&r);
    r = make_run("alone", "a 1024 64 - ok 10 b 1024 64 - ok 12");
    b = find(&r, 1, false);
    best_remeasure_config(&b, &(struct remeasure){0}, &text); /* no ties */
    assert_null(text.bytes);
    best_free(&b);
    results_free(&r);
}

/* Rows of CPU kernels have a block of 1, which no config may request. */
static void test_remeasure_cpu_kernels(void **state)
{
    (void)state;
    static struct error e;
    struct results r = make_run("cpus", "loop 1024 1 - ok 10 recursive 1024 1 - ok 10.01 "
                                        "a 2048 64 - ok 20  b 2048 64 - ok 20.01");
    struct best b = find(&r, 1, false);
    struct text text = {0};
    struct config *config;
    best_remeasure_config(&b, &(struct remeasure){0}, &text);
    if (!config_parse("again.json", text.bytes, &config, &e))
        fail_msg("%s", e.text);
    assert_int_equal(config->kernels.count, 4);
    assert_int_equal(config->axis_values[AXIS_block].count, 1);
    assert_int_equal(config->axis_values[AXIS_block].values[0], 64);
    config_free(config);
    text_free(&text);
    best_free(&b);
    results_free(&r);
}

/* Makes a run from rows of the form "kernel n time low high energy low high". In each case, low and
 * high are the ends of the confidence interval of the value before them. "-" stands for an unknown
 * energy. */
static struct results make_metered(const char *folder, const char *rows)
{
    struct text csv = {0};
    char kernel[32], cells[6][16];
    int n, used, id = 0;
    text_append(&csv, "id,backend,device,kernel,type,op,n,block,unroll,cache,scope,status,"
                      "time_us_median,time_us_ci95_lo,time_us_ci95_hi,energy_uj,energy_uj_ci95_lo,"
                      "energy_uj_ci95_hi\n");
    for (; sscanf(rows, " %31s %d %15s %15s %15s %15s %15s %15s%n", kernel, &n, cells[0], cells[1],
                  cells[2], cells[3], cells[4], cells[5], &used) == 8;
         rows += used) {
        text_append(&csv, "%d,cuda,D,%s,int32,sum,%d,64,1,cold,kernel,ok", id++, kernel, n);
        for (int i = 0; i < 6; i++)
            text_append(&csv, ",%s", strcmp(cells[i], "-") == 0 ? "" : cells[i]);
        text_append(&csv, "\n");
    }
    struct results r = read_run(put(folder, "results.csv", csv.bytes));
    text_free(&csv);
    return r;
}

/* A configuration is beaten if another one for the same problem is certainly better in both time
 * and energy. `fast` beats `wasteful`. It does not beat `close`, whose energy does not differ
 * significantly. It beats neither `slow`, which uses little energy, nor `vague`, which may use
 * little. `alone` has a different n. */
static void test_energy(void **state)
{
    (void)state;
    struct results r = make_metered("energy", "fast     1024 10 9.9  10.1 900 880 920 "
                                              "close    1024 12 11.9 12.1 905 885 925 "
                                              "wasteful 1024 12 11.9 12.1 990 970 1010 "
                                              "slow     1024 20 19.9 20.1 700 690 710 "
                                              "vague    1024 25 24.9 25.1 720 690 760 "
                                              "heavy    1024 25 24.9 25.1 720 715 725 "
                                              "unknown  1024 30 29.9 30.1 -   -   - "
                                              "alone    2048 40 39.9 40.1 2000 1990 2010 ");
    struct best b = find(&r, 1, false);
    static const struct {
        const char *name;
        bool beaten;
    } expected[] = {{"fast", false},  {"close", false}, {"wasteful", true}, {"slow", false},
                    {"vague", false}, {"heavy", true},  {"unknown", false}};
    assert_int_equal(b.problem_count, 2);
    assert_int_equal(b.problems[0].count, 7);
    assert_int_equal(b.problems[0].metered, 6);
    assert_int_equal(b.problems[1].metered, 1);
    assert_false(b.problems[1].candidates[0].beaten);
    for (size_t i = 0; i < 7; i++)
        for (size_t k = 0; k < 7; k++) {
            const struct candidate *c = &b.problems[0].candidates[k];
            if (strcmp(results_axis(&r, c->row, AXIS_kernel), expected[i].name) == 0)
                assert_int_equal(c->beaten, expected[i].beaten);
        }
    char *bytes = written(&b, view_write_text, "energy");
    assert_non_null(strstr(bytes, "10.00 (9.90 to 10.10)   900.0 (880.0 to 920.0) "));
    assert_non_null(strstr(bytes, "unbeaten"));
    free(bytes);
    bytes = written(&b, view_write_csv, "energy");
    struct table t;
    assert_true(table_parse("energy.csv", bytes, strlen(bytes), NULL, NULL, &t, NULL));
    assert_int_equal(t.row_count, 7);
    assert_near(table_number(&t, 0, table_column(&t, "power_w")), 90, 1e-9);
    for (size_t i = 0; i < 7; i++)
        assert_true((*table_cell(&t, i, table_column(&t, "unbeaten")) != '\0') ==
                    (i != 2 && table_number(&t, i, table_column(&t, "energy_uj_ci95_hi")) != 725 &&
                     table_number(&t, i, table_column(&t, "energy_uj")) != 990));
    table_free(&t);
    best_free(&b);
    results_free(&r);
    r = make_metered("other metric",
                     "fast 1024 10 9 11 900 880 920 slow 1024 20 19 21 990 970 1010");
    static struct error e;
    const struct best_options by_energy = {.metric = "energy_uj"};
    assert_true(best_find(&r, 1, &by_energy, &b, &e));
    assert_int_equal(b.problems[0].metered, 0); /* This problem's candidates have no times. */
    best_free(&b);
    results_free(&r);
    r = make_run("no energy", three_sizes);
    b = find(&r, 1, false);
    bytes = written(&b, view_write_text, NULL);
    assert_null(strstr(bytes, "Energy"));
    free(bytes);
    best_free(&b);
    results_free(&r);
}

/* The config measures the two fastest configurations for each problem again, including their
 * energy, whether they tie or not. */
static void test_remeasure_energy(void **state)
{
    (void)state;
    static struct error e;
    struct results r = make_run("finalists", three_sizes);
    struct best b = find(&r, 1, false);
    struct text text = {0};
    struct config *config;
    best_remeasure_config(&b, &(struct remeasure){.fastest = 2, .energy_s = 1}, &text);
    if (!config_parse("again.json", text.bytes, &config, &e))
        fail_msg("%s", e.text);
    assert_true(config->timing.energy_s == 1);
    const char *kernels[] = {"a", "b", "c"};
    const bool wanted[3][3] = {{true, true, false}, {false, false, true}, {true, true, true}};
    for (int k = 0; k < 3; k++)
        for (int n = 0; n < 3; n++) {
            struct point_names p = {kernels[k], 1024 << n, 64, k == 2 ? 4 : NAN};
            bool excluded = is_excluded(config, &p);
            assert_int_equal(excluded, !wanted[k][n]);
        }
    config_free(config);
    text_free(&text);
    best_free(&b);
    results_free(&r);
}

/* In a recorded run, each problem's winner has the shortest time, and a configuration ties only
 * if its time does not differ significantly from the winner's. */
static void test_real_run(void **state)
{
    (void)state;
    struct results r = read_run(REAL_RUN);
    struct best b = find(&r, 1, false);
    /* The scopes `complete` and `kernel` get one series each. */
    assert_int_equal(b.series_count, 2);
    assert_int_equal(b.failed, 3);
    for (size_t i = 0; i < b.problem_count; i++)
        for (size_t c = 0; c < b.problems[i].count; c++) {
            const struct candidate *x = &b.problems[i].candidates[c];
            assert_true(x->time.value >= b.problems[i].candidates[0].time.value);
            if (x->tied && c > 0)
                assert_true(x->q > 0.05 || x->ratio.low <= 1);
        }
    best_free(&b);
    results_free(&r);
}

static void of_equal_medians_the_smaller_mean_wins(void **state)
{
    (void)state;
    struct results r =
        read_run(put("means", "results.csv",
                     "id,device,kernel,type,op,n,block,unroll,cache,scope,status,time_us_median,"
                     "time_us_mean\n"
                     "1,D,a,int32,sum,1024,64,1,cold,complete,ok,4.5,4.53\n"
                     "2,D,b,int32,sum,1024,64,1,cold,complete,ok,4.5,4.51\n"
                     "3,D,c,int32,sum,1024,64,1,cold,complete,ok,4.6,4.4\n"));
    struct best b = find(&r, 1, false);
    assert_int_equal(b.problem_count, 1);
    assert_string_equal(name_of(&b, &b.problems[0].candidates[0]), "b, block 64");
    assert_string_equal(name_of(&b, &b.problems[0].candidates[1]), "a, block 64");
    best_free(&b);
    results_free(&r);
}

/* Rows marked as too short for the clock compete by counts, but not by time. */
static void unresolved_times_do_not_compete(void **state)
{
    (void)state;
    static const char rows[] =
        "id,backend,device,kernel,type,op,n,block,unroll,grid,cache,scope,status,reason,"
        "time_us_median,time_us_ci95_lo,time_us_ci95_hi,inst_per_warp\n"
        "1,cuda,D,short,int32,sum,1024,64,1,1,cold,kernel,ok,below the clock's resolution: the "
        "median of 0.9 us is less than 32 steps of the clock,0.9,0.9,0.9,5\n"
        "2,cuda,D,long,int32,sum,1024,64,1,1,cold,kernel,ok,,1,1,1,6\n"
        "3,cuda,D,again,int32,sum,1024,64,1,1,cold,kernel,ok,timed again: once,2,2,2,7\n";
    static struct error e;
    struct results r = read_run(put("unresolved", "results.csv", rows));
    struct best b = find(&r, 1, false);
    assert_int_equal(b.unresolved, 1);
    assert_int_equal(b.problems[0].count, 2);
    assert_string_equal(name_of(&b, &b.problems[0].candidates[0]), "long, block 64");
    char *bytes = written(&b, view_write_text, NULL);
    texts_expect("a time below the clock's resolution", bytes);
    free(bytes);
    best_free(&b);

    const struct best_options counts = {.metric = "inst_per_warp"};
    assert_true(best_find(&r, 1, &counts, &b, &e));
    assert_int_equal(b.unresolved, 0);
    assert_string_equal(name_of(&b, &b.problems[0].candidates[0]), "short, block 64");
    best_free(&b);
    results_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_winners_and_ties),
        cmocka_unit_test(test_what_never_wins),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_no_size),
        cmocka_unit_test(test_several_runs),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_remeasure),
        cmocka_unit_test(test_remeasure_cpu_kernels),
        cmocka_unit_test(test_remeasure_energy),
        cmocka_unit_test(test_energy),
        cmocka_unit_test(test_real_run),
        cmocka_unit_test(of_equal_medians_the_smaller_mean_wins),
        cmocka_unit_test(unresolved_times_do_not_compete),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
