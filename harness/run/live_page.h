/*
 * The page of a run that goes on: written anew as rows come, for whoever looks at it meanwhile.
 */
#ifndef REDSWEEP_RUN_LIVE_PAGE_H
#define REDSWEEP_RUN_LIVE_PAGE_H

#include "run/sweep_state.h"

/*
 * Begins to write it if there are new rows and it is time to: some seconds after the last one, and so much
 * later that this takes a fiftieth of a processor's time at most. The page of a large sweep (of more
 * points than a page shows) is written at the end alone.
 */
void live_page_write(struct sweep *s);

/* Waits until none is being written. */
void live_page_end(struct sweep *s);

#endif
