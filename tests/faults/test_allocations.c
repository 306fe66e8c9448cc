/*
 * Host memory that runs out: whatever is done, the k-th allocation fails, for every k until there
 * is no k-th. Each time that is said (ERROR_MEMORY, with words), or it did no harm and the result
 * is the undisturbed one; nothing may be lost, or used afterwards: the sanitizers watch.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/expr.h"
#include "base/text.h"
#include "compare/best.h"
#include "compare/diff.h"
#include "compare/report.h"
#include "compare/results.h"
#include "compare/show.h"
#include "compile/compile.h"
#include "config/config.h"
#include "devices/sim/sim.h"
#include "failing_memory.h"
#include "metrics/metrics.h"
#include "plan/plan.h"
#include "record/table.h"

/* Does something from beginning to end and writes what came out. */
typedef bool action(FILE *to, struct error *e);

/* What an action wrote, with its k-th allocation failing; NULL when it said that it failed. */
static char *act_with(const char *what, action *act, int k)
{
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    struct error e = {0};
    assert_non_null(to);
    failing_memory_arm(k);
    bool ok = act(to, &e);
    failing_memory_arm(0);
    fclose(to);
    if (ok)
        return text;
    free(text);
    if (!failing_memory_failed())
        fail_msg("%s: %s", what, e.text);
    if (e.kind != ERROR_MEMORY || !e.text[0])
        fail_msg("%s: allocation %d: %s error: %s", what, k, error_kind_name(e.kind), e.text);
    return NULL;
}

static void fail_each(const char *what, action *act)
{
    int k = 0, harmless = 0;
    char *right = act_with(what, act, 0);
    assert_true(right && right[0]);
    do {
        char *text = act_with(what, act, ++k);
        if (text && strcmp(text, right) != 0 && !strstr(text, "(out of memory"))
            fail_msg(
                "%s: allocation %d failed, nobody said so, and the result is '%s' instead of '%s'",
                what, k, text, right);
        harmless += text && failing_memory_failed();
        free(text);
    } while (failing_memory_failed());
    print_message("%s: %d allocations fail in turn, %d of them without harm\n", what, k - 1,
                  harmless);
    free(right);
}

static struct catalogue kernels;

static bool read_kernels(FILE *to, struct error *e)
{
    static const char *const folders[] = {"tests/kernels"};
    struct catalogue c;
    if (!catalogue_read(folders, 1, &c, e))
        return false;
    for (int i = 0; i < c.count; i++)
        fprintf(to, "%s %s\n", c.kernels[i]->name, c.kernels[i]->idea);
    catalogue_free(&c);
    return true;
}

static bool plan_a_sweep(FILE *to, struct error *e)
{
    static const char text[] =
        "{\"name\": \"small\", \"kernels\": [\"planted_*\", \"launches_racy\"], "
        "\"sizes\": {\"range\": [100, 400], \"step\": 100}, \"blocks\": [32, 64], "
        "\"metrics\": [\"gld_transactions\", \"ipc\"], \"types\": [\"int32\", \"float32\"], "
        "\"exclude\": [\"block = 32 and n > 200\"]}";
    static const struct plan_limits limits = {.cc = 90,
                                              .sms = 132,
                                              .max_block = 1024,
                                              .max_dynamic_smem = 1 << 17,
                                              .max_grid_x = 1 << 30};
    struct config *config;
    struct plan *plan;
    struct metric_plan metrics;
    if (!config_parse("small.json", text, &config, e))
        return false;
    bool ok = plan_build(config, &kernels, &limits, &plan, e);
    if (ok) {
        char label[256];
        for (uint32_t i = 0; i < plan->point_count; i++)
            fprintf(to, "%s\n", plan_point_label(plan, &plan->points[i], label, sizeof label));
        plan_free(plan);
    }
    ok = ok && metrics_resolve((const char *const *)config->metrics.names, config->metrics.count,
                               "GH100", NULL, NULL, "there is no device", &metrics, e);
    if (ok) {
        for (int i = 0; i < metrics.count; i++)
            fprintf(to, "%s: %s\n", metrics.choices[i].name, metrics.choices[i].reason);
        metric_plan_free(&metrics);
    }
    config_free(config);
    return ok;
}

static bool no_name(void *context, const char *name, struct expr_value *value)
{
    (void)context, (void)name;
    *value = (struct expr_value){.number = 3};
    return true;
}

static bool evaluate(FILE *to, struct error *e)
{
    struct expr *x;
    struct text c = {0};
    double number;
    if (!expr_parse(
            "max(n, 2^3) / 4 + ceil_div(n % 5, 2) - -n * (not (n > 2 and n <= 7) or n != 1)", &x,
            e))
        return false;
    bool ok = expr_number(x, no_name, NULL, &number, e);
    if (ok && !expr_write_c(x, &c))
        ok = FAIL(e, ERROR_MEMORY, "no memory for the expression in C");
    if (ok)
        fprintf(to, "%g %s", number, c.bytes);
    text_free(&c);
    expr_free(x);
    return ok;
}

/* Runs that are read, compared and shown as a page. */
static bool read_a_table(FILE *to, struct error *e)
{
    struct table t;
    if (!table_read("results/published/k80-reduce/results.csv", &t, e))
        return false;
    for (size_t row = 0; row < t.row_count; row++)
        fprintf(to, "%s\n", table_cell(&t, row, 3));
    table_free(&t);
    return true;
}

