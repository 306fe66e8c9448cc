/*
 * A command of redsweep is one row of the table in cli/main.c.
 *
 * A command receives its arguments after its own name, returns an exit code, and fills the error if
 * that code is EXIT_REFUSED; only main() prints it. Each command is declared in the commands.h of
 * the room that it belongs to.
 */
#ifndef REDSWEEP_BASE_COMMAND_H
#define REDSWEEP_BASE_COMMAND_H

#include "base/error.h"

enum exit_code {
    EXIT_FINE = 0,
    EXIT_POINTS_FAILED = 1, /* some points failed or were wrong */
    EXIT_REFUSED = 2,       /* usage or config error, or nothing could be run */
    EXIT_STOPPED = 3,       /* stopped before the end; what was measured is recorded */
    EXIT_BUSY = 4           /* another process is writing into the run: try again later */
};

struct command {
    const char *name;
    const char *arguments; /* for the usage line */
    const char *help;      /* one line */
    int (*run)(int count, char **arguments, struct error *e);
    void (*print_help)(void); /* prints the long help */
};

#endif
