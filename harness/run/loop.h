/*
 * The event loop: see loop.c.
 */
#ifndef REDSWEEP_RUN_LOOP_H
#define REDSWEEP_RUN_LOOP_H

#include "run/lane.h"

/* A step that all sweeps complete before any of them continues. */
struct stage {
    void (*begin)(struct sweep *s);                /* NULL: nothing */
    lane_next *next;                               /* a lane's next job of the stage */
    bool (*end)(struct sweep *s, struct error *e); /* … NULL: nothing */
    bool in_turn; /* one lane after another, of all sweeps, so that none disturbs another */
    bool asks;    /* sources may wait for input or output */
};

/*
 * Gives the lanes of all unfinished sweeps jobs of a stage until there are none and every lane is
 * idle. A sweep that cannot continue fails; a signal, and devices that keep failing, end it with
 * result->stopped.
 */
void loop_run(struct sweeps *all, const struct stage *stage);

#endif