static bool show_a_run(FILE *to, struct error *e)
{
    static const struct show_options options = {.where = "block = 1024 and kernel = \"*nroll*\"",
                                                .columns = "kernel,g*",
                                                .sort = "-unroll"};
    struct results r;
    if (!results_read("results/published/k80-reduce", &r, e))
        return false;
    bool ok = show_rows(&r, &options, to, e);
    results_free(&r);
    return ok;
}

static const char *few; /* a run of a few points with times */

static bool write_a_page(FILE *to, struct error *e)
{
    struct results r;
    struct text page = {0};
    if (!results_read(few, &r, e))
        return false;
    bool ok = report_page(&r, &page, e);
    if (ok)
        fwrite(page.bytes, 1, page.length, to);
    text_free(&page);
    results_free(&r);
    return ok;
}

static bool find_the_best(FILE *to, struct error *e)
{
    static const struct best_options options = {.metric = "time_us_median"};
    struct results r;
    struct best b;
    if (!results_read(few, &r, e))
        return false;
    bool ok = best_find(&r, 1, &options, &b, e);
    if (ok) {
        best_print(&b, to);
        ok = best_write_csv(&b, to) || FAIL(e, ERROR_MEMORY, "out of memory for the CSV");
        best_free(&b);
    }
    results_free(&r);
    return ok;
}

static bool compare_two_runs(FILE *to, struct error *e)
{
    static const struct diff_options options = {.least_effect = 0.01, .rate = 0.05};
    struct results r;
    struct diff d;
    if (!results_read(few, &r, e))
        return false;
    bool ok = diff_runs(&r, &r, &options, &d, e);
    if (ok) {
        diff_print(&d, to);
        ok = (diff_write_csv(&d, to) && diff_write_json(&d, to)) ||
             FAIL(e, ERROR_MEMORY, "out of memory for the files");
        diff_free(&d);
    }
    results_free(&r);
    return ok;
}

/* A kernel of the kept corpus, from its text to its result. */
static char ptx[1 << 16];

static bool simulate(FILE *to, struct error *e)
{
    struct device *d;
    struct module *m = NULL;
    struct module_info info;
    struct buffer in = {0}, out = {0};
    struct image image = {.kind = IMAGE_PTX, .bytes = ptx, .length = strlen(ptx)};
    strcpy(image.entry, "k");
    if (!sim_driver.open("", NULL, &d, e))
        return false;
    sim_set_threads(d, 1);
    bool ok = sim_driver.alloc(d, 4096, &in, e) && sim_driver.alloc(d, 4096, &out, e) &&
              sim_driver.load(d, &image, &m, &info, e);
    if (ok) {
        struct launch l = {.module = m, .grid = {2, 1, 1}, .block = {64, 1, 1}};
        add_argument(&l, in.address, 8);
        add_argument(&l, out.address, 8);
        add_argument(&l, 200, 4);
        struct trial t = {.launches = &l, .launch_count = 1, .repeat = 1};
        unsigned sum = 0;
        ok = sim_driver.run(d, &t, e) && sim_driver.read(d, out, 0, &sum, sizeof sum, e);
        if (ok)
            fprintf(to, "%u of %d registers", sum, info.registers);
    }
    if (m)
        sim_driver.unload(d, m);
    sim_driver.free(d, out);
    sim_driver.free(d, in);
    sim_driver.close(d);
    return ok;
}

static void each_allocation_may_fail(void **state)
{
    (void)state;
    fail_each("reading kernels", read_kernels);
    fail_each("a config and its plan", plan_a_sweep);
    fail_each("an expression", evaluate);
    fail_each("reading a table", read_a_table);
    fail_each("showing a run", show_a_run);
    fail_each("finding the best", find_the_best);
    fail_each("comparing two runs", compare_two_runs);
    fail_each("a page of a run", write_a_page);
    fail_each("the simulator", simulate);
}

/* A copy of a recorded run with its first points only. */
static void make_few(char folder[64])
{
    char command[1024];
    strcpy(folder, "/tmp/redsweep-few-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command,
             "r=results/reference/h200-aa-a && cp $r/results.json %s && head -8 $r/results.csv >"
             "%s/results.csv && head -150 $r/samples.csv >%s/samples.csv",
             folder, folder, folder);
    assert_int_equal(system(command), 0);
}

static int prepare(void **state)
{
    static const char *const folders[] = {"tests/kernels"};
    static char folder[64];
    struct error e = {0};
    (void)state;
    make_few(folder);
    few = folder;
    FILE *text = fopen("tests/fuzz/corpus/ptx/shuffle.ptx", "r");
    if (!text || !catalogue_read(folders, 1, &kernels, &e))
        return 1;
    ptx[fread(ptx, 1, sizeof ptx - 1, text)] = '\0';
    fclose(text);
    return 0;
}

static int clean(void **state)
{
    char command[128];
    (void)state;
    catalogue_free(&kernels);
    snprintf(command, sizeof command, "rm -rf '%s'", few);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation_may_fail)};
    return cmocka_run_group_tests(tests, prepare, clean);
}
