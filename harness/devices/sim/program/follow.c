/*
 * Implements follow.h, which explains how ptxas changes accesses.
 */
#include "devices/sim/program/follow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* the machine instructions that ptxas made from one statement */
struct made {
    const struct sass_instruction *first;
    int count;
    uint8_t bytes; /* how many bytes each of them accesses; 0 if they differ */
};

/* the function that is being examined */
struct follow {
    const struct sass *sass;
    const struct ptx_module *m;
    const struct ptx_function *f;
    const struct graph *graph;
    struct flow flow;
    struct instruction *code;
    struct made *made; /* made[k]: the machine instructions for statement k */
    struct program *p;
};

static bool is_access(const struct instruction *i)
{
    return (i->kind == KIND_LOAD || i->kind == KIND_STORE) &&
           (i->space == SPACE_GLOBAL || i->space == SPACE_SHARED || i->space == SPACE_LOCAL ||
            i->space == SPACE_GENERIC);
}

static const char *kind_name(enum sass_kind kind)
{
    return kind == SASS_LOAD ? "loads" : kind == SASS_STORE ? "stores" : "atomics";
}

static unsigned bytes_of(const struct instruction *i)
{
    return (unsigned)i->bytes * i->elements;
}

static const struct ptx_statement *statement(const struct follow *w, int k)
{
    return &w->m->statements[w->f->first_statement + k];
}

/* Returns the kind of machine instruction that ptxas makes from a statement, or SASS_OTHER if this
 * file does not need it. */
static enum sass_kind kind_of(const struct instruction *i)
{
    switch (i->kind) {
    case KIND_LOAD:
        return SASS_LOAD;
    case KIND_STORE:
        return SASS_STORE;
    case KIND_ATOMIC:
        return SASS_ATOMIC;
    case KIND_BARRIER:
    case KIND_SHUFFLE:
    case KIND_VOTE:
        return SASS_MEETING;
    case KIND_BRANCH:
        return SASS_BRANCH;
    default:
        return SASS_OTHER;
    }
}

static bool matches(const struct instruction *i, const struct sass_instruction *x)
{
    if (x->kind != kind_of(i))
        return false;
    return !(is_access(i) || i->kind == KIND_ATOMIC) || i->space == SPACE_GENERIC ||
           x->space == SPACE_GENERIC || x->space == i->space;
}

static void find_made(struct follow *w)
{
    for (int k = 0; k < w->f->statement_count; k++) {
        const struct sass_instruction *at;
        struct made *made = &w->made[k];
        int count =
            kind_of(&w->code[k]) == SASS_OTHER ? 0 : sass_at(w->sass, statement(w, k)->line, &at);
        for (int j = 0; j < count; j++) {
            if (!matches(&w->code[k], &at[j]))
                continue;
            made->bytes = made->count++ && at[j].bytes != made->bytes ? 0 : at[j].bytes;
            made->first = made->first ? made->first : &at[j];
        }
    }
}

static void note_departure(struct program *p, enum space space, enum sass_kind kind,
                           const char *where, int line, const char *what)
{
    size_t used = strlen(p->departures);
    if (used == 0)
        snprintf(p->departures, sizeof p->departures,
                 "%s memory %s are not counted where %s line %d of the PTX, because ptxas %s",
                 space_names[space], kind_name(kind), where, line, what);
    else if (p->departures[used - 1] != '\xa6') /* 0xa6 is the last byte of "…" in UTF-8 */
        snprintf(p->departures + used, sizeof p->departures - used, " …");
}

static void unknown(struct follow *w, int k, const char *what)
{
    struct instruction *i = &w->code[k];
    i->unknown = true;
    note_departure(w->p, i->space, kind_of(i), "a warp executes", statement(w, k)->line, what);
}

/*
 * ---- Where the code is ------------------------------------------------------------------------
 */

/* Returns whether an atomic is a single machine instruction. Otherwise, it is a loop, or the
 * machine code contains one instruction for each memory space that the address may be in. */
static bool is_once(const struct instruction *i)
{
    return !atomic_loops(i) && (i->space == SPACE_GLOBAL || i->space == SPACE_SHARED);
}

/* Whether a machine instruction `x`, which ptxas made from statement k, is executed as often as the
 * statements of basic block `block`. To find out, place_in() compares x with the machine
 * instructions of other statements in the block. */
enum place { PLACE_UNKNOWN, PLACE_SAME, PLACE_OTHER };

