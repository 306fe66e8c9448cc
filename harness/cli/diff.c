/*
 * This file adds the charts of the page to `redsweep diff`. analyze/diff_command.c makes the
 * comparison itself.
 */
#include "analyze/diff_arguments.h"
#include "cli/commands.h"
#include "cli/result.h"

int command_diff(int count, char **arguments, struct error *e)
{
    return diff_command(count, arguments, page_charts_of_runs, e);
}
