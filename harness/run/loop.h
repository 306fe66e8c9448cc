/*
 * Declares the event loop, which loop.c explains.
 */
#ifndef REDSWEEP_RUN_LOOP_H
#define REDSWEEP_RUN_LOOP_H

#include "run/lane.h"

/* A step that all sweeps complete before any of them continues. */
struct stage {
    void (*begin)(struct sweep *s);                /* called first; NULL: nothing is done */
    lane_next *next;                               /* begins a lane's next job of this stage */
    bool (*end)(struct sweep *s, struct error *e); /* called last; NULL: nothing is done */
    bool in_turn; /* only one lane of all sweeps works at a time, so that none disturbs another */
    bool asks;    /* the sources may wait for input or output in this stage */
};

/*
 * Gives jobs of a stage to the lanes of all unfinished sweeps, until no job is left and every lane
 * is idle. A sweep that cannot continue fails. A signal ends a sweep and sets result->stopped;
 * devices that keep failing do the same.
 */
void loop_run(struct sweeps *all, const struct stage *stage);

#endif
