/* The event loop of all lanes; see loop.c. */
#ifndef REDSWEEP_RUN_LOOP_H
#define REDSWEEP_RUN_LOOP_H

#include "run/lane.h"

/* A stage of sweeps. No sweep begins the next stage before all sweeps have completed this one. */
struct stage {
    void (*begin)(struct sweep *s);                /* called at the beginning of the stage; may be
                                                      NULL */
    lane_next *next;                               /* begins a lane's next job of this stage */
    bool (*end)(struct sweep *s, struct error *e); /* called at the end; may be NULL */
    bool in_turn; /* only one lane of all sweeps works at a time, so that no device disturbs
                     another */
    bool asks;    /* the sources may wait for input or output in this stage */
};

/*
 * Runs one stage for all sweeps that have not ended: gives jobs to their lanes until no job is left
 * and every lane is idle. A sweep that cannot continue fails, while the others continue. If a
 * signal arrives, or if a sweep's devices keep failing, the sweep ends and its result->stopped is
 * set.
 */
void loop_run(struct sweeps *all, const struct stage *stage);

#endif
