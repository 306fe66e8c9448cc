/*
 * The charts of a page: the same variables and data as gnuplot gets, of each slice of the run and, of charts of
 * one size, of each n, for plots/page_charts.js, which draws what is chosen and computes nothing.
 */
#ifndef REDSWEEP_CHARTS_PAGE_H
#define REDSWEEP_CHARTS_PAGE_H

#include <stdbool.h>

#include "analyze/results.h"
#include "base/error.h"
#include "base/text.h"

/*
 * Appends {"left_out": how many there was no room for, "charts": [{"choices": {"type": …, "op": …, "slice": …,
 * "n": …}, "sentence": …, "chart": an object of picture_page()}, …]}. `data` is the folder that holds plots/ and
 * kernels/. `several`: the run is several, as runs_join() makes it. ERROR_USAGE, ERROR_SYSTEM.
 */
bool charts_page(const struct results *run, const char *data, bool several, struct text *out,
                 struct error *e);

#endif
