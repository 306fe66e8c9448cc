/* Rewrites the page of a run in progress as rows are added, for people who watch it. */
#ifndef REDSWEEP_RUN_LIVE_PAGE_H
#define REDSWEEP_RUN_LIVE_PAGE_H

#include "run/sweep_state.h"

/*
 * Begins to write the page if there are new rows and enough time has passed: at least a few
 * seconds, and at least fifty times as long as writing the last page took. The page of a sweep with
 * very many points is written only at the end.
 */
void live_page_write(struct sweep *s);

/* Waits for the process that is writing a page, if there is one. */
void live_page_end(struct sweep *s);

#endif
