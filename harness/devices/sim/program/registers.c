/*
 * Implements registers.h.
 *
 * The linear scan comes from Poletto, Sarkar, "Linear scan register allocation" (TOPLAS 1999). The
 * number of slots is not limited, so nothing is ever spilled.
 */
#include "devices/sim/program/registers.h"

#include "base/memory.h"
#include "devices/sim/program/decode.h"

#include <stdlib.h>
#include <string.h>

enum { SLOT_32 = LANES * 4, SLOT_64 = LANES * 8 };

/* if the sets of live registers take more bits than this, every register gets its own slot */
#define MAX_LIVENESS_BITS (1ull << 30)

struct scan {
    const struct ptx_module *m;
    const struct ptx_function *f;
    const struct graph *g;
    /* sets of registers for each basic block, with one bit per register: live at its beginning and
     * at its end, read before being written, and written */
    uint64_t *in, *out, *used, *defined;
    size_t words;
    /* the first and the last statement at which each register is live; -1: none */
    int *first, *last;
};

typedef void visit_register(struct scan *s, int statement, int reg, bool write, void *context);

static void visit_one(struct scan *s, int statement, const struct ptx_operand *o, bool write,
                      visit_register *visit, void *context)
{
    if (o->kind == OPERAND_REGISTER || (o->kind == OPERAND_PAIR && o->index >= 0))
        visit(s, statement, o->index, write, context);
    if (o->kind == OPERAND_PAIR && o->second >= 0)
        visit(s, statement, o->second, write, context);
    if (o->kind == OPERAND_ADDRESS && o->second >= 0)
        visit(s, statement, o->second, false, context);
    if (o->kind == OPERAND_VECTOR || o->kind == OPERAND_LIST)
        for (int k = 0; k < o->count; k++)
            visit_one(s, statement, &s->m->operands[o->index + k], write, visit, context);
}

/* Calls `visit` for each register of a statement: first for the registers that it reads, then for
 * those that it writes. */
static void visit_statement(struct scan *s, int statement, visit_register *visit, void *context)
{
    const struct ptx_statement *x = &s->m->statements[s->f->first_statement + statement];
    const struct opcode_family *family = family_find(x->opcode);
    bool writes = family && family->use == WRITES_FIRST && x->count > 0;
    const struct ptx_operand *operands = &s->m->operands[x->first];
    if (x->guard >= 0)
        visit(s, statement, x->guard, false, context);
    for (int i = writes ? 1 : 0; i < x->count; i++)
        visit_one(s, statement, &operands[i], false, visit, context);
    if (writes)
        visit_one(s, statement, &operands[0], true, visit, context);
}

static bool bit(const uint64_t *bits, int r)
{
    return bits[r / 64] >> (r % 64) & 1;
}

static void set_bit(uint64_t *bits, int r)
{
    bits[r / 64] |= 1ull << (r % 64);
}

/*
 * Records in which sets of its block a register is. After a guarded write, the register's previous
 * value is still live, because lanes with a false guard keep it.
 */
static void note_use(struct scan *s, int statement, int reg, bool write, void *context)
{
    (void)context;
    size_t at = (size_t)s->g->block_of[statement] * s->words;
    bool guarded = s->m->statements[s->f->first_statement + statement].guard >= 0;
    if ((!write || guarded) && !bit(s->defined + at, reg))
        set_bit(s->used + at, reg);
    if (write && !guarded)
        set_bit(s->defined + at, reg);
}

static void stretch(struct scan *s, int reg, int statement)
{
    if (s->first[reg] < 0 || statement < s->first[reg])
        s->first[reg] = statement;
    if (statement > s->last[reg])
        s->last[reg] = statement;
}

static void note_range(struct scan *s, int statement, int reg, bool write, void *context)
{
    stretch(s, reg, statement);
    if (!write)
        ((bool *)context)[reg] = true;
}

static void live_blocks(struct scan *s)
{
    const struct graph *g = s->g;
    for (bool changed = true; changed;) {
        changed = false;
        for (int b = g->count - 1; b >= 0; b--) {
            uint64_t *out = s->out + (size_t)b * s->words, *in = s->in + (size_t)b * s->words;
            const uint64_t *used = s->used + (size_t)b * s->words;
            const uint64_t *defined = s->defined + (size_t)b * s->words;
            for (size_t w = 0; w < s->words; w++) {
                uint64_t all = out[w];
                for (int k = 0; k < g->blocks[b].successors; k++) {
                    int to = g->edges[g->blocks[b].first_successor + k];
                    if (to < g->count)
                        all |= s->in[(size_t)to * s->words + w];
                }
                uint64_t now = used[w] | (all & ~defined[w]);
                changed |= now != in[w] || all != out[w];
                out[w] = all;
                in[w] = now;
            }
        }
    }
}

