/*
 * A run as one self-contained HTML page: the conclusion in words, the best configurations, the warnings, its
 * charts, its rows, and its provenance. It opens from disk in any browser, even without scripts (view_html.c).
 * Its tables are also in the other outputs of a view.
 */
#ifndef REDSWEEP_ANALYZE_REPORT_H
#define REDSWEEP_ANALYZE_REPORT_H

#include "analyze/conclusion.h"
#include "analyze/results.h"
#include "table/view.h"

/*
 * Fills the view, which needs the report, `r` and `sources` (NULL: the page has no conclusion). The page's
 * script draws `charts` (view_html_charts(); NULL: nothing); beside them the page shows the files
 * RUN/plots/NAME.svg that exist. Returns NULL (ERROR_SYSTEM) if one of these cannot be read.
 */
struct report *report_view(const struct results *r, const struct conclusion_sources *sources,
                           const char *charts, struct view *v, struct error *e);
void report_free(struct report *w);

/* Adds the section with the charts; `drawn` are the `charts` of report_view(). */
bool report_charts(const struct results *r, const char *drawn, struct view *v, struct error *e);

#endif
