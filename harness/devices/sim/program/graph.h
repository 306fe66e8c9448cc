/*
 * Builds the control-flow graph of a function, and finds the reconvergence points of its branches.
 *
 * A basic block is a sequence of statements that is entered only at its first statement and left
 * only after its last one. Block b post-dominates block a if every path from a to the function's
 * end passes through b. If lanes diverge at the end of block a, they reconverge at the nearest
 * block that post-dominates it.
 */
#ifndef REDSWEEP_DEVICES_SIM_PROGRAM_GRAPH_H
#define REDSWEEP_DEVICES_SIM_PROGRAM_GRAPH_H

#include "devices/sim/ptx/ptx.h"

struct basic_block {
    /* the first statement, relative to the function's first one, and the number of statements */
    int first, count;
    int first_successor, successors; /* the first of its edges in graph.edges, and their number */
    int post_dominator;              /* a block; -1: only the function's end */
};

struct graph {
    struct basic_block *blocks;
    int count;
    int *edges;
    int edge_count;
    int *block_of; /* the block of each statement */
    int statements;
};

/*
 * Builds the graph. Fails with ERROR_CONFIG if a branch names a label that does not exist. Free
 * `out` with graph_free().
 */
bool graph_build(const struct ptx_module *m, const struct ptx_function *f, struct graph *out,
                 struct error *e);
void graph_free(struct graph *g);
/*
 * Computes the post-dominators of a graph whose blocks and edges exist already. An edge to block
 * `count` leads to the function's end.
 */
void graph_post_dominators(struct graph *g);

/*
 * Returns the index of the statement at which a branch's paths reconverge, relative to the
 * function's first statement, or -1 if they reconverge at the function's end.
 */
int graph_reconvergence(const struct graph *g, int statement);

/*
 * Computes the rank of each block in the order in which lanes should run. A block comes after every
 * block that has an edge to it, unless this edge closes a loop. Apart from that, blocks keep the
 * order of the text. Returns false if the text already has this order.
 */
bool graph_order(const struct graph *g, int *rank);

/*
 * Returns the index of the statement that a label marks, relative to the function's first
 * statement, or -1 if there is no such label. For a label after the last statement, returns the
 * number of statements.
 */
int graph_label(const struct ptx_module *m, const struct ptx_function *f, struct slice name);
/* Returns the table of branch targets with this name, or NULL if there is none. */
const struct ptx_targets *graph_targets(const struct ptx_module *m, const struct ptx_function *f,
                                        struct slice name);

#endif
