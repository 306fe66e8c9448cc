/*
 * Implements graph.h.
 *
 * The algorithm comes from Cooper, Harvey, Kennedy, "A simple, fast dominance algorithm" (2001). To
 * find post-dominators, it runs on the graph with all edges reversed and another node for the
 * function's end.
 */
#include "devices/sim/program/graph.h"

#include "base/memory.h"

#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

static bool opcode_begins(struct slice opcode, const char *word)
{
    size_t length = strlen(word);
    return (size_t)opcode.length >= length && memcmp(opcode.at, word, length) == 0 &&
           ((size_t)opcode.length == length || opcode.at[length] == '.');
}

int graph_label(const struct ptx_module *m, const struct ptx_function *f, struct slice name)
{
    for (int i = 0; i < f->label_count; i++) {
        const struct ptx_label *l = &m->labels[f->first_label + i];
        if (slice_equal(l->name, name))
            return l->statement - f->first_statement;
    }
    return -1;
}

const struct ptx_targets *graph_targets(const struct ptx_module *m, const struct ptx_function *f,
                                        struct slice name)
{
    for (int i = 0; i < f->targets_count; i++)
        if (slice_equal(m->targets[f->first_targets + i].name, name))
            return &m->targets[f->first_targets + i];
    return NULL;
}

/* How control leaves a statement. */
enum leave { LEAVE_NEXT, LEAVE_BRANCH, LEAVE_TABLE, LEAVE_END };

static enum leave leaves(const struct ptx_statement *s)
{
    if (opcode_begins(s->opcode, "bra"))
        return LEAVE_BRANCH;
    if (opcode_begins(s->opcode, "brx"))
        return LEAVE_TABLE;
    if (opcode_begins(s->opcode, "ret") || opcode_begins(s->opcode, "exit"))
        return LEAVE_END;
    return LEAVE_NEXT;
}

/* Adds an edge to the block that begins at a label. mark_leaders() has checked that the label
 * exists. */
static void add_edge(const struct ptx_module *m, const struct ptx_function *f, struct graph *g,
                     struct slice label)
{
    int to = graph_label(m, f, label);
    array_push(g->edges, g->edge_count, to < g->statements ? g->block_of[to] : g->count);
}

static bool no_label(const struct ptx_statement *s, struct slice name, struct error *e)
{
    return FAIL(e, ERROR_CONFIG, "PTX line %d: the label '%.*s' is not defined in this function",
                s->line, SLICE(name));
}

/* Returns the operand of a branch that names its target, or NULL if it is missing. */
static const struct ptx_operand *target_operand(const struct ptx_module *m,
                                                const struct ptx_statement *s, enum leave how)
{
    int at = how == LEAVE_TABLE ? 1 : 0;
    return s->count > at ? &m->operands[s->first + at] : NULL;
}

/* Marks the statements with which a basic block begins. */
static bool mark_leaders(const struct ptx_module *m, const struct ptx_function *f, bool *leader,
                         struct error *e)
{
    for (int i = 0; i < f->statement_count; i++) {
        const struct ptx_statement *s = &m->statements[f->first_statement + i];
        enum leave how = leaves(s);
        if (how == LEAVE_NEXT)
            continue;
        leader[i + 1] = true;
        if (how == LEAVE_END)
            continue;
        const struct ptx_operand *o = target_operand(m, s, how);
        if (!o || o->kind != OPERAND_NAME)
            return FAIL(e, ERROR_CONFIG, "PTX line %d: this branch has no label", s->line);
        if (how == LEAVE_BRANCH) {
            int to = graph_label(m, f, o->name);
            if (to < 0)
                return no_label(s, o->name, e);
            leader[to] = true;
            continue;
        }
        const struct ptx_targets *t = graph_targets(m, f, o->name);
        if (!t)
            return no_label(s, o->name, e);
        for (int k = 0; k < t->count; k++) {
            int to = graph_label(m, f, m->operands[t->first + k].name);
            if (to < 0)
                return no_label(s, m->operands[t->first + k].name, e);
            leader[to] = true;
        }
    }
    return true;
}

