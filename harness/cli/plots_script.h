/*
 * Charts that plots/plot.sh draws, with awk.
 */
#ifndef REDSWEEP_CLI_PLOTS_SCRIPT_H
#define REDSWEEP_CLI_PLOTS_SCRIPT_H

#include <stddef.h>

#include "base/error.h"
#include "charts/rows.h"

struct script_plots {
    const struct chart_options *options;
    const char *const *runs;
    size_t run_count;
    const char *const *charts;
    size_t chart_count;
    const char *out;           /* folder */
    const char *truth, *peers; /* NULL: none */
};

/*
 * Runs the script for these charts, on copies of the runs without the rows that were not asked for.
 * *drawn: whether it drew any. ERROR_SYSTEM, ERROR_USAGE.
 */
bool plots_by_script(const struct script_plots *plots, bool *drawn, struct error *e);

#endif
