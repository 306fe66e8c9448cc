/*
 * A run as one HTML page that needs nothing else: what it was made with, what to be careful about,
 * the best configurations, its charts and its rows. It opens from disk in any browser, also without
 * scripts: those only sort tables and filter rows. Its tables have the other outputs of a view too.
 */
#ifndef REDSWEEP_ANALYZE_REPORT_H
#define REDSWEEP_ANALYZE_REPORT_H

#include "analyze/results.h"
#include "analyze/view.h"

/* More rows than this are left to results.csv, and the page says so. */
enum { REPORT_MAX_ROWS = 5000 };

/*
 * Fills the view, which needs the report and `r`. Charts are the files RUN/plots/NAME.svg, those
 * that are there. NULL (ERROR_SYSTEM) when one cannot be read.
 */
struct report *report_view(const struct results *r, struct view *v, struct error *e);
void report_free(struct report *w);

/* The section with the charts. */
bool report_charts(const struct results *r, struct view *v, struct error *e);

#endif
