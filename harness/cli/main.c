/* The table of redsweep's commands. Commands return their errors, and this file prints them. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "base/memory.h"
#include "base/program.h"
#include "base/terminal.h"
#include "base/text.h"
#include "analyze/commands.h"
#include "analyze/run_list.h"
#include "cli/commands.h"
#include "cluster/commands.h"
#include "run/provenance.h"

static const struct command commands[] = {
    {"run", "CONFIG [options]", "run a sweep and record it", command_run, help_run},
    {"resume", "DIR [options]", "resume an interrupted run", command_resume, help_resume},
    {"merge", "DIR... --out RUN", "merge the shards of a sweep into one run", command_merge,
     help_merge},
    {"log", "[FOLDER] [options]", "list the runs in a folder", command_log, help_log},
    {"history", "RUN...|FOLDER [options]", "show how kernel times changed from run to run",
     command_history, help_history},
    {"status", "DIR... [options]", "show the progress of a run or of a sweep's shards",
     command_status, help_status},
    {"submit", "CONFIG --tasks N [options]", "run a sweep as a Slurm job array", command_submit,
     help_submit},
    {"doctor", "[--device NAME]", "check what this machine can measure", command_doctor,
     help_doctor},
    {"list", "WHAT [options]", "list kernels, metrics, devices, axes, columns, charts or schema",
     command_list, help_list},
    {"show", "RUN [options]", "print a run's rows", command_show, help_show},
    {"diff", "A B [options]", "compare two runs", command_diff, help_diff},
    {"gate", "CONFIG --baseline DIR --candidate DIR", "compare two versions of kernels",
     command_gate, help_gate},
    {"best", "RUN... [options]", "find the fastest configurations", command_best, help_best},
    {"import", "FILE.cu [KERNEL]", "write the facts for a kernel of your own", command_import,
     help_import},
    {"new", "NAME", "write a kernel to start from", command_new, help_new},
    {"plots", "[RUN... [CHART...]] [options]", "draw charts of one or more runs", command_plots,
     help_plots},
    {"report", "RUN [options]", "write a run as one HTML page", command_report, help_report},
    {"tuned", "RUN... [--out DIR]", "write a run's winners as a C library", command_tuned,
     help_tuned},
    {"export", "RUN [options]", "write a run in T4, a format for autotuners", command_export,
     help_export},
    {"racecheck", "[KERNEL...] [options]", "detect data races in kernels", command_racecheck,
     help_racecheck},
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void print_usage(void)
{
    printf("redsweep %s measures how GPU reductions behave and finds the one to use.\n\n",
           redsweep_version());
    for (int i = 0; i < COMMAND_COUNT; i++)
        printf("  redsweep %-9s  %s\n", commands[i].name, commands[i].help);
    printf("\n"
           "`redsweep COMMAND --help` explains a command.\n"
           "Exit codes: 0 all points are fine, 1 some points failed or were wrong, 2 usage or\n"
           "config error, 3 stopped before the end, 4 another process is writing into the run.\n");
}

/* Commands that earlier versions had, and what users can do instead. */
static const struct {
    const char *name, *remedy;
} former_commands[] = {
    {"convert", "convert runs of redsweep 0.1.0 with redsweep 0.2.0"},
};

static int unknown_command(const char *name)
{
    for (size_t i = 0; i < sizeof former_commands / sizeof *former_commands; i++)
        if (strcmp(name, former_commands[i].name) == 0) {
            fprintf(stderr, "redsweep: the command '%s' was removed; %s\n", name,
                    former_commands[i].remedy);
            return EXIT_REFUSED;
        }
    const char *names[COMMAND_COUNT + 1];
    for (int i = 0; i < COMMAND_COUNT; i++)
        names[i] = commands[i].name;
    names[COMMAND_COUNT] = "help";
    char suggestion[SUGGESTION_SIZE];
    text_suggestion(name, names, COMMAND_COUNT + 1, suggestion);
    fprintf(stderr, "redsweep: unknown command '%s'%s%s redsweep --help\n", name, suggestion,
            *suggestion ? " See" : "; see");
    return EXIT_REFUSED;
}