static void add_successors(const struct ptx_module *m, const struct ptx_function *f,
                           struct graph *g, int b)
{
    struct basic_block *block = &g->blocks[b];
    const struct ptx_statement *last =
        &m->statements[f->first_statement + block->first + block->count - 1];
    enum leave how = leaves(last);
    block->first_successor = g->edge_count;
    if (how == LEAVE_BRANCH) {
        add_edge(m, f, g, target_operand(m, last, how)->name);
    } else if (how == LEAVE_TABLE) {
        const struct ptx_targets *t = graph_targets(m, f, target_operand(m, last, how)->name);
        for (int k = 0; k < t->count; k++)
            add_edge(m, f, g, m->operands[t->first + k].name);
    } else if (how == LEAVE_END) {
        /* block g->count stands for the function's end */
        array_push(g->edges, g->edge_count, g->count);
    }
    if (how == LEAVE_NEXT || last->guard >= 0)
        array_push(g->edges, g->edge_count, b + 1);
    block->successors = g->edge_count - block->first_successor;
}

/* Writes the blocks to `order` in postorder of the reversed graph, starting at the function's end,
 * and returns their number. Blocks from which the end cannot be reached are left out. position[b]
 * is the place of block b in `order`, or negative. The other arrays are for temporary use. */
static int reverse_order(const struct graph *g, int *order, int *position, int *heads, int *links,
                         int *sources, int *stack)
{
    int end = g->count, edges = 0, depth = 0, numbered = 0;
    for (int b = 0; b <= end; b++) {
        heads[b] = -1;
        position[b] = -1;
    }
    for (int b = 0; b < g->count; b++) {
        for (int k = 0; k < g->blocks[b].successors; k++) {
            int to = g->edges[g->blocks[b].first_successor + k];
            sources[edges] = b;
            links[edges] = heads[to];
            heads[to] = edges++;
        }
    }
    stack[depth++] = end;
    position[end] = -2;
    while (depth) {
        int at = stack[depth - 1];
        if (heads[at] < 0) {
            position[at] = numbered;
            order[numbered++] = at;
            depth--;
            continue;
        }
        int next = sources[heads[at]];
        heads[at] = links[heads[at]];
        if (position[next] == -1) {
            position[next] = -2;
            stack[depth++] = next;
        }
    }
    return numbered;
}

static int meet(const int *dominator, const int *position, int a, int b)
{
    while (a != b) {
        while (position[a] < position[b])
            a = dominator[a];
        while (position[b] < position[a])
            b = dominator[b];
    }
    return a;
}

static void iterate(const struct graph *g, const int *order, const int *position, int numbered,
                    int *dominator)
{
    int end = g->count;
    for (int b = 0; b <= end; b++)
        dominator[b] = -1;
    dominator[end] = end;
    for (bool changed = true; changed;) {
        changed = false;
        for (int n = numbered - 2; n >= 0; n--) {
            int b = order[n], found = -1;
            for (int k = 0; k < g->blocks[b].successors; k++) {
                int to = g->edges[g->blocks[b].first_successor + k];
                if (position[to] >= 0 && dominator[to] >= 0)
                    found = found < 0 ? to : meet(dominator, position, to, found);
            }
            if (found >= 0 && dominator[b] != found) {
                dominator[b] = found;
                changed = true;
            }
        }
    }
}

void graph_post_dominators(struct graph *g)
{
    size_t nodes = (size_t)g->count + 1, edges = (size_t)g->edge_count + 1;
    int *memory = xmalloc((nodes * 5 + edges * 2) * sizeof *memory);
    int *order = memory, *position = order + nodes, *heads = position + nodes,
        *dominator = heads + nodes, *stack = dominator + nodes, *links = stack + nodes,
        *sources = links + edges;
    int numbered = reverse_order(g, order, position, heads, links, sources, stack);
    iterate(g, order, position, numbered, dominator);
    for (int b = 0; b < g->count; b++)
        g->blocks[b].post_dominator =
            dominator[b] >= 0 && dominator[b] < g->count ? dominator[b] : -1;
    free(memory);
}

