/*
 * redsweep plots: the charts of a run, drawn by plots/plot.sh, which is where the kernels are.
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

enum { MAX_CHARTS = 16 };

struct plots_arguments {
    bool text;
};

#define AT(member) .offset = offsetof(struct plots_arguments, member)

static const struct field options[] = {
    {"--text", NULL, field_switch, AT(text), HELP(NULL, "print them in characters instead")}, {0}};

void help_plots(void)
{
    printf(
        "Draws the charts of a run (its folder or its results.csv; default: results/latest) into\n"
        "RUN/plots as SVG and PNG, with gnuplot. CHART is time, bandwidth, speedup, heatmap,\n"
        "metrics, sectors, cache or roofline; all that the run has data for by default.\n\n");
    options_print(options);
    printf("\nThe environment chooses the part of a run: WANT_TYPE=float32 WANT_OP=max\n"
           "WANT_CACHE=warm WANT_SCOPE=complete WANT_KERNEL=NAME WANT_N=1048576.\n\n"
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

int command_plots(int count, char **arguments, struct error *e)
{
    struct plots_arguments a = {0};
    char self[4096], data[4096], script[4200];
    const char *named[1 + MAX_CHARTS] = {"results/latest"};
    struct operands operands = {.items = named, .max = 1 + MAX_CHARTS};
    if (!options_read(options, &a, count, arguments, &operands, e) ||
        !find_data_folder(data, sizeof data, e))
        return EXIT_REFUSED;
    snprintf(script, sizeof script, "%s/plots/plot.sh", data);
    if (access(script, X_OK) != 0) {
        FAIL(e, ERROR_SYSTEM, "%s: %s; charts are drawn by it", script, strerror(errno));
        return EXIT_REFUSED;
    }
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    if (setenv("REDSWEEP", self, 1) != 0 || (a.text && setenv("FORMAT", "text", 1) != 0)) {
        FAIL(e, ERROR_SYSTEM, "cannot set the environment: %s", strerror(errno));
        return EXIT_REFUSED;
    }
    char *words[1 + 1 + MAX_CHARTS + 1] = {script, (char *)named[0]};
    for (int i = 1; i < operands.count; i++)
        words[1 + i] = (char *)named[i];
    fflush(stdout);
    return run_script(words, e);
}
