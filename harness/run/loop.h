/*
 * The event loop: see loop.c.
 */
#ifndef REDSWEEP_RUN_LOOP_H
#define REDSWEEP_RUN_LOOP_H

#include "run/lane.h"

/* What all sweeps do before any of them goes on to something else. */
struct stage {
    void (*begin)(struct sweep *s);                /* NULL: nothing */
    lane_next *next;                               /* a lane's next job of the stage */
    bool (*end)(struct sweep *s, struct error *e); /* … NULL: nothing */
    bool in_turn; /* one lane after the other, of all sweeps, so that none disturbs another */
    bool asks;    /* sources may wait for input or output */
};

/*
 * Gives the lanes of all sweeps that are not over jobs of a stage until there are none and every
 * lane is idle. A sweep that cannot go on is failed; a signal, and devices that keep failing, end
 * it with result->stopped.
 */
void loop_run(struct sweeps *all, const struct stage *stage);

#endif
