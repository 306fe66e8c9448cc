/*
 * Shows the results at the end of `run` and `resume`: the winners, the conclusion, and what to do
 * next.
 */
#ifndef REDSWEEP_CLI_RESULT_H
#define REDSWEEP_CLI_RESULT_H

#include "analyze/conclusion.h"

/*
 * Reads the data that a conclusion needs in addition to the run. The data are in the folder of the
 * shipped kernels. The data are empty if there is no such folder.
 */
void conclusion_sources_find(const struct results *r, struct conclusion_sources *out);

/* Prints the winners of the run in a folder, or its counts if its device has no clock. Prints
 * nothing if the run cannot be read. */
void show_result(const char *folder);

/* Returns the charts of a page, for report_view(); the caller frees them. Returns NULL if there are
 * none, or if the files from which they are made (plots/, kernels/) are missing. */
char *page_charts(const struct results *r, bool several);
/* Returns the charts for the pages of diff and gate, each of which shows several runs. */
char *page_charts_of_runs(const struct results *runs, size_t count);

/*
 * write_page() writes the page of the run in a folder, RUN/report.html. Until the run ends, the
 * page reloads itself every few seconds. end_page() also prints the path of the page. If a page
 * cannot be written, both functions report this on stderr.
 */
bool write_page(const char *folder, bool first);
void end_page(const char *folder, bool first);

/* Makes write_page() and end_page() open their first page in a browser (--open). */
void open_page(void);

/* Opens a page in a browser ($BROWSER or xdg-open), which continues independently. Reports a
 * failure on stderr. */
void browse(const char *page);

#endif
