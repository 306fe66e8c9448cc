/* Checks what happens if host memory runs out. Each action is tried once for each of its
 * allocations, and this allocation fails. There are three acceptable outcomes. The process may end
 * with the message and exit code that base/memory.h describes. The action may report ERROR_MEMORY,
 * for the few large allocations that may fail without ending the process. Or the failure has no
 * effect, and the result equals that of the undisturbed action. Each attempt is a separate process.
 * tests/faults/test_no_memory.sh tests commands in the same way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/expr.h"
#include "base/memory.h"
#include "base/text.h"
#include "compile/compile.h"
#include "spec/config.h"
#include "devices/sim/sim.h"
#include "failing_memory.h"
#include "metrics/metrics.h"
#include "plan/plan.h"

/* Runs an action from start to end and writes its result. */
typedef bool action(FILE *to, struct error *e);

/* the ways in which an attempt may end */
enum { UNDISTURBED, HARMLESS, REPORTED, FAILED };

static void end_quietly(size_t bytes)
{
    (void)bytes;
}

_Noreturn static void act_with(const char *what, action *act, int k, FILE *to)
{
    struct error e = {0};
    memory_set_hook(end_quietly);
    failing_memory_arm(k);
    bool ok = act(to, &e);
    bool failed = failing_memory_failed();
    failing_memory_arm(0);
    fflush(to);
    if (ok)
        _exit(failed ? HARMLESS : UNDISTURBED);
    if (failed && e.kind == ERROR_MEMORY && e.text[0])
        _exit(REPORTED);
    print_error("%s: allocation %d: %s error: %s\n", what, k, error_kind_name(e.kind), e.text);
    _exit(FAILED);
}

/* Runs an action in a separate process in which the k-th allocation fails. Returns the process's
 * exit code, and stores its output in `text`. */
static int try_with(const char *what, action *act, int k, char text[8192])
{
    FILE *to = tmpfile();
    int status;
    assert_non_null(to);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        act_with(what, act, k, to);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    rewind(to);
    text[fread(text, 1, 8191, to)] = '\0';
    fclose(to);
    if (!WIFEXITED(status))
        fail_msg("%s: allocation %d: killed by signal %d", what, k, WTERMSIG(status));
    return WEXITSTATUS(status);
}

static void fail_each(const char *what, action *act)
{
    static char right[8192], text[8192];
    int ends[256] = {0}, k = 0, end;
    assert_int_equal(try_with(what, act, 0, right), UNDISTURBED);
    assert_true(right[0]);
    do {
        end = try_with(what, act, ++k, text);
        if (end >= FAILED && end != EXIT_OUT_OF_MEMORY)
            fail_msg("%s: allocation %d: exit code %d", what, k, end);
        if (end <= HARMLESS && strcmp(text, right) != 0)
            fail_msg("%s: allocation %d: the result is '%s' instead of '%s'", what, k, text, right);
        ends[end]++;
    } while (end != UNDISTURBED);
    print_message("%s: %d allocations failed, one in each try: %d ended the process, %d were "
                  "reported, %d did no harm\n",
                  what, k - 1, ends[EXIT_OUT_OF_MEMORY], ends[REPORTED], ends[HARMLESS]);
    assert_true(k > 1);
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
    static const struct device_limits limits = {.cc = 90,
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

/* Parses and runs a kernel from the fuzzers' corpus. */
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
        struct trial t = {.launches = &l, .launch_count = 1};
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
    fail_each("the simulator", simulate);
}

static int prepare(void **state)
{
    static const char *const folders[] = {"tests/kernels"};
    struct error e = {0};
    (void)state;
    FILE *text = fopen("tests/fuzz/corpus/ptx/shuffle.ptx", "r");
    if (!text || !catalogue_read(folders, 1, &kernels, &e))
        return 1;
    ptx[fread(ptx, 1, sizeof ptx - 1, text)] = '\0';
    fclose(text);
    return 0;
}

static int clean(void **state)
{
    (void)state;
    catalogue_free(&kernels);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation_may_fail)};
    return cmocka_run_group_tests(tests, prepare, clean);
}