bool graph_build(const struct ptx_module *m, const struct ptx_function *f, struct graph *out,
                 struct error *e)
{
    struct graph g = {.statements = f->statement_count};
    size_t statements = (size_t)f->statement_count;
    bool *leader = xcalloc(statements + 2, sizeof *leader);
    g.blocks = xcalloc(statements + 1, sizeof *g.blocks);
    g.block_of = xcalloc(statements + 1, sizeof *g.block_of);
    bool ok = mark_leaders(m, f, leader, e);
    for (int i = 0; ok && i < f->statement_count; i++) {
        if (i == 0 || leader[i])
            g.blocks[g.count++].first = i;
        g.blocks[g.count - 1].count++;
        g.block_of[i] = g.count - 1;
    }
    free(leader);
    if (!ok) {
        graph_free(&g);
        return false;
    }
    for (int b = 0; b < g.count; b++)
        add_successors(m, f, &g, b);
    graph_post_dominators(&g);
    *out = g;
    return true;
}

void graph_free(struct graph *g)
{
    free(g->blocks);
    free(g->block_of);
    free(g->edges);
    *g = (struct graph){0};
}

/* For each block b, sets leading[b] to the number of edges that lead to it, except for edges that
 * close a loop. The targets of those are set to -1 in `edges`. */
static void count_forward_edges(const struct graph *g, int *edges, int *leading, int *stack,
                                int *next)
{
    enum { UNSEEN = -1, DONE = -2 };
    for (int b = 0; b < g->count; b++)
        next[b] = UNSEEN;
    for (int root = 0; root < g->count; root++) {
        int depth = 0;
        if (next[root] != UNSEEN)
            continue;
        stack[depth++] = root;
        next[root] = 0;
        while (depth) {
            const struct basic_block *b = &g->blocks[stack[depth - 1]];
            if (next[stack[depth - 1]] == b->successors) {
                next[stack[--depth]] = DONE;
                continue;
            }
            int *edge = &edges[b->first_successor + next[stack[depth - 1]]++];
            if (*edge == g->count)
                continue;
            /* the edge leads back to a block on the stack, so it closes a loop */
            if (next[*edge] >= 0) {
                *edge = -1;
                continue;
            }
            leading[*edge]++;
            if (next[*edge] == UNSEEN) {
                next[*edge] = 0;
                stack[depth++] = *edge;
            }
        }
    }
}

bool graph_order(const struct graph *g, int *rank)
{
    if (!g->edge_count) /* without edges, memcpy() would be passed NULL */
        return false;
    size_t nodes = (size_t)g->count + 1;
    int *edges = xmalloc(((size_t)g->edge_count + 1 + 3 * nodes) * sizeof *edges);
    int *leading = edges + g->edge_count + 1, *stack = leading + nodes, *next = stack + nodes;
    bool moved = false;
    memcpy(edges, g->edges, (size_t)g->edge_count * sizeof *edges);
    memset(leading, 0, nodes * sizeof *leading);
    count_forward_edges(g, edges, leading, stack, next);
    for (int at = 0, done = 0; done < g->count; at++) {
        if (leading[at]) /* another block must come first, or this block has its rank */
            continue;
        leading[at] = -1;
        moved |= at != done;
        rank[at] = done++;
        int back = at;
        for (int k = 0; k < g->blocks[at].successors; k++) {
            int to = edges[g->blocks[at].first_successor + k];
            if (to >= 0 && to < g->count && --leading[to] == 0 && to < back)
                back = to - 1;
        }
        at = back;
    }
    free(edges);
    return moved;
}

int graph_reconvergence(const struct graph *g, int statement)
{
    int block = g->blocks[g->block_of[statement]].post_dominator;
    return block < 0 ? -1 : g->blocks[block].first;
}
