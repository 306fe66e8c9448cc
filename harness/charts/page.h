/*
 * Makes the charts of a page. They consist of the same variables and data as the charts for
 * gnuplot. For each slice of the run, the page contains every chart. For each n, it contains every
 * chart that shows a single n. plots/page_charts.js draws the chart that the reader chooses, and
 * computes nothing.
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
 * is the folder that contains plots/ and kernels/. `several` is true if the run consists of several
 * runs that runs_join() joined. If the function fails, the error is ERROR_USAGE or ERROR_SYSTEM.
 */
bool charts_page(const struct results *run, const char *data, bool several, struct text *out,
                 struct error *e);

#endif
