/*
 * Implements combine.h, which explains which accesses are combined.
 *
 * An address is a multiple of 2^k if both its register and its offset are. This file therefore
 * computes, for each register, how many of its low bits are always 0. At first, it assumes that all
 * of them are. Then it looks at every statement that writes a register: if fewer low bits of the
 * written value are 0, the register's number is lowered to that. This is repeated for all
 * statements until nothing changes.
 */
#include "devices/sim/program/combine.h"

#include "base/memory.h"
#include "devices/sim/program/decode.h"

#include <stdlib.h>
#include <string.h>

enum { ANY = 63, WIDEST = 16, MOST = 4 /* how many accesses can be combined into one */, ROW = 16 };

struct zeros {
    const struct ptx_module *m;
    const struct ptx_function *f;
    /*
     * For each register, how many of its low bits are known to be 0; ANY if no value has been seen.
     * NULL until it is needed, because few functions have accesses that could be combined.
     */
    uint8_t *of;
};

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned trailing(uint64_t bits)
{
    return bits ? least((unsigned)__builtin_ctzll(bits), ANY) : ANY;
}

static unsigned of_variable(const struct ptx_variable *v)
{
    unsigned align = v->align ? v->align : 1;
    if (v->space == SPACE_SHARED && !v->dynamic && v->bytes >= 8)
        align = v->bytes >= 16 && align < 16 ? 16 : align < 8 ? 8 : align;
    return trailing(align);
}

static unsigned of_operand(const struct zeros *z, const struct ptx_operand *o)
{
    if (o->kind == OPERAND_REGISTER)
        return z->of[o->index];
    if (o->kind == OPERAND_INTEGER)
        return trailing(o->bits);
    if (o->kind == OPERAND_VARIABLE && o->index >= 0)
        return least(of_variable(&z->m->variables[o->index]), trailing(o->bits));
    return 0;
}

static bool begins(struct slice opcode, const char *with)
{
    size_t length = strlen(with);
    return (size_t)opcode.length > length && !memcmp(opcode.at, with, length) &&
           opcode.at[length] == '.';
}

/* How the number of low zero bits of a result follows from those of the operands. */
enum rule { COPIES, ADDS, MULTIPLIES, MULTIPLIES_AND_ADDS, SHIFTS, MASKS, SELECTS };
static const struct {
    const char *opcode;
    enum rule rule;
    int operands; /* the number of operands, including the result */
} rules[] = {
    {"mov", COPIES, 2},
    {"cvt", COPIES, 2},
    {"cvta", COPIES, 2},
    {"add", ADDS, 3},
    {"sub", ADDS, 3},
    {"or", ADDS, 3},
    {"xor", ADDS, 3},
    {"mul.lo", MULTIPLIES, 3},
    {"mul.wide", MULTIPLIES, 3},
    {"mad.lo", MULTIPLIES_AND_ADDS, 4},
    {"mad.wide", MULTIPLIES_AND_ADDS, 4},
    {"shl", SHIFTS, 3},
    {"and", MASKS, 3},
    {"selp", SELECTS, 4},
};

static unsigned of_result(const struct zeros *z, const struct ptx_statement *s)
{
    const struct ptx_operand *o = &z->m->operands[s->first];
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (!begins(s->opcode, rules[i].opcode) || s->count != rules[i].operands)
            continue;
        unsigned a = of_operand(z, &o[1]), b = s->count > 2 ? of_operand(z, &o[2]) : 0;
        switch (rules[i].rule) {
        case COPIES:
            return a;
        case ADDS:
        case SELECTS:
            return least(a, b);
        case MULTIPLIES:
            return least(a + b, ANY);
        case MULTIPLIES_AND_ADDS:
            return least(a + b, of_operand(z, &o[3]));
        case SHIFTS:
            return o[2].kind == OPERAND_INTEGER && o[2].bits < ANY
                       ? least(a + (unsigned)o[2].bits, ANY)
                       : a;
        case MASKS:
            return a > b ? a : b;
        }
    }
    return 0;
}

/* For the register in an operand, lowers the number of low bits that are known to be 0 to at most
 * `to`. For registers in a vector or list, lowers it to 0. Returns whether anything changed. */
static bool lower(struct zeros *z, const struct ptx_operand *o, unsigned to)
{
    bool changed = false;
    if (o->kind == OPERAND_VECTOR || o->kind == OPERAND_LIST)
        for (int k = 0; k < o->count; k++)
            changed |= lower(z, &z->m->operands[o->index + k], 0);
    const int registers[] = {o->kind == OPERAND_REGISTER || o->kind == OPERAND_PAIR ? o->index : -1,
                             o->kind == OPERAND_PAIR ? o->second : -1};
    for (int k = 0; k < 2; k++)
        if (registers[k] >= 0 && z->of[registers[k]] > to) {
            z->of[registers[k]] = (uint8_t)to;
            changed = true;
        }
    return changed;
}

static void find_zeros(struct zeros *z)
{
    z->of = xmalloc((size_t)z->f->register_count + 1);
    memset(z->of, ANY, (size_t)z->f->register_count);
    for (bool changed = true; changed;) {
        changed = false;
        for (int k = 0; k < z->f->statement_count; k++) {
            const struct ptx_statement *s = &z->m->statements[z->f->first_statement + k];
            const struct opcode_family *family = family_find(s->opcode);
            if (family && family->use == WRITES_FIRST && s->count > 0)
                changed |= lower(z, &z->m->operands[s->first], of_result(z, s));
        }
    }
}

