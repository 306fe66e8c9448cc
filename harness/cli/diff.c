/*
 * `redsweep diff`, whose code is in analyze/diff_command.c. This file adds the charts for its HTML
 * page, because code in analyze/ does not use the charts.
 */
#include "analyze/diff_arguments.h"
#include "cli/commands.h"
#include "cli/result.h"

int command_diff(int count, char **arguments, struct error *e)
{
    return diff_command(count, arguments, page_charts_of_runs, e);
}
