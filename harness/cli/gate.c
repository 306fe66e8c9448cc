/*
 * `redsweep gate` measures two versions of the same kernels in one process and in the same rounds,
 * and compares them. Its exit code can block a merge.
 *
 * Two runs are measured by two processes, which have different CUDA contexts, run at different GPU
 * clocks, and may use different cards. Within one process, the context, the clocks and the card are
 * the same for both versions, so a gate can find smaller changes than a comparison of two runs.
 */
#include "cli/commands.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/diff_arguments.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/result.h"
#include "run/commands.h"
#include "run/sweep.h"
#include "spec/folders.h"
#include "spec/config_options.h"

struct gate_arguments {
    const char *baseline, *candidate, *out, *device;
    bool confirm;
    cJSON *overrides; /* config keys that were given as options */
    struct diff_arguments diff;
};

#define AT(member) .offset = offsetof(struct gate_arguments, member)

static const struct field gate_options[] = {
    {"--baseline", NULL, field_argument, AT(baseline),
     HELP("DIR", "the folder with the kernels before the change")},
    {"--candidate", NULL, field_argument, AT(candidate),
     HELP("DIR", "the folder with the kernels after the change")},
    {"--out", NULL, field_argument, AT(out),
     HELP("DIR", "the folder for both runs (default: a new folder under results/)")},
    {"--device", "auto", field_argument, AT(device),
     HELP("NAME", "the device, named as for `redsweep run`; on the simulator "
                  "only counts are compared")},
    {"--confirm", NULL, field_switch, AT(confirm),
     HELP(NULL, "measure SLOW points again in a new process, and fail only if they are SLOW in "
                "both measurements")},
    DIFF_OPTIONS(struct gate_arguments, diff),
    {0}};

void help_gate(void)
{
    printf("Measures two versions of the same kernels in one process, in the same rounds, and\n"
           "compares them as `redsweep diff` does. Each version has its own folder. A file that a\n"
           "kernel includes is looked for in the kernel's own folder, and then among the files\n"
           "shipped with redsweep. CPU functions and `library:` kernels are part of the program\n"
           "and are not compared.\n"
           "\n");
    options_print(gate_options);
    printf(
        "\nEvery key of a config is also an option, which overrides the value in the config:\n\n");
    config_options_print();
    printf(
        "\n"
        "The gate writes two runs, OUT/baseline and OUT/candidate, and with --confirm two more\n"
        "in OUT/confirm if a point is SLOW. These runs can be compared again with\n"
        "`redsweep diff`, but not resumed. After an interruption, start the gate again.\n"
        "\n"
        "Exit codes: 0 the gate found nothing that --fail-on names, 1 it found something that\n"
        "--fail-on names, 2 usage or config error, or neither times nor counts could be compared,\n"
        "3 the gate was stopped before the end, or, with --strict, it found nothing that\n"
        "--fail-on names, but at least one point is UNKNOWN.\n"
        "The last line names everything that was found.\n");
}

/* A gate's two runs, and their comparison. */
struct comparison {
    struct results runs[2];
    int run_count;
    struct diff diff;
    bool compared;
};

static void comparison_free(struct comparison *c)
{
    if (c->compared)
        diff_free(&c->diff);
    while (c->run_count > 0)
        results_free(&c->runs[--c->run_count]);
}

static bool compare_sides(const struct gate_arguments *a, const char *folder, struct comparison *c,
                          struct error *e)
{
    static const char *const sides[2] = {"baseline", "candidate"};
    const struct diff_options how = diff_read_options(&a->diff);
    for (int i = 0; i < 2; i++) {
        char *path = xasprintf("%s/%s", folder, sides[i]);
        bool ok = results_read(path, &c->runs[i], e);
        free(path);
        if (!ok)
            return false;
        c->run_count++;
    }
    c->compared = diff_runs(&c->runs[0], &c->runs[1], &how, &c->diff, e);
    return c->compared;
}

/* Measures both versions in one process, and writes their runs to result->folder. */
static int measure_sides(const struct sweep_request *request, const struct config *config,
                         struct sweep_result *result, struct error *e)
{
    int code = run_request(request, config, e);
    if (code == EXIT_STOPPED)
        print_safely(stderr,
                     "the gate was stopped before it reached a verdict; the points measured so far "
                     "are in %s\n",
                     result->folder);
    /* Failed points are no failure here, because the comparison reports them. */
    return code == EXIT_POINTS_FAILED ? EXIT_FINE : code;
}

