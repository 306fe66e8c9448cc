/*
 * A run as one HTML page that needs nothing else: what it says in words, the best configurations, what
 * to be careful about, its charts, its rows, and what it was made with. It opens from disk in any browser, also
 * without scripts (view_html.c). Its tables have the other outputs of a view too.
 */
#ifndef REDSWEEP_ANALYZE_REPORT_H
#define REDSWEEP_ANALYZE_REPORT_H

#include "analyze/conclusion.h"
#include "analyze/results.h"
#include "table/view.h"

/*
 * Fills the view, which needs the report, `r` and `sources` (NULL: the page has no conclusion). `charts` are what
 * the page's script draws (view_html_charts(); NULL: nothing); beside them the page has the files
 * RUN/plots/NAME.svg, those that are there. NULL (ERROR_SYSTEM) when one cannot be read.
 */
struct report *report_view(const struct results *r, const struct conclusion_sources *sources,
                           const char *charts, struct view *v, struct error *e);
void report_free(struct report *w);

/* The section with the charts; `drawn` as report_view()'s. */
bool report_charts(const struct results *r, const char *drawn, struct view *v, struct error *e);

#endif
