/*
 * Which accesses of shared memory are one for the machine: see combine.h for the rule.
 *
 * An address is a multiple of 2^k when its register and its offset are. What is known of a register
 * is the least of what is known of all that is ever written to it, by repeated walks over the
 * statements, from "a multiple of everything" downwards.
 */
#include "devices/sim/program/combine.h"

#include "base/memory.h"
#include "devices/sim/program/decode.h"

#include <stdlib.h>
#include <string.h>

enum { ANY = 63, WIDEST = 16 };

struct zeros {
    const struct ptx_module *m;
    const struct ptx_function *f;
    uint8_t *of; /* of each register: the low bits that are known to be 0; ANY: nothing else was seen */
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
    return (size_t)opcode.length > length && !memcmp(opcode.at, with, length) && opcode.at[length] == '.';
}

/* How the low bits of a result follow from those of the operands behind it. */
enum rule { COPIES, ADDS, MULTIPLIES, MULTIPLIES_AND_ADDS, SHIFTS, MASKS, SELECTS };
static const struct {
    const char *opcode;
    enum rule rule;
    int operands; /* with the result */
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
            return o[2].kind == OPERAND_INTEGER && o[2].bits < ANY ? least(a + (unsigned)o[2].bits, ANY) : a;
        case MASKS:
            return a > b ? a : b;
        }
    }
    return 0;
}

/* Lowers what is known of the registers that an operand names; true when something changed. */
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

/* The address of an access that may be combined; NULL: the statement is none. */
static const struct ptx_operand *address_of(const struct zeros *z, int statement,
                                            const struct instruction *i)
{
    bool load = i->kind == KIND_LOAD;
    if ((!load && i->kind != KIND_STORE) || i->space != SPACE_SHARED || i->elements != 1 ||
        i->strong || i->is_volatile || i->bytes < 4)
        return NULL;
    const struct ptx_statement *s = &z->m->statements[z->f->first_statement + statement];
    const struct ptx_operand *o = &z->m->operands[s->first];
    return s->count == 2 && o[load].kind == OPERAND_ADDRESS ? &o[load] : NULL;
}

static unsigned of_address(const struct zeros *z, const struct ptx_operand *o)
{
    return o->second >= 0 ? z->of[o->second] : o->index >= 0 ? of_variable(&z->m->variables[o->index]) : 0;
}

/* Whether statement `b` continues an access that begins with `a`. */
static bool continues(const struct zeros *z, const struct graph *g, const struct instruction *code, int a,
                      int b)
{
    const struct instruction *x = &code[a], *y = &code[b];
    const struct ptx_operand *from = address_of(z, a, x), *to = address_of(z, b, y);
    return from && to && g->block_of[a] == g->block_of[b] && x->kind == y->kind && x->bytes == y->bytes &&
           x->guard == y->guard && x->guard_flip == y->guard_flip && from->second == to->second &&
           from->index == to->index;
}

/* Whether the `count` statements from `first` on are one access, whose first byte is at *low. */
static bool is_one(const struct zeros *z, const struct graph *g, const struct instruction *code, int first,
                   int count, int64_t *low)
{
    unsigned bytes = code[first].bytes, seen = 0;
    if (first + count > z->f->statement_count || bytes * (unsigned)count > WIDEST)
        return false;
    for (int k = 0; k < count; k++) {
        if (!continues(z, g, code, first + (k ? k - 1 : 0), first + k))
            return false;
        int64_t at = (int64_t)address_of(z, first + k, &code[first + k])->bits;
        *low = k == 0 || at < *low ? at : *low;
    }
    for (int k = 0; k < count; k++) {
        uint64_t at = address_of(z, first + k, &code[first + k])->bits - (uint64_t)*low;
        if (at % bytes == 0 && at / bytes < (unsigned)count)
            seen |= 1u << at / bytes;
    }
    unsigned zeros = least(of_address(z, address_of(z, first, &code[first])), trailing((uint64_t)*low));
    return seen == (1u << count) - 1 && 1u << least(zeros, 4) >= bytes * (unsigned)count;
}

void combine_shared(const struct ptx_module *m, const struct ptx_function *f, const struct graph *g,
                    struct instruction *code)
{
    struct zeros z = {.m = m, .f = f, .of = xmalloc((size_t)f->register_count + 1)};
    find_zeros(&z);
    for (int k = 0; k < f->statement_count; k++) {
        int64_t low;
        int count = is_one(&z, g, code, k, 4, &low) ? 4 : is_one(&z, g, code, k, 2, &low) ? 2 : 1;
        if (count == 1)
            continue;
        code[k].whole_bytes = (uint8_t)(code[k].bytes * count);
        code[k].whole_below = (uint8_t)(address_of(&z, k, &code[k])->bits - (uint64_t)low);
        for (int i = 1; i < count; i++)
            code[k + i].counted_before = true;
        k += count - 1;
    }
    free(z.of);
}
