/*
 * Makes a self-contained HTML page of a run: the conclusion in words, the best configurations, the
 * warnings, the charts, the rows, and the provenance. Any browser can open the page from disk, even
 * with scripts disabled (view_html.c). Other formats of the view have the same tables.
 */
#ifndef REDSWEEP_ANALYZE_REPORT_H
#define REDSWEEP_ANALYZE_REPORT_H

#include "analyze/conclusion.h"
#include "analyze/results.h"
#include "table/view.h"

/*
 * Fills the view. The view refers to the returned report, to `r` and to `sources`, so these must
 * outlive it. If `sources` is NULL, the page has no conclusion. The page's script draws `charts`
 * (see view_html_charts()) unless `charts` is NULL. The page also shows any files
 * RUN/plots/NAME.svg. If one of these files cannot be read, returns NULL with ERROR_SYSTEM.
 */
struct report *report_view(const struct results *r, const struct conclusion_sources *sources,
                           const char *charts, struct view *v, struct error *e);
void report_free(struct report *w);

/* Adds the section with the charts. `drawn` is report_view()'s argument `charts`. */
bool report_charts(const struct results *r, const char *drawn, struct view *v, struct error *e);

#endif
