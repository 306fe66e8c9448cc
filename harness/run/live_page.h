/*
 * Rewrites report.html, the page of a run, while the run is in progress, for people who watch it.
 */
#ifndef REDSWEEP_RUN_LIVE_PAGE_H
#define REDSWEEP_RUN_LIVE_PAGE_H

#include "run/sweep_state.h"

/*
 * Begins to write the page if there are new rows and enough time has passed since the last page: at
 * least five seconds, and at least fifty times as long as it took to write that page. If a sweep
 * has more than 20 000 points, its page is written only at the end.
 */
void live_page_write(struct sweep *s);

/* Waits for the process that is writing a page, if there is one. */
void live_page_end(struct sweep *s);

#endif