static enum place place_in(const struct follow *w, const struct sass_instruction *x, int k,
                           int block)
{
    const struct basic_block *b = &w->graph->blocks[block];
    enum place found = PLACE_UNKNOWN;
    for (int j = b->first; w->sass->has_flow && j < b->first + b->count; j++) {
        const struct sass_instruction *y = w->made[j].first;
        bool stays = w->code[j].kind != KIND_LOAD &&
                     (w->code[j].kind != KIND_ATOMIC || is_once(&w->code[j]));
        if (j == k || !stays || w->made[j].count != 1 || w->code[j].counted_before)
            continue;
        bool guard_appeared = x->guarded && !y->guarded && w->code[k].guard == GUARD_NONE;
        if (flow_equally_often(&w->sass->flow, x->block, y->block) && !guard_appeared)
            return PLACE_SAME;
        found = PLACE_OTHER;
    }
    return found;
}

static enum place place_beside(const struct follow *w, const struct sass_instruction *x, int k)
{
    return place_in(w, x, k, w->graph->block_of[k]);
}

/* Returns whether the machine code contains more copies of some other statement in the basic block
 * than of statement k, and equally many of none. ptxas has then removed some of the copies of k
 * that unrolling has made. */
static bool lost_copies(const struct follow *w, int k)
{
    const struct basic_block *b = &w->graph->blocks[w->graph->block_of[k]];
    int most = 0;
    for (int j = b->first; j < b->first + b->count; j++) {
        if (j == k || kind_of(&w->code[j]) == SASS_BRANCH || w->made[j].count == 0)
            continue;
        if (w->made[j].count == w->made[k].count)
            return false;
        most = w->made[j].count > most ? w->made[j].count : most;
    }
    return most > w->made[k].count;
}

/*
 * ---- Removed ----------------------------------------------------------------------------------
 */

static const struct ptx_operand *address_of(const struct follow *w, int k)
{
    const struct ptx_statement *s = statement(w, k);
    const struct ptx_operand *o = &w->m->operands[s->first];
    int at = w->code[k].kind == KIND_LOAD ? 1 : 0;
    return s->count > at && o[at].kind == OPERAND_ADDRESS ? &o[at] : NULL;
}

/* Returns whether statements j and k are of the same kind (both loads or both stores) and access
 * the same space with the same address register or variable. Offsets may differ. */
static bool alike(const struct follow *w, int j, int k)
{
    const struct ptx_operand *a = address_of(w, j), *b = address_of(w, k);
    const struct instruction *x = &w->code[j], *y = &w->code[k];
    return j != k && a && b && x->kind == y->kind && x->space == y->space &&
           a->second == b->second && a->index == b->index;
}

/* Returns whether the machine instructions for statement j access the bytes of statement k, judging
 * by the offsets in the PTX. */
static bool covers(const struct follow *w, int j, int k)
{
    const struct ptx_operand *a = address_of(w, j), *b = address_of(w, k);
    const struct instruction *x = &w->code[j], *y = &w->code[k];
    if (!alike(w, j, k) || w->made[j].count == 0)
        return false;
    int64_t from = (int64_t)a->bits, at = (int64_t)b->bits, wide = w->made[j].bytes;
    if (wide <= (int64_t)bytes_of(x))
        return from <= at && at + (int64_t)bytes_of(y) <= from + (int64_t)bytes_of(x);
    return at > from - wide && at < from + wide;
}

static bool load_is_merged(const struct follow *w, int k)
{
    for (int j = 0; j < w->f->statement_count; j++) {
        int a = w->graph->block_of[j], b = w->graph->block_of[k];
        if (covers(w, j, k) && (a == b || flow_dominates(&w->flow, a, b)))
            return true;
    }
    return false;
}

/*
 * Returns whether ptxas merged store k with a later store to the same address, so that neither of
 * their PTX lines has a machine instruction. The merged store then has the line of another
 * statement in k's block. It is counted for statement k, and not for the later store.
 */
