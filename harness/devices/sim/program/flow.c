/*
 * Implements flow.h.
 */
#include "devices/sim/program/flow.h"

#include <stdlib.h>

#include "base/memory.h"

static int successor(const struct graph *g, int b, int k)
{
    return g->edges[g->blocks[b].first_successor + k];
}

/* Writes a graph to `out` that has the edges of g in the opposite direction. In addition, each root
 * has an edge to the end. */
static void reverse(const struct graph *g, const bool *root, struct graph *out)
{
    *out = (struct graph){.count = g->count};
    out->blocks = xcalloc((size_t)g->count + 1, sizeof *out->blocks);
    out->edges = xcalloc((size_t)g->edge_count + (size_t)g->count + 1, sizeof *out->edges);
    for (int b = 0; b < g->count; b++) {
        out->blocks[b].first_successor = out->edge_count;
        if (root[b])
            out->edges[out->edge_count++] = g->count;
        out->blocks[b].successors = out->edge_count - out->blocks[b].first_successor;
    }
    for (int b = 0; b < g->count; b++)
        for (int k = 0; k < g->blocks[b].successors; k++)
            if (successor(g, b, k) < g->count)
                out->blocks[successor(g, b, k)].successors++;
    for (int b = 0, at = 0; b < g->count; b++) {
        out->blocks[b].first_successor = at;
        at += out->blocks[b].successors;
        out->blocks[b].successors = 0;
        out->edge_count = at;
    }
    for (int b = 0; b < g->count; b++) {
        struct basic_block *from = &out->blocks[b];
        if (root[b])
            out->edges[from->first_successor + from->successors++] = g->count;
        for (int k = 0; k < g->blocks[b].successors; k++) {
            if (successor(g, b, k) >= g->count)
                continue;
            struct basic_block *to = &out->blocks[successor(g, b, k)];
            out->edges[to->first_successor + to->successors++] = b;
        }
    }
}

/* Marks all blocks that can be reached from `from`, except those that can only be reached through
 * blocks that are already marked. */
static void mark(const struct graph *g, int from, bool *marked)
{
    int *stack = xmalloc(((size_t)g->count + 1) * sizeof *stack), depth = 0;
    if (!marked[from]) {
        marked[from] = true;
        stack[depth++] = from;
    }
    while (depth) {
        int b = stack[--depth];
        for (int k = 0; k < g->blocks[b].successors; k++) {
            int to = successor(g, b, k);
            if (to >= g->count || marked[to])
                continue;
            marked[to] = true;
            stack[depth++] = to;
        }
    }
    free(stack);
}

/* Finds the loop that begins at block `head`, if there is one. It consists of the blocks from which
 * there is a path back to `head`. Increments the depth of these blocks. If it is the smallest loop
 * so far around a block, stores it as the block's innermost loop. size[b] is the number of blocks
 * in block b's innermost loop so far. */
static void find_loop(const struct flow *f, const struct graph *back, int head, int *size)
{
    bool *inside = xcalloc((size_t)f->count + 1, sizeof *inside), is_loop = false;
    int blocks = 0;
    inside[head] = true;
    for (int k = 0; k < back->blocks[head].successors; k++) {
        int from = successor(back, head, k);
        if (from >= f->count || !f->reached[from] || !flow_dominates(f, head, from))
            continue;
        is_loop = true;
        mark(back, from, inside);
    }
    for (int b = 0; is_loop && b < f->count; b++)
        blocks += inside[b];
    for (int b = 0; is_loop && b < f->count; b++) {
        if (!inside[b])
            continue;
        f->depth[b]++;
        if (f->loop[b] < 0 || blocks < size[b]) {
            f->loop[b] = head;
            size[b] = blocks;
        }
    }
    free(inside);
}

void flow_find(const struct graph *g, const bool *root, struct flow *out)
{
    struct graph back;
    size_t count = (size_t)g->count + 1;
    *out = (struct flow){.count = g->count,
                         .dominator = xcalloc(count, sizeof(int)),
                         .post_dominator = xcalloc(count, sizeof(int)),
                         .loop = xcalloc(count, sizeof(int)),
                         .depth = xcalloc(count, sizeof(int)),
                         .reached = xcalloc(count, sizeof(bool))};
    int *size = xcalloc(count, sizeof *size);
    reverse(g, root, &back);
    graph_post_dominators(&back);
    for (int b = 0; b < g->count; b++) {
        out->dominator[b] = back.blocks[b].post_dominator;
        out->post_dominator[b] = g->blocks[b].post_dominator;
        out->loop[b] = -1;
        if (root[b])
            mark(g, b, out->reached);
    }
    for (int b = 0; b < g->count; b++)
        if (out->reached[b])
            find_loop(out, &back, b, size);
    free(size);
    graph_free(&back);
}

void flow_free(struct flow *f)
{
    free(f->dominator);
    free(f->post_dominator);
    free(f->loop);
    free(f->depth);
    free(f->reached);
    *f = (struct flow){0};
}

static bool above(const int *parent, int a, int b)
{
    while (b >= 0 && b != a)
        b = parent[b];
    return b == a;
}

bool flow_dominates(const struct flow *f, int a, int b)
{
    return above(f->dominator, a, b);
}

bool flow_post_dominates(const struct flow *f, int a, int b)
{
    return above(f->post_dominator, a, b);
}

bool flow_equally_often(const struct flow *f, int a, int b)
{
    return f->loop[a] == f->loop[b] && ((flow_dominates(f, a, b) && flow_post_dominates(f, b, a)) ||
                                        (flow_dominates(f, b, a) && flow_post_dominates(f, a, b)));
}
