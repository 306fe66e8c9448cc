/* The event loop; see loop.c. */
#ifndef REDSWEEP_RUN_LOOP_H
#define REDSWEEP_RUN_LOOP_H

#include "run/lane.h"

/* A step that all sweeps complete before any of them continues. */
struct stage {
    void (*begin)(struct sweep *s);                /* at the beginning of the stage; may be NULL */
    lane_next *next;                               /* begins a lane's next job of this stage */
    bool (*end)(struct sweep *s, struct error *e); /* at its end; may be NULL */
    bool in_turn; /* one lane of all sweeps works at a time, so that none disturbs another */
    bool asks;    /* the sources may wait for input or output in this stage */
};

/*
 * Gives jobs of a stage to the lanes of all unfinished sweeps until no job is left and every lane
 * is idle. A sweep that cannot continue fails. If a signal arrives or devices keep failing, the
 * sweep ends and result->stopped is set.
 */
void loop_run(struct sweeps *all, const struct stage *stage);

#endif
