/*
 * Makes the charts of an HTML report from the same variables and data as the charts for gnuplot.
 * The report contains every chart once for each slice of the run (rows.h) and, if the chart shows a
 * single n, for each n. plots/page_charts.js draws the chart that the user selects; it computes
 * nothing.
 */
#ifndef REDSWEEP_CHARTS_PAGE_H
#define REDSWEEP_CHARTS_PAGE_H

#include <stdbool.h>

#include "analyze/results.h"
#include "base/error.h"
#include "base/text.h"

/*
 * Appends {"left_out": the number of charts that did not fit, "charts": [{"choices": {"type": …,
 * "op": …, "slice": …, "n": …}, "sentence": …, "chart": an object of picture_page()}, …]}. `data`
 * is the folder with plots/ and kernels/. `several` says whether runs_join() made the run. Fails
 * with ERROR_USAGE or ERROR_SYSTEM.
 */
bool charts_page(const struct results *run, const char *data, bool several, struct text *out,
                 struct error *e);

#endif