static bool stores_are_one(struct follow *w, int k)
{
    const struct basic_block *b = &w->graph->blocks[w->graph->block_of[k]];
    int later = -1;
    for (int j = 0; j < w->f->statement_count && later < 0; j++)
        if (alike(w, j, k) && w->made[j].count == 0 &&
            address_of(w, j)->bits == address_of(w, k)->bits &&
            bytes_of(&w->code[j]) == bytes_of(&w->code[k]) &&
            flow_dominates(&w->flow, w->graph->block_of[k], w->graph->block_of[j]))
            later = j;
    for (int j = b->first; later >= 0 && j < b->first + b->count; j++) {
        const struct sass_instruction *x;
        int count = is_access(&w->code[j]) ? 0 : sass_at(w->sass, statement(w, j)->line, &x);
        for (int n = 0; n < count; n++) {
            bool *taken = &w->sass->taken[&x[n] - w->sass->items];
            if (*taken || !matches(&w->code[k], &x[n]) || x[n].guarded ||
                x[n].bytes != bytes_of(&w->code[k]) || place_beside(w, &x[n], k) == PLACE_OTHER)
                continue;
            *taken = true;
            w->code[later].counted_before = true;
            return true;
        }
    }
    return false;
}

/*
 * Returns whether ptxas removed store k and kept a later store to the same address. Then only one
 * of the two is counted. If every path leads to the later store, it is counted. Otherwise, fewer
 * lanes may execute the later store in the PTX, for example only those in range. In the machine
 * code, all lanes of store k execute it, so store k is counted.
 */
static bool store_is_overwritten(struct follow *w, int k)
{
    for (int j = 0; j < w->f->statement_count; j++) {
        int a = w->graph->block_of[k], b = w->graph->block_of[j];
        if (!covers(w, j, k))
            continue;
        if ((a == b && j > k) || (a != b && flow_post_dominates(&w->flow, b, a))) {
            w->code[k].counted_before = true;
            return true;
        }
        if (a != b && flow_dominates(&w->flow, a, b) && w->made[j].count == 1 &&
            w->made[j].bytes == bytes_of(&w->code[k]) && !w->made[j].first->guarded &&
            place_beside(w, w->made[j].first, k) != PLACE_OTHER) {
            w->code[j].counted_before = true;
            return true;
        }
    }
    return false;
}

static void follow_removed(struct follow *w, int k)
{
    struct instruction *i = &w->code[k];
    if (i->space == SPACE_LOCAL || (i->kind == KIND_LOAD && load_is_merged(w, k)))
        i->counted_before = true;
    else if (i->kind == KIND_LOAD || (!store_is_overwritten(w, k) && !stores_are_one(w, k)))
        unknown(w, k, "removed this access");
}

/*
 * ---- Hoisted ----------------------------------------------------------------------------------
 */

/*
 * Returns the statement of the branch that closes the loop around statement k. Returns -1 if there
 * is no such loop, if it is nested in another one or has another exit, or if the machine code does
 * not contain the branch exactly once.
 */
static int only_latch(const struct follow *w, int k)
{
    int block = w->graph->block_of[k], head = w->flow.loop[block], latch = -1;
    if (head < 0 || w->flow.depth[block] != 1)
        return -1;
    for (int b = 0; b < w->graph->count; b++) {
        const struct basic_block *from = &w->graph->blocks[b];
        if (w->flow.loop[b] != head)
            continue;
        bool leaves = false, closes = false;
        for (int e = 0; e < from->successors; e++) {
            int to = w->graph->edges[from->first_successor + e];
            leaves = leaves || to >= w->graph->count || w->flow.loop[to] != head;
            closes = closes || to == head;
        }
        if (!leaves && !closes)
            continue;
        int last = from->first + from->count - 1;
        if (latch >= 0 || !leaves || !closes || w->code[last].kind != KIND_BRANCH ||
            w->graph->edges[from->first_successor] != head || w->made[last].count != 1)
            return -1;
        latch = last;
    }
    return latch;
}

/*
 * If ptxas moved load k in front of its loop, marks it to be counted once each time the loop is
 * entered, and returns true.
 */
static bool follow_hoisted(struct follow *w, int k)
{
    const struct sass_instruction *x = w->made[k].first;
    const struct flow *flow = &w->sass->flow;
    int latch = only_latch(w, k);
    if (w->code[k].kind != KIND_LOAD || w->code[k].guard != GUARD_NONE || x->guarded || latch < 0 ||
        flow->depth[x->block] != 0)
        return false;
    const struct sass_instruction *y = w->made[latch].first;
    int block = w->graph->block_of[k], end = w->graph->block_of[latch];
    if (flow->depth[y->block] != 1 || !flow_dominates(flow, x->block, y->block) ||
        !flow_post_dominates(flow, y->block, x->block) ||
        !flow_post_dominates(&w->flow, end, block) || !flow_dominates(&w->flow, block, end))
        return false;
    if (!w->code[latch].latch) {
        if (w->p->latches == MAX_LATCHES)
            return false;
        w->code[latch].latch = (uint8_t)++w->p->latches;
    }
    w->code[k].hoisted = w->code[latch].latch;
    return true;
}

