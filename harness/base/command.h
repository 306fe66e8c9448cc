/*
 * A command of redsweep is a row of the table in cli/main.c.
 *
 * A command receives the arguments after its own name and returns an exit code. If it returns
 * EXIT_REFUSED, it has filled the error `e`, which main() then prints. Each command is declared in
 * the commands.h of its folder.
 */
#ifndef REDSWEEP_BASE_COMMAND_H
#define REDSWEEP_BASE_COMMAND_H

#include "base/error.h"

enum exit_code {
    EXIT_FINE = 0,
    EXIT_POINTS_FAILED = 1, /* some points failed or were wrong */
    EXIT_REFUSED = 2,       /* usage or config error, or nothing could be run */
    EXIT_STOPPED = 3,       /* stopped before the end; what was measured is recorded */
    /* Another process is writing to the run; the user should try again later. */
    EXIT_BUSY = 4
};

struct command {
    const char *name;
    const char *arguments; /* what follows the name in the usage line */
    const char *help;      /* what the command does, in one line */
    int (*run)(int count, char **arguments, struct error *e);
    void (*print_help)(void); /* prints the long help */
};

#endif
