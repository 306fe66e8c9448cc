/*
 * redsweep plots: the charts of one run or of several, drawn by plots/plot.sh, which is where the
 * kernels are.
 */
#include "cli/commands.h"

#include <errno.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/options.h"
#include "spec/folders.h"

extern char **environ;

enum { MAX_OPERANDS = 256 };

struct plots_arguments {
    bool no_title;
    const char *format, *width, *font, *out, *truth, *peers;
};

#define AT(member) .offset = offsetof(struct plots_arguments, member)

static const struct field options[] = {
    {"--format", NULL, field_argument, AT(format),
     HELP("LIST", "of svg, png and pdf (default: svg,png)")},
    {"--width", NULL, field_argument, AT(width),
     HELP("NAME", "column or page of a paper: 85 or 178 mm")},
    {"--no-title", NULL, field_switch, AT(no_title),
     HELP(NULL, "without headings; their words are printed for the caption")},
    {"--font", NULL, field_argument, AT(font), HELP("FAMILY", "(default: DejaVu Sans)")},
    {"--out", NULL, field_argument, AT(out),
     HELP("DIR", "for the pictures (default: RUN/plots; results/runs for several)")},
    {"--truth", NULL, field_argument, AT(truth),
     HELP("RUN", "what the chart search compares with")},
    {"--peers", NULL, field_argument, AT(peers),
     HELP("RUN", "rows of CUB and PyTorch for the chart shapes")},
    {0}};

void help_plots(void)
{
    printf(
        "Draws the charts of a run (its folder or its results.csv; default: results/latest) into\n"
        "RUN/plots, or of several runs laid over each other into results/runs, with gnuplot.\n\n"
        "CHART of one run: time, bandwidth, winners, ladder, speedup, metrics, sectors, cache,\n"
        "roofline, heatmap, shapes, configs, tunables or search; of several: bandwidth, share,\n"
        "best, costs or history; by default all that there is data for.\n\n");
    options_print(options);
    printf(
        "\nThe environment chooses the part of a run: WANT_ and the name of an axis or tunable, "
        "as\n"
        "in WANT_TYPE=float32 WANT_OP=max WANT_CACHE=warm WANT_SCOPE=complete WANT_BLOCK=256\n"
        "WANT_UNROLL=8 WANT_LOADS=4; WANT_KERNEL=NAME WANT_N=1048576 for charts of one kernel or\n"
        "size; WANT_UNROLL=all and WANT_METRIC=COLUMN for the ladder; WANT_X=AXIS WANT_Y=AXIS\n"
        "for the heat map, WANT_Y=rows for shapes; WANT_COLOR=AXIS for configs;\n"
        "WANT_WORKLOAD=others for the kernels that are no reductions.\n\n"
        "Exit codes: 0 something was drawn, 1 nothing could be, 2 usage error.\n");
}

/* Waits for the script; its exit code, which is ours. */
static int run_script(char *const *words, struct error *e)
{
    pid_t pid;
    int status, why = posix_spawn(&pid, words[0], NULL, NULL, words, environ);
    if (why != 0) {
        FAIL(e, ERROR_SYSTEM, "cannot start %s: %s", words[0], strerror(why));
        return EXIT_REFUSED;
    }
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) {
            FAIL(e, ERROR_SYSTEM, "cannot wait for %s: %s", words[0], strerror(errno));
            return EXIT_REFUSED;
        }
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_REFUSED;
}

/* The scripts take what they are asked for from the environment; false with the error. */
static bool set_environment(const struct plots_arguments *a, struct error *e)
{
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    const struct {
        const char *name, *value;
    } set[] = {{"REDSWEEP", self},  {"FORMAT", a->format},
               {"WIDTH", a->width}, {"TITLE", a->no_title ? "no" : NULL},
               {"FONT", a->font},   {"OUT", a->out},
               {"TRUTH", a->truth}, {"PEERS", a->peers}};
    for (size_t i = 0; i < sizeof set / sizeof *set; i++)
        if (set[i].value && setenv(set[i].name, set[i].value, 1) != 0)
            return FAIL(e, ERROR_SYSTEM, "cannot set the environment: %s", strerror(errno));
    return true;
}

int command_plots(int count, char **arguments, struct error *e)
{
    struct plots_arguments a = {0};
    char data[4096], script[4200];
    const char *named[MAX_OPERANDS] = {"results/latest"};
    struct operands operands = {.items = named, .max = MAX_OPERANDS};
    if (!options_read(options, &a, count, arguments, &operands, e) ||
        !find_data_folder(data, sizeof data, e))
        return EXIT_REFUSED;
    snprintf(script, sizeof script, "%s/plots/plot.sh", data);
    if (access(script, X_OK) != 0) {
        FAIL(e, ERROR_SYSTEM, "%s: %s; charts are drawn by it", script, strerror(errno));
        return EXIT_REFUSED;
    }
    if (!set_environment(&a, e))
        return EXIT_REFUSED;
    char *words[1 + MAX_OPERANDS + 1] = {script, (char *)named[0]};
    for (int i = 1; i < operands.count; i++)
        words[1 + i] = (char *)named[i];
    fflush(stdout);
    return run_script(words, e);
}
