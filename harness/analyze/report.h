/*
 * Makes a self-contained HTML page of a run. It contains the conclusion in words, the best
 * configurations, the warnings, the charts, the rows, and the provenance. Any browser can open it
 * from disk, even with scripts disabled (view_html.c). The view's outputs in other formats contain
 * the same tables.
 */
#ifndef REDSWEEP_ANALYZE_REPORT_H
#define REDSWEEP_ANALYZE_REPORT_H

#include "analyze/conclusion.h"
#include "analyze/results.h"
#include "table/view.h"

/*
 * Fills the view. The view refers to the returned report, to `r` and to `sources`, which must all
 * outlive the view. If `sources` is NULL, the page has no conclusion. The page's script draws
 * `charts` (see view_html_charts()), or nothing if `charts` is NULL. The page also shows those
 * files RUN/plots/NAME.svg that exist. If one of these files cannot be read, the function returns
 * NULL and the error is ERROR_SYSTEM.
 */
struct report *report_view(const struct results *r, const struct conclusion_sources *sources,
                           const char *charts, struct view *v, struct error *e);
void report_free(struct report *w);

/* Adds the section with the charts. `drawn` is the argument `charts` of report_view(). */
bool report_charts(const struct results *r, const char *drawn, struct view *v, struct error *e);

#endif
