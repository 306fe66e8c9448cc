/*
 * Declares the event loop, which loop.c explains.
 */
#ifndef REDSWEEP_RUN_LOOP_H
#define REDSWEEP_RUN_LOOP_H

#include "run/lane.h"

/* A step that all sweeps complete before any of them continues. */
struct stage {
    void (*begin)(struct sweep *s);                /* is called when the stage begins; NULL: no
                                                      function */
    lane_next *next;                               /* begins a lane's next job of this stage */
    bool (*end)(struct sweep *s, struct error *e); /* is called when the stage has ended; NULL:
                                                      no function */
    bool in_turn; /* only one lane of all sweeps works at a time, so that none disturbs another */
    bool asks;    /* the sources may wait for input or output in this stage */
};

/*
 * Gives jobs of a stage to the lanes of all unfinished sweeps, until no job is left and every lane
 * is idle. If a sweep cannot continue, it fails. If a signal arrives, or if devices keep failing,
 * the sweep ends and result->stopped is set.
 */
void loop_run(struct sweeps *all, const struct stage *stage);

#endif