/*
 * Measures all points whose verdict is SLOW again. If a point is not SLOW in the second
 * measurement, its verdict becomes UNKNOWN.
 */
static int confirm_slow(const struct gate_arguments *a, const struct sweep_request *first,
                        const struct config *config, struct diff *d, struct error *e)
{
    static struct sweep_result result; /* static, because it is too large for the stack */
    size_t count;
    uint64_t *ids = diff_slow_points(d, &count);
    if (count == 0) {
        free(ids);
        return EXIT_FINE;
    }
    fprintf(stderr, "measuring the %zu SLOW points again\n", count);
    struct sweep_gate gate = *first->gate;
    gate.only = ids;
    gate.only_count = count;
    char *out = xasprintf("%s/confirm", first->result->folder);
    struct sweep_request request = *first;
    request.gate = &gate;
    request.out = out;
    request.result = &result;
    struct comparison again = {0};
    int code = measure_sides(&request, config, &result, e);
    if (code == EXIT_FINE && compare_sides(a, out, &again, e))
        diff_confirm(d, &again.diff);
    else if (code == EXIT_FINE)
        code = EXIT_REFUSED;
    comparison_free(&again);
    free(out);
    free(ids);
    return code;
}

static bool find_sides(const struct gate_arguments *a, char paths[2][PATH_MAX], struct error *e)
{
    const char *const given[2] = {a->baseline, a->candidate};
    for (int i = 0; i < 2; i++) {
        const char *option = i ? "--candidate" : "--baseline";
        if (!given[i])
            return FAIL(e, ERROR_USAGE, "gate needs %s DIR, a folder with kernels", option);
        if (!realpath(given[i], paths[i]))
            return FAIL(e, ERROR_USAGE, "%s %s: %s", option, given[i], strerror(errno));
    }
    return true;
}

/*
 * Prints the comparison, and writes it as an HTML page to the gate's folder unless --html names
 * another file. The last line of the output is the path of the page. The path is not printed if an
 * option writes a file to standard output.
 */
static int show_gate(const struct gate_arguments *a, const char *folder, const struct diff *d,
                     struct error *e)
{
    struct diff_arguments how = a->diff;
    how.charts = page_charts_of_runs;
    char *page = xasprintf("%s/report.html", folder);
    bool own = !how.output.html && !how.output.table;
    how.output.html = own ? page : how.output.html;
    int code = diff_show(d, &how, e);
    if (own && code != EXIT_REFUSED && !view_takes_stdout(&how.output))
        print_safely(stdout, "%s\n", page);
    free(page);
    return code;
}

static int run_gate(const struct gate_arguments *a, const char *command,
                    const struct config *config, struct error *e)
{
    static char paths[2][PATH_MAX];
    static struct sweep_result result; /* static, because it is too large for the stack */
    if (!find_sides(a, paths, e))
        return EXIT_REFUSED;
    const struct sweep_gate gate = {.kernels = {paths[0], paths[1]}};
    const struct sweep_request request = {
        .device = a->device, .out = a->out, .command = command, .gate = &gate, .result = &result};
    int code = measure_sides(&request, config, &result, e);
    if (code != EXIT_FINE)
        return code;
    struct comparison c = {0};
    code = compare_sides(a, result.folder, &c, e) ? EXIT_FINE : EXIT_REFUSED;
    if (code == EXIT_FINE && a->confirm)
        code = confirm_slow(a, &request, config, &c.diff, e);
    if (code == EXIT_FINE)
        code = show_gate(a, result.folder, &c.diff, e);
    comparison_free(&c);
    return code;
}

int command_gate(int count, char **arguments, struct error *e)
{
    struct gate_arguments a = {.diff.minimum_effect = NAN};
    const char *path = NULL;
    char shipped[4200];
    struct operands operands = {.items = &path, .max = 1};
    const struct field *options =
        config_options(gate_options, offsetof(struct gate_arguments, overrides));
    struct config *config;
    int code = EXIT_REFUSED;
    if (options_read(options, &a, count, arguments, &operands, e) &&
        config_from_options("gate", find_config(path, shipped, sizeof shipped), a.overrides,
                            &config, e)) {
        struct text command = {0};
        text_append(&command, "redsweep gate");
        for (int i = 0; i < count; i++)
            text_append(&command, " %s", arguments[i]);
        code = run_gate(&a, command.bytes, config, e);
        config_free(config);
        text_free(&command);
    }
    cJSON_Delete(a.overrides);
    return code;
}
