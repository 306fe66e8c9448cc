/*
 * Builds a function's control-flow graph, and finds out where lanes that diverge at a branch
 * reconverge.
 *
 * A basic block is a run of statements that is entered only at the first and left only after the
 * last. Block b post-dominates block a if every path from a to the function's end passes through b.
 * Lanes that diverge at the end of block a reconverge at the nearest block that post-dominates it.
 */
#ifndef REDSWEEP_DEVICES_SIM_PROGRAM_GRAPH_H
#define REDSWEEP_DEVICES_SIM_PROGRAM_GRAPH_H

#include "devices/sim/ptx/ptx.h"

struct basic_block {
    /* the block's first statement, counted from the function's first one, and its number of
     * statements */
    int first, count;
    /* the block's first edge in graph.edges, and its number of edges */
    int first_successor, successors;
    /* the nearest block that post-dominates this one; -1: none, only the function's end */
    int post_dominator;
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
 * Returns the statement at which lanes reconverge after the branch `statement`, or -1 if they do at
 * the function's end. Both statements are counted from the function's first one.
 */
int graph_reconvergence(const struct graph *g, int statement);

/*
 * Sets rank[b] to the position of block b in the order in which lanes should run the blocks. A
 * block comes after every block with an edge to it, except for edges that close a loop. Where this
 * leaves a choice, the order is that of the text. Returns whether the order differs from that of
 * the text.
 */
bool graph_order(const struct graph *g, int *rank);

/*
 * Returns the statement that follows the label `name`, counted from the function's first statement,
 * or -1 if there is no such label. For a label after the last statement, returns the number of
 * statements.
 */
int graph_label(const struct ptx_module *m, const struct ptx_function *f, struct slice name);
/* Returns the table of branch targets with this name, or NULL if there is none. */
const struct ptx_targets *graph_targets(const struct ptx_module *m, const struct ptx_function *f,
                                        struct slice name);

#endif
