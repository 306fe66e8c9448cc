/* Adds the page's charts to `redsweep diff`, which is in analyze/diff_command.c. */
#include "analyze/diff_arguments.h"
#include "cli/commands.h"
#include "cli/result.h"

int command_diff(int count, char **arguments, struct error *e)
{
    return diff_command(count, arguments, page_charts_of_runs, e);
}