/*
 * Replaces names of runs in the arguments with the folders of these runs. A name such as latest~1
 * becomes the folder of that run (analyze/run_list.h); its memory is never freed. The word latest
 * becomes results/latest, but not after an option, because it may then be the name of a file to
 * write.
 */
static bool name_runs(int count, char **arguments, struct error *e)
{
    static char latest[] = "results/latest";
    for (int i = 0; i < count; i++) {
        if (strcmp(arguments[i], "latest") == 0 && (i == 0 || arguments[i - 1][0] != '-') &&
            access("latest", F_OK) != 0 && access(latest, F_OK) == 0)
            arguments[i] = latest;
        char *folder;
        if (!run_list_resolve(arguments[i], &folder, e))
            return false;
        arguments[i] = folder ? folder : arguments[i];
    }
    return true;
}

static int run_command(const struct command *c, int count, char **arguments)
{
    for (int i = 0; i < count; i++)
        if (strcmp(arguments[i], "--help") == 0 || strcmp(arguments[i], "-h") == 0) {
            printf("redsweep %s %s\n\n", c->name, c->arguments);
            terminal_print_filled(c->print_help);
            return EXIT_FINE;
        }
    static struct error e; /* static, because it is too large for the stack */
    int code = name_runs(count, arguments, &e) ? c->run(count, arguments, &e) : EXIT_REFUSED;
    if (code != EXIT_FINE && e.kind == ERROR_BUSY)
        code = EXIT_BUSY;
    if (e.kind != ERROR_NONE && code != EXIT_FINE) {
        fprintf(stderr, "redsweep: %s\n", e.text);
        if (e.kind == ERROR_INTERNAL)
            fprintf(stderr, "This is a bug in redsweep (%s:%d); please report it.\n", e.file,
                    e.line);
    }
    return code;
}

/*
 * Called when a command runs out of memory: prints a message and ends the process. Commands with
 * this hook only read runs, so no results are lost. A sweep sets its own hook (run/sweep.c).
 */
static void end_out_of_memory(size_t bytes)
{
    dprintf(STDERR_FILENO,
            "redsweep: out of memory (%zu bytes were requested); recorded runs "
            "are unchanged\n",
            bytes);
    _exit(EXIT_REFUSED);
}

/*
 * Opens /dev/null for each standard stream that is closed. Otherwise a file or a pipe that is
 * opened later could get the stream's number, and messages would be written into it.
 */
static void open_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDWR) != fd)
            _exit(EXIT_REFUSED);
}

static const struct command *find_command(const char *name)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(name, commands[i].name) == 0)
            return &commands[i];
    return NULL;
}

/* Prints the help of a command: `redsweep help run` is `redsweep run --help`. */
static int help_about(const char *name)
{
    static char option[] = "--help";
    char *arguments[] = {option};
    const struct command *c = find_command(name);
    return c ? run_command(c, 1, arguments) : unknown_command(name);
}

static int run_named(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], "help") == 0 && argv[2][0] != '-')
        return help_about(argv[2]);
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        terminal_print_filled(print_usage);
        return argc < 2 ? EXIT_REFUSED : EXIT_FINE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("redsweep %s\n", redsweep_version());
        return EXIT_FINE;
    }
    const struct command *c = find_command(argv[1]);
    return c ? run_command(c, argc - 2, argv + 2) : unknown_command(argv[1]);
}

/*
 * Checks that standard output was written completely. A command that loses output, for example on a
 * full disk, must not succeed.
 */
static int check_output(int code)
{
    errno = 0;
    bool lost = fflush(stdout) != 0 || ferror(stdout);
    if (!lost || code == EXIT_REFUSED || code == EXIT_STOPPED)
        return code;
    fprintf(stderr, "redsweep: cannot write to standard output: %s\n",
            errno ? strerror(errno) : "an earlier write failed");
    return EXIT_REFUSED;
}

int main(int argc, char **argv)
{
    open_standard_streams();
    program_name = argc > 0 ? argv[0] : program_name;
    cJSON_InitHooks(&(cJSON_Hooks){xmalloc, free});
    memory_set_hook(end_out_of_memory);
    if (!terminal_protect())
        return EXIT_REFUSED;
    return check_output(run_named(argc, argv));
}
