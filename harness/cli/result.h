/*
 * Shows the results at the end of `run` and `resume`: the winners, the conclusion, and what to do
 * next.
 */
#ifndef REDSWEEP_CLI_RESULT_H
#define REDSWEEP_CLI_RESULT_H

#include "analyze/conclusion.h"

/*
 * Reads what a conclusion needs besides the run from the folder of the shipped kernels. Empty
 * without such a folder.
 */
void conclusion_sources_find(const struct results *r, struct conclusion_sources *out);

/*
 * Prints the winners of the run in a folder, or its counts if its device has no clock, or nothing
 * if the run cannot be read.
 */
void show_result(const char *folder);

/*
 * Returns the charts of a page, for report_view(), or NULL if there are none or the files they are
 * made from (plots/, kernels/) are missing. The caller frees them.
 */
char *page_charts(const struct results *r, bool several);
/* Returns the charts for the pages of diff and gate, which show several runs. */
char *page_charts_of_runs(const struct results *runs, size_t count);

/*
 * write_page() writes the page of the run in a folder, RUN/report.html, which reloads itself every
 * few seconds until the run ends. end_page() also prints the page's path. Both report on stderr if
 * the page cannot be written.
 */
bool write_page(const char *folder, bool first);
void end_page(const char *folder, bool first);

/* Makes write_page() and end_page() open their first page in a browser (--open). */
void open_page(void);

/*
 * Opens a page in a browser ($BROWSER or xdg-open), which runs on independently. Reports failure on
 * stderr.
 */
void browse(const char *page);

#endif
