/*
 * The control-flow graph of a function, and the reconvergence points of its branches.
 *
 * A basic block is a run of statements that is entered only at its first statement and left only
 * after its last one. Block b post-dominates block a if every path from a to the function's end
 * passes b; the nearest such block is where lanes that diverge at the end of a reconverge.
 */
#ifndef REDSWEEP_DEVICES_SIM_PROGRAM_GRAPH_H
#define REDSWEEP_DEVICES_SIM_PROGRAM_GRAPH_H

#include "devices/sim/ptx/ptx.h"

struct basic_block {
    int first, count;                /* statements, relative to the function's first */
    int first_successor, successors; /* their place in graph.edges */
    int post_dominator;              /* a block; -1: only the function's end */
};

struct graph {
    struct basic_block *blocks;
    int count;
    int *edges;
    int edge_count;
    int *block_of; /* block of each statement */
    int statements;
};

/*
 * Builds the graph. ERROR_CONFIG if a branch names a label that does not exist. Free `out` with graph_free().
 */
bool graph_build(const struct ptx_module *m, const struct ptx_function *f, struct graph *out,
                 struct error *e);
void graph_free(struct graph *g);
/* Fills in the post-dominators of a graph that has its blocks and edges; an edge to `count` leads to the end. */
void graph_post_dominators(struct graph *g);

/*
 * Returns the statement at which a branch's paths reconverge, relative to the function's first, or -1 if it
 * is the function's end.
 */
int graph_reconvergence(const struct graph *g, int statement);

/*
 * Finds the place of each block in the order in which lanes should run: a block comes after all blocks
 * that lead to it, except those that close a loop, and otherwise blocks keep the order of the text.
 * Returns false if the text already has that order.
 */
bool graph_order(const struct graph *g, int *rank);

/*
 * Returns the statement of a label, relative to the function's first, or -1 if there is none. It may be one
 * past the last statement.
 */
int graph_label(const struct ptx_module *m, const struct ptx_function *f, struct slice name);
/* Returns the table of branch targets of a name, or NULL if there is none. */
const struct ptx_targets *graph_targets(const struct ptx_module *m, const struct ptx_function *f,
                                        struct slice name);

#endif
