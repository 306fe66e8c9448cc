/*
 * A run as one HTML page that needs nothing else: what it was made with, what to be careful about,
 * the best configurations, its charts and its rows. It opens from disk in any browser, also without
 * scripts: those only sort tables and filter rows.
 */
#ifndef REDSWEEP_COMPARE_REPORT_H
#define REDSWEEP_COMPARE_REPORT_H

#include "compare/results.h"

/* More rows than this are left to results.csv, and the page says so. */
enum { REPORT_MOST_ROWS = 5000 };

/*
 * Appends the page. Charts are the files RUN/plots/NAME.svg, those that are there. False
 * (ERROR_MEMORY or ERROR_SYSTEM) when a chart cannot be read or memory ran out.
 */
bool report_page(const struct results *r, struct text *page, struct error *e);

/* The parts, each appending its own section. */
void report_text(struct text *page, const char *text); /* escaped for HTML */
bool report_charts(const struct results *r, struct text *page, struct error *e);
bool report_best(const struct results *r, struct text *page, struct error *e);

#endif
