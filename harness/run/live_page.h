/*
 * The page of a run in progress, which is rewritten as rows come, for people who watch the run.
 */
#ifndef REDSWEEP_RUN_LIVE_PAGE_H
#define REDSWEEP_RUN_LIVE_PAGE_H

#include "run/sweep_state.h"

/*
 * Begins to write the page if there are new rows and enough time has passed since the last page:
 * some seconds, and so long that writing takes at most a fiftieth of a processor's time. The page
 * of a large sweep (with more points than a page shows) is written only at the end.
 */
void live_page_write(struct sweep *s);

/* Waits until no page is being written. */
void live_page_end(struct sweep *s);

#endif
