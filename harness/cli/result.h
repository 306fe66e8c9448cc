/*
 * Shows the results of a run at the end of `run` and `resume`: the fastest configurations, a
 * conclusion, and commands to try next.
 */
#ifndef REDSWEEP_CLI_RESULT_H
#define REDSWEEP_CLI_RESULT_H

#include "analyze/conclusion.h"

/*
 * Reads the data that the conclusion about a run needs in addition to the run. The data are in the
 * folder of the kernels that ship with redsweep. Without this folder, `out` is empty.
 */
void conclusion_sources_find(const struct results *r, struct conclusion_sources *out);

/*
 * Prints the fastest configurations of the run in `folder`. If the run's device has no clock,
 * prints its counts instead. If the run cannot be read, prints nothing.
 */
void show_result(const char *folder);

/*
 * Returns the charts for an HTML page, for report_view(). Returns NULL if there are no charts, or
 * if the files in plots/ and kernels/ that they need are missing. The caller frees the result.
 */
char *page_charts(const struct results *r, bool several);
/* Like page_charts(), for the pages of `diff` and `gate`, whose charts show several runs. */
char *page_charts_of_runs(const struct results *runs, size_t count);

/*
 * write_page() writes report.html, the HTML page of a run, into the run's folder. In a browser, the
 * page reloads itself every few seconds until the run ends. end_page() does the same and prints the
 * page's path. If the page cannot be written, both print a note to stderr.
 */
bool write_page(const char *folder, bool first);
void end_page(const char *folder, bool first);

/*
 * Makes write_page() and end_page() open the page in a browser when it is first written (--open).
 */
void open_page(void);

/*
 * Opens a page in a browser ($BROWSER or xdg-open). Does not wait for the browser to end. If none
 * can be started, prints a note to stderr.
 */
void browse(const char *page);

#endif