/* If ptxas moved load k to one side of the branch at the end of its block, because the other side
 * does not need the value, returns true. The load is counted as usual if all lanes take that side.
 * Otherwise, the branch makes the counts of such loads unknown. */
static bool follow_sunk(struct follow *w, int k)
{
    const struct basic_block *b = &w->graph->blocks[w->graph->block_of[k]];
    struct instruction *branch = &w->code[b->first + b->count - 1];
    const struct instruction *i = &w->code[k];
    if (i->kind != KIND_LOAD || i->space == SPACE_GENERIC || branch->kind != KIND_BRANCH ||
        b->successors != 2)
        return false;
    for (int side = 0; side < 2; side++) { /* side 0 is where the branch jumps */
        int to = w->graph->edges[b->first_successor + side];
        if (to >= w->graph->count || w->flow.dominator[to] != w->graph->block_of[k] ||
            place_in(w, w->made[k].first, k, to) != PLACE_SAME)
            continue;
        branch->lost[side] |= (uint8_t)UNEVEN(i->space, 0);
        note_departure(w->p, i->space, SASS_LOAD, "some lanes do not need the load in",
                       statement(w, k)->line, "lets only the other lanes execute it");
        return true;
    }
    return false;
}

/*
 * Marks the branches that leave the unrolled loop around statement k. The unrolled part of the
 * machine code is followed by single iterations. If lanes execute different numbers of iterations,
 * some of them execute an access together in the PTX but separately in the machine code. The counts
 * of such accesses are then unknown.
 */
static void mark_uneven(struct follow *w, int k)
{
    const struct instruction *i = &w->code[k];
    int head = w->flow.loop[w->graph->block_of[k]];
    unsigned kinds = i->kind == KIND_ATOMIC      ? UNEVEN_ATOMICS(i->space)
                     : i->space == SPACE_GENERIC ? UNEVEN(SPACE_GLOBAL, i->kind == KIND_STORE) |
                                                       UNEVEN(SPACE_SHARED, i->kind == KIND_STORE)
                                                 : UNEVEN(i->space, i->kind == KIND_STORE);
    if (head >= 0)
        note_departure(w->p, i->space, kind_of(i),
                       "the lanes execute different numbers of iterations of the loop around",
                       statement(w, k)->line, "unrolls it");
    for (int b = 0; head >= 0 && b < w->graph->count; b++) {
        const struct basic_block *from = &w->graph->blocks[b];
        if (w->flow.loop[b] != head)
            continue;
        for (int e = 0; e < from->successors; e++) {
            int to = w->graph->edges[from->first_successor + e];
            bool inside = to < w->graph->count &&
                          (w->flow.loop[to] == head || w->flow.depth[to] > w->flow.depth[b]);
            if (!inside)
                w->code[from->first + from->count - 1].uneven |= (uint8_t)kinds;
        }
    }
}

/*
 * ---- Atomics ----------------------------------------------------------------------------------
 */

/* Returns whether the machine code for statement k elects one lane to execute an atomic. */
static bool has_election(const struct follow *w, int k)
{
    const struct sass_instruction *x;
    int count = sass_at(w->sass, statement(w, k)->line, &x);
    for (int n = 0; n < count; n++)
        if (x[n].kind == SASS_ELECTION)
            return true;
    return false;
}

/*
 * Marks atomic k according to its machine code. ptxas may add up the values of all lanes that have
 * the same address, and let an elected lane execute the atomic. Atomics that are loops
 * (atomic_loops()) need no mark, because their counts are always unknown.
 */
static void follow_atomic(struct follow *w, int k)
{
    struct instruction *i = &w->code[k];
    const struct made *made = &w->made[k];
    if (made->count == 0) {
        unknown(w, k, "removed this access");
        return;
    }
    if (!is_once(i))
        return;
    i->reduction = made->first->reduces || (i->reduction && i->space == SPACE_SHARED);
    i->elected = made->first->guarded && i->guard == GUARD_NONE && has_election(w, k);
    if (lost_copies(w, k))
        unknown(w, k, "removed copies of this access");
    else if (made->count > 1)
        mark_uneven(w, k);
    else if (!i->elected && place_beside(w, made->first, k) == PLACE_OTHER)
        unknown(w, k, "moved this access elsewhere");
}

