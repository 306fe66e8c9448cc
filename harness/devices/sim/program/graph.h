/*
 * Builds a function's control-flow graph and finds the reconvergence points of its branches.
 *
 * A basic block is a run of statements that is entered only at the first and left only after the
 * last. Block b post-dominates block a if every path from a to the function's end passes through b.
 * Lanes that diverge at the end of block a reconverge at the nearest block that post-dominates it.
 */
#ifndef REDSWEEP_DEVICES_SIM_PROGRAM_GRAPH_H
#define REDSWEEP_DEVICES_SIM_PROGRAM_GRAPH_H

#include "devices/sim/ptx/ptx.h"

struct basic_block {
    /* first statement, relative to the function's first, and number of statements */
    int first, count;
    int first_successor, successors; /* first edge in graph.edges, and number of edges */
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
 * Builds the graph. Fails with ERROR_CONFIG if a branch target does not exist. Free `out` with
 * graph_free().
 */
bool graph_build(const struct ptx_module *m, const struct ptx_function *f, struct graph *out,
                 struct error *e);
void graph_free(struct graph *g);
/*
 * Computes the post-dominators of a graph whose blocks and edges are filled in. An edge to block
 * `count` leads to the function's end.
 */
void graph_post_dominators(struct graph *g);

/*
 * Returns the statement at which a branch's paths reconverge, relative to the function's first
 * statement, or -1 for the function's end.
 */
int graph_reconvergence(const struct graph *g, int statement);

/*
 * Ranks blocks in the order in which lanes should run them. A block comes after every block with an
 * edge to it, unless the edge closes a loop. Otherwise, blocks stay in text order. Returns false if
 * the text is already in this order.
 */
bool graph_order(const struct graph *g, int *rank);

/*
 * Returns a label's statement, relative to the function's first statement, or -1 if there is no
 * such label. A label after the last statement gives the number of statements.
 */
int graph_label(const struct ptx_module *m, const struct ptx_function *f, struct slice name);
/* Returns the table of branch targets with this name, or NULL if there is none. */
const struct ptx_targets *graph_targets(const struct ptx_module *m, const struct ptx_function *f,
                                        struct slice name);

#endif
