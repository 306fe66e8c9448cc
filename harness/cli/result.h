/*
 * The end of `run` and `resume`: what was found, what that says, and what to type next.
 */
#ifndef REDSWEEP_CLI_RESULT_H
#define REDSWEEP_CLI_RESULT_H

#include "analyze/conclusion.h"

/* What a conclusion needs beside the run, from the folder of the shipped kernels; empty without one. */
void conclusion_sources_find(const struct results *r, struct conclusion_sources *out);

/* Prints the winners of the run in a folder, or its counts; nothing for one that cannot be read. */
void show_result(const char *folder);

/*
 * Writes the page of the run in a folder, RUN/report.html; while the run goes on the page asks for itself again every
 * few seconds. The second one prints its path, too. What cannot be written is said on stderr, once.
 */
/* The charts of a page, for report_view(): the caller's; NULL: there are none, or the files that they are made from
 * (plots/, kernels/) are not there. */
char *page_charts(const struct results *r, bool several);
/* The same of several runs in one chart each, for diff's and gate's pages. */
char *page_charts_of_runs(const struct results *runs, size_t count);
bool write_page(const char *folder, bool first);
void end_page(const char *folder, bool first);

/* The first page that is written is opened in a browser (--open). */
void open_page(void);

/* Opens a page in a browser, which lives on by itself: $BROWSER, or xdg-open. Says so on stderr where that fails. */
void browse(const char *page);

#endif