/*
 * ---- All --------------------------------------------------------------------------------------
 */

static void follow_kept(struct follow *w, int k)
{
    struct instruction *i = &w->code[k];
    const struct made *made = &w->made[k];
    unsigned bytes = bytes_of(i);
    /* ptxas may load only some of a value's bytes. They are in the same sector and line as the
     * whole value. */
    bool part = made->bytes < bytes && made->count == 1 && i->space == SPACE_GLOBAL;
    if (made->bytes > bytes || part)
        i->whole_bytes = made->bytes;
    if (made->bytes == 0)
        unknown(w, k, "replaced this access by copies of several widths");
    else if (made->bytes < bytes && bytes <= 16 && !part)
        unknown(w, k, "split this access into several");
    else if (lost_copies(w, k))
        unknown(w, k, "removed copies of this access");
    else if (made->count == 1 && place_beside(w, made->first, k) == PLACE_OTHER &&
             !follow_hoisted(w, k) && !follow_sunk(w, k))
        unknown(w, k, "moved this access elsewhere");
    else if (made->count > 1)
        mark_uneven(w, k);
}

void follow_function(const struct sass *s, const struct ptx_module *m, const struct ptx_function *f,
                     const struct graph *g, struct instruction *code, struct program *p)
{
    struct follow w = {.sass = s, .m = m, .f = f, .graph = g, .code = code, .p = p};
    bool *root = xcalloc((size_t)g->count + 1, sizeof *root);
    w.made = xcalloc((size_t)f->statement_count + 1, sizeof *w.made);
    root[0] = true;
    flow_find(g, root, &w.flow);
    find_made(&w);
    for (int k = 0; k < f->statement_count; k++) {
        code[k].whole_bytes = 0;
        code[k].counted_before = false;
    }
    for (int k = 0; k < f->statement_count; k++)
        if (is_access(&code[k]) && w.made[k].count == 0 && !code[k].counted_before)
            follow_removed(&w, k);
    for (int k = 0; k < f->statement_count; k++)
        if (is_access(&code[k]) && w.made[k].count > 0 && !code[k].counted_before)
            follow_kept(&w, k);
    for (int k = 0; k < f->statement_count; k++)
        if (code[k].kind == KIND_ATOMIC)
            follow_atomic(&w, k);
    for (int k = 0; k < f->statement_count; k++)
        code[k].watched = code[k].latch || code[k].uneven || code[k].lost[0] || code[k].lost[1];
    flow_free(&w.flow);
    free(root);
    free(w.made);
}

static int by_number(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Returns whether ptxas may make loads and stores from a statement. */
static bool may_access(const struct instruction *i)
{
    return i->kind == KIND_LOAD || i->kind == KIND_STORE || i->kind == KIND_ATOMIC ||
           i->kind == KIND_CALL || i->kind >= KIND_MBARRIER;
}

void follow_rest(const struct sass *s, struct program *p)
{
    int *all = xmalloc(2 * ((size_t)p->count + 1) * sizeof *all), *access = all + p->count,
        accesses = 0;
    for (int k = 0; k < p->count; k++) {
        all[k] = p->origins[k].line;
        if (may_access(&p->code[k]))
            access[accesses++] = p->origins[k].line;
    }
    qsort(all, (size_t)p->count, sizeof *all, by_number);
    qsort(access, (size_t)accesses, sizeof *access, by_number);
    for (int k = 0; k < s->count; k++) {
        const struct sass_instruction *x = &s->items[k];
        if ((x->kind != SASS_LOAD && x->kind != SASS_STORE) || x->space == SPACE_GENERIC ||
            s->taken[k] || !bsearch(&x->line, all, (size_t)p->count, sizeof *all, by_number) ||
            bsearch(&x->line, access, (size_t)accesses, sizeof *access, by_number))
            continue;
        bool *added = &p->added[x->space][x->kind == SASS_STORE];
        if (!*added)
            note_departure(p, (enum space)x->space, (enum sass_kind)x->kind, "a warp executes",
                           x->line, "added them");
        *added = true;
    }
    free(all);
}
