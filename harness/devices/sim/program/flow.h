/*
 * Finds the blocks of a graph that are executed equally often: two blocks are if one dominates the
 * other, the other post-dominates the first, and both are in the same innermost loop.
 */
#ifndef REDSWEEP_DEVICES_SIM_PROGRAM_FLOW_H
#define REDSWEEP_DEVICES_SIM_PROGRAM_FLOW_H

#include "devices/sim/program/graph.h"

struct flow {
    int count;
    int *dominator, *post_dominator; /* the nearest; -1: none */
    int *loop;                       /* the first block of the innermost loop; -1: in no loop */
    int *depth;                      /* number of loops around it */
    bool *reached;                   /* from a root */
};

/* Blocks of `root` are where execution begins. Free with flow_free(). */
void flow_find(const struct graph *g, const bool *root, struct flow *out);
void flow_free(struct flow *f);

/* Whether every way to b passes a. */
bool flow_dominates(const struct flow *f, int a, int b);
/* Whether every way from b passes a. */
bool flow_post_dominates(const struct flow *f, int a, int b);
bool flow_equally_often(const struct flow *f, int a, int b);

#endif
