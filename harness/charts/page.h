/*
 * Makes the charts of a page. They consist of the same variables and data as for gnuplot. There is
 * one chart for each slice of the run. A chart that shows one n exists once for each n.
 * plots/page_charts.js draws the chosen chart and computes nothing.
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
 * runs that runs_join() joined. The function fails with ERROR_USAGE or ERROR_SYSTEM.
 */
bool charts_page(const struct results *run, const char *data, bool several, struct text *out,
                 struct error *e);

#endif
