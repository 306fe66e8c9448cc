/*
 * Finds out which basic blocks are executed equally often. This is so for blocks a and b if a
 * dominates b, b post-dominates a, and both have the same innermost loop.
 */
#ifndef REDSWEEP_DEVICES_SIM_PROGRAM_FLOW_H
#define REDSWEEP_DEVICES_SIM_PROGRAM_FLOW_H

#include "devices/sim/program/graph.h"

struct flow {
    int count;
    int *dominator, *post_dominator; /* the nearest dominator and post-dominator; -1: none */
    int *loop;                       /* the first block of the innermost loop; -1: in no loop */
    int *depth;                      /* the number of loops around the block */
    bool *reached;                   /* whether the block is reachable from a root */
};

/* Analyzes the graph g. root[b] says whether execution can begin at block b. Free `out` with
 * flow_free(). */
void flow_find(const struct graph *g, const bool *root, struct flow *out);
void flow_free(struct flow *f);

/* Returns whether every path to b passes through a. */
bool flow_dominates(const struct flow *f, int a, int b);
/* Returns whether every path from b to the end passes through a. */
bool flow_post_dominates(const struct flow *f, int a, int b);
bool flow_equally_often(const struct flow *f, int a, int b);

#endif