static void live_ranges(struct scan *s)
{
    for (int i = 0; i < s->f->statement_count; i++)
        visit_statement(s, i, note_use, NULL);
    live_blocks(s);
    for (int b = 0; b < s->g->count; b++) {
        const struct basic_block *block = &s->g->blocks[b];
        for (int r = 0; r < s->f->register_count; r++) {
            if (bit(s->in + (size_t)b * s->words, r))
                stretch(s, r, block->first);
            if (bit(s->out + (size_t)b * s->words, r))
                stretch(s, r, block->first + block->count - 1);
        }
    }
}

/* a register's live range; ranges are sorted by their first statements */
struct life {
    int reg, first, last;
};

static int compare_lives(const void *a, const void *b)
{
    const struct life *x = a, *y = b;
    return x->first != y->first ? x->first - y->first : x->reg - y->reg;
}

/* the slots of one width, and for each of them the last statement at which it is in use */
struct pool {
    int *busy_until;
    int count;
};

static int take_slot(struct pool *pool, const struct life *life)
{
    for (int i = 0; i < pool->count; i++) {
        if (pool->busy_until[i] < life->first) {
            pool->busy_until[i] = life->last;
            return i;
        }
    }
    pool->busy_until[pool->count] = life->last;
    return pool->count++;
}

static void assign_slots(struct scan *s, uint32_t first, struct register_map *map)
{
    int registers = s->f->register_count;
    /* modules without registers have no array `classes` */
    const uint8_t *classes = registers ? s->m->classes + s->f->first_class : NULL;
    struct life *lives = xcalloc((size_t)registers + 1, sizeof *lives);
    int *busy = xcalloc((size_t)registers * 2 + 2, sizeof *busy);
    int *chosen = xcalloc((size_t)registers + 1, sizeof *chosen);
    struct pool narrow = {busy, 0}, wide = {busy + registers + 1, 0};
    uint32_t predicates = 0;
    for (int r = 0; r < registers; r++)
        lives[r] = (struct life){r, s->first[r], s->last[r]};
    qsort(lives, (size_t)registers, sizeof *lives, compare_lives);
    for (int i = 0; i < registers; i++) {
        int r = lives[i].reg;
        if (classes[r] == CLASS_PREDICATE)
            chosen[r] = (int)predicates++;
        else if (lives[i].first >= 0)
            chosen[r] = take_slot(classes[r] == CLASS_64 ? &wide : &narrow, &lives[i]);
    }
    uint32_t narrows = (first + predicates * 4 + 63) / 64 * 64;
    uint32_t wides = narrows + (uint32_t)narrow.count * SLOT_32;
    for (int r = 0; r < registers; r++)
        map->slots[r] = classes[r] == CLASS_PREDICATE ? first + (uint32_t)chosen[r] * 4
                        : classes[r] == CLASS_64      ? wides + (uint32_t)chosen[r] * SLOT_64
                                                      : narrows + (uint32_t)chosen[r] * SLOT_32;
    /* leaves one more slot, so that even a function without registers has one for results that
     * nothing reads */
    map->bytes = wides + (uint32_t)wide.count * SLOT_64 + SLOT_64;
    free(lives);
    free(busy);
    free(chosen);
}

struct register_map registers_assign(const struct ptx_module *m, const struct ptx_function *f,
                                     const struct graph *g, uint32_t first)
{
    struct scan s = {.m = m, .f = f, .g = g};
    size_t registers = (size_t)f->register_count;
    s.words = (registers + 63) / 64;
    size_t bits = s.words * (size_t)g->count;
    bool share = bits * 64 <= MAX_LIVENESS_BITS;
    uint64_t *sets = xcalloc(share ? bits * 4 + 1 : 1, sizeof *sets);
    struct register_map map = {xcalloc(registers + 1, sizeof *map.slots),
                               xcalloc(registers + 1, sizeof *map.read), 0};
    s.first = xmalloc((registers + 1) * sizeof *s.first);
    s.last = xmalloc((registers + 1) * sizeof *s.last);
    for (size_t r = 0; r < registers; r++)
        s.first[r] = s.last[r] = -1;
    for (int i = 0; i < f->statement_count; i++)
        visit_statement(&s, i, note_range, map.read);
    if (share) {
        s.in = sets;
        s.out = sets + bits;
        s.used = sets + bits * 2;
        s.defined = sets + bits * 3;
        live_ranges(&s);
    } else {
        for (size_t r = 0; r < registers; r++) {
            s.first[r] = 0;
            s.last[r] = f->statement_count;
        }
    }
    assign_slots(&s, first, &map);
    free(sets);
    free(s.first);
    free(s.last);
    return map;
}

void registers_free(struct register_map *map)
{
    free(map->slots);
    free(map->read);
    *map = (struct register_map){0};
}
