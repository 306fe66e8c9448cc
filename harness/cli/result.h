/*
 * The end of `run` and `resume`: the results, the conclusion, and what to type next.
 */
#ifndef REDSWEEP_CLI_RESULT_H
#define REDSWEEP_CLI_RESULT_H

#include "analyze/conclusion.h"

/* The data that a conclusion needs besides the run, from the folder of the shipped kernels; empty
 * without one. */
void conclusion_sources_find(const struct results *r, struct conclusion_sources *out);

/* Prints the winners of the run in a folder, or its counts; nothing if it cannot be read. */
void show_result(const char *folder);

/*
 * Writes the page of the run in a folder, RUN/report.html; until the run ends, the page reloads itself every few
 * seconds. The second function also prints its path. If a page cannot be written, stderr says so, once.
 */
/* The charts of a page, for report_view(): the caller's; NULL if there are none, or if the files that they are made
 * from (plots/, kernels/) are missing. */
char *page_charts(const struct results *r, bool several);
/* The same of several runs in one chart each, for diff's and gate's pages. */
char *page_charts_of_runs(const struct results *runs, size_t count);
bool write_page(const char *folder, bool first);
void end_page(const char *folder, bool first);

/* The first page that is written is opened in a browser (--open). */
void open_page(void);

/* Opens a page in a browser, which continues independently: $BROWSER, or xdg-open. Reports a failure on stderr. */
void browse(const char *page);

#endif