static unsigned bytes_of(const struct instruction *i)
{
    return (unsigned)i->bytes * i->elements;
}

/* Returns statement k's address operand if it is an access that may be combined, or NULL. */
static const struct ptx_operand *address_of(const struct zeros *z, const struct instruction *code,
                                            int k)
{
    const struct instruction *i = &code[k];
    bool load = i->kind == KIND_LOAD;
    if ((!load && i->kind != KIND_STORE) || i->space != SPACE_SHARED || i->strong ||
        i->is_volatile || i->guard != GUARD_NONE || bytes_of(i) < 2)
        return NULL;
    const struct ptx_statement *s = &z->m->statements[z->f->first_statement + k];
    const struct ptx_operand *o = &z->m->operands[s->first];
    return s->count == 2 && o[load].kind == OPERAND_ADDRESS ? &o[load] : NULL;
}

static unsigned of_address(struct zeros *z, const struct ptx_operand *o)
{
    if (o->second < 0)
        return o->index >= 0 ? of_variable(&z->m->variables[o->index]) : 0;
    if (!z->of)
        find_zeros(z);
    return z->of[o->second];
}

/* Returns whether an access may be moved across statement i, from behind it to the earlier access
 * `from`, without changing its address. */
static bool may_cross(const struct instruction *from, const struct instruction *i)
{
    bool lanes = i->kind == KIND_LANES || i->kind == KIND_LANES_FLOAT || i->kind == KIND_SHUFFLE ||
                 i->kind == KIND_VOTE;
    bool access = (i->kind == KIND_LOAD || i->kind == KIND_STORE) && !i->strong && !i->is_volatile;
    bool other =
        access && (i->space == SPACE_GLOBAL || i->space == SPACE_LOCAL || i->space == SPACE_PARAM);
    bool loads = i->kind == KIND_LOAD && from->kind == KIND_LOAD && i->space == SPACE_SHARED;
    bool writes = lanes || i->kind == KIND_LOAD;
    return (lanes || other || (access && loads)) &&
           !(writes && from->has_address && (i->o.d == from->o.b || i->o.d2 == from->o.b));
}

/* Returns whether two accesses have the same kind and size. If they are larger than 4 bytes, their
 * elements must also have the same size. */
static bool alike(const struct instruction *a, const struct instruction *b)
{
    return a->kind == b->kind && bytes_of(a) == bytes_of(b) &&
           (bytes_of(a) <= 4 || a->bytes == b->bytes);
}

/*
 * accesses with the same address register that are alike(), in the order of their statements
 */
struct row {
    int statement[ROW];
    int64_t offset[ROW];
    int count;
};

static struct row row_from(const struct zeros *z, const struct graph *g,
                           const struct instruction *code, int first)
{
    const struct ptx_operand *from = address_of(z, code, first);
    const struct basic_block *block = &g->blocks[g->block_of[first]];
    struct row row = {.count = 0};
    for (int k = first; from && k < block->first + block->count && row.count < ROW; k++) {
        const struct ptx_operand *o = address_of(z, code, k);
        if (code[k].counted_before)
            continue;
        if (o && alike(&code[first], &code[k]) && o->second == from->second &&
            o->index == from->index) {
            row.offset[row.count] = (int64_t)o->bits;
            row.statement[row.count++] = k;
        } else if (!may_cross(&code[first], &code[k])) {
            break;
        }
    }
    return row;
}

/* Finds `count` accesses of a row, including its first one, that together form one aligned access,
 * and stores their statements in `found`. `bytes` is the size of each access, and `zeros` is the
 * number of low bits of the address register that are known to be 0. Only the first `count` stores
 * of a row are considered, because stores do not move across each other. */
static bool take(const struct row *row, unsigned zeros, unsigned bytes, int count, bool load,
                 int found[MOST])
{
    int64_t low = row->offset[0] & -(int64_t)(bytes * (unsigned)count);
    int last = load || row->count < count ? row->count : count;
    if (bytes * (unsigned)count > WIDEST || 1u << least(zeros, 4) < bytes * (unsigned)count)
        return false;
    for (int k = 0; k < count; k++) {
        found[k] = -1;
        for (int i = 0; i < last && found[k] < 0; i++)
            if (row->offset[i] == low + k * (int64_t)bytes)
                found[k] = row->statement[i];
        if (found[k] < 0)
            return false;
    }
    return true;
}

void combine_shared(const struct ptx_module *m, const struct ptx_function *f, const struct graph *g,
                    struct instruction *code)
{
    struct zeros z = {.m = m, .f = f};
    for (int k = 0; k < f->statement_count; k++) {
        struct row row = row_from(&z, g, code, k);
        unsigned bytes = bytes_of(&code[k]);
        int found[MOST], count = MOST;
        if (row.count < 2 || code[k].counted_before)
            continue;
        unsigned zeros = of_address(&z, address_of(&z, code, k));
        while (count > 1 && !take(&row, zeros, bytes, count, code[k].kind == KIND_LOAD, found))
            count /= 2;
        if (count == 1)
            continue;
        code[k].whole_bytes = (uint8_t)(bytes * (unsigned)count);
        for (int i = 0; i < count; i++)
            code[found[i]].counted_before = found[i] != k;
    }
    free(z.of);
}
