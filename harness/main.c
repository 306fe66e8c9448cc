/*
 * redsweep's commands: one table, and the only place that prints errors and sets exit codes.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "commands/commands.h"
#include "run/provenance.h"

static const struct command commands[] = {
    {"run", "CONFIG [options]", "run a sweep and record it", command_run, help_run},
    {"resume", "DIR [options]", "go on with a run that was stopped", command_resume, help_resume},
    {"list", "kernels|metrics|devices [options]",
     "what there is to choose from", command_list, help_list},
    {"show", "RUN [options]", "rows of a run, as a table", command_show, help_show},
    {"diff", "A B [options]", "two runs against each other", command_diff, help_diff},
    {"best", "RUN... [options]", "which configuration to use", command_best, help_best},
    {"report", "RUN [options]", "a run as one HTML page", command_report, help_report},
    {"tuned", "RUN... [--out DIR]", "the winners of a run as a library's sources", command_tuned,
     help_tuned},
    {"reproduce", "RUN PUBLISHED…", "compare a run with published tables", command_reproduce,
     help_reproduce},
    {"check", "[KERNEL...] [options]", "look for data races in kernels", command_check, help_check},
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void print_usage(void)
{
    printf("redsweep %s: how GPU reductions behave, and which one to use\n\n", redsweep_version());
    for (int i = 0; i < COMMAND_COUNT; i++)
        printf("  redsweep %-8s %-34s %s\n", commands[i].name, commands[i].arguments,
               commands[i].help);
    printf("\n`redsweep COMMAND --help` tells more. Exit codes: 0 fine, 1 some points failed or\n"
           "were wrong, 2 usage or config error, 3 stopped before the end.\n");
}

static int unknown_command(const char *name)
{
    const char *names[COMMAND_COUNT];
    for (int i = 0; i < COMMAND_COUNT; i++)
        names[i] = commands[i].name;
    const char *nearest = text_nearest(name, names, COMMAND_COUNT);
    fprintf(stderr, "redsweep: '%s' is no command%s%s%s; see redsweep --help\n", name,
            nearest ? ", did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    return EXIT_REFUSED;
}

static int run_command(const struct command *c, int count, char **arguments)
{
    for (int i = 0; i < count; i++)
        if (strcmp(arguments[i], "--help") == 0 || strcmp(arguments[i], "-h") == 0) {
            printf("redsweep %s %s\n\n", c->name, c->arguments);
            c->print_help();
            return EXIT_FINE;
        }
    static struct error e; /* large: kept off the stack */
    int code = c->run(count, arguments, &e);
    if (e.kind != ERROR_NONE && code != EXIT_FINE) {
        fprintf(stderr, "redsweep: %s\n", e.text);
        if (e.kind == ERROR_INTERNAL)
            fprintf(stderr, "This is a bug in redsweep (%s:%d); please report it.\n", e.file,
                    e.line);
    }
    return code;
}

int main(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_usage();
        return argc < 2 ? EXIT_REFUSED : EXIT_FINE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("redsweep %s\n", redsweep_version());
        return EXIT_FINE;
    }
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return run_command(&commands[i], argc - 2, argv + 2);
    return unknown_command(argv[1]);
}
