/*
 * Implements program.h.
 *
 * The functions that the kernel calls, directly or through other functions, are decoded after the
 * kernel, each of them once. Each has its own registers and local memory.
 */
#include "devices/sim/program/combine.h"
#include "devices/sim/program/decode.h"
#include "devices/sim/program/follow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* the limit on the size of a warp's registers in bytes, which is far more than any kernel needs */
enum { MAX_REGISTER_BYTES = 1 << 23 };

/* Splits the current statement's opcode at its dots into d->words. */
static bool split_words(struct decoder *d)
{
    struct slice rest = d->s->opcode;
    d->word_count = 0;
    while (rest.length >= 0) {
        int length = 0;
        while (length < rest.length && rest.at[length] != '.')
            length++;
        if (d->word_count == DECODE_MAX_WORDS)
            return decode_unsupported(d, "it has too many parts");
        d->words[d->word_count++] = (struct slice){rest.at, length};
        rest.at += length + 1;
        rest.length -= length + 1;
    }
    return true;
}

/* Fails if the opcode contains a word twice or has too many types. The same type may occur twice,
 * as in cvt.f32.f32. */
static bool words_are_single(struct decoder *d, const struct opcode_family *family)
{
    int types = 0;
    for (int i = 1; i < d->word_count; i++) {
        struct type type;
        if (decode_type_word(d->words[i], &type)) {
            if (++types > family->types_most && family->types_most)
                return decode_unsupported(d, "it has too many types");
            continue;
        }
        for (int k = 1; k < i; k++)
            if (slice_equal(d->words[i], d->words[k]))
                return decode_unsupported(d, "it contains a word twice");
    }
    return true;
}

static bool decode_statement(struct decoder *d, int at)
{
    struct program *p = d->p;
    int index = d->first_code + at;
    d->s = &d->m->statements[d->f->first_statement + at];
    d->operands = d->m->operands + d->s->first;
    d->i = &p->code[index];
    p->origins[index] =
        (struct origin){d->s->line, d->s->source_file, d->s->source_line, d->s->opcode};
    const struct opcode_family *family = family_find(d->s->opcode);
    if (!family)
        return decode_unsupported(d, "");
    *d->i = (struct instruction){.kind = KIND_NOTHING, .reconverge = -1, .vector = -1};
    d->i->guard = GUARD_NONE; /* made by start_registers() */
    if (d->s->guard >= 0) {
        struct ptx_operand guard = {.kind = OPERAND_REGISTER, .index = d->s->guard};
        if (!decode_read_operand(d, &guard, 0, false, &d->i->guard))
            return false;
        d->i->guard_flip = d->s->guard_negated ? 0xffffffffu : 0;
    }
    return split_words(d) && words_are_single(d, family) && family->decode(d);
}

/* Makes room for the current function's instructions and another one, which ends a function that
 * does not end with a return. */
static void grow_code(struct decoder *d)
{
    struct program *p = d->p;
    size_t count = (size_t)p->count + (size_t)d->f->statement_count + 1;
    p->code = xrealloc(p->code, count * sizeof *p->code);
    p->origins = xrealloc(p->origins, count * sizeof *p->origins);
    d->first_code = p->count;
    p->count = (int)count;
    int end = p->count - 1;
    p->code[end] =
        (struct instruction){.kind = d->entry ? KIND_EXIT : KIND_RETURN, .guard = GUARD_NONE};
    p->origins[end] = (struct origin){.line = d->f->line, .opcode = {"ret", 3}};
}

/* Stores the rank of each instruction's basic block in p->ranks, unless the blocks of all functions
 * so far run in the order of the text. */
static void rank_code(struct decoder *d, const struct graph *g)
{
    struct program *p = d->p;
    int *rank = xmalloc(((size_t)g->count + 1) * sizeof *rank);
    if (graph_order(g, rank) || p->ranks) {
        p->ranks = xrealloc(p->ranks, (size_t)p->count * sizeof *p->ranks);
        for (int k = d->ranked; k < d->first_code; k++)
            p->ranks[k] = k;
        for (int k = 0; k < d->f->statement_count; k++)
            p->ranks[d->first_code + k] = d->first_code + rank[g->block_of[k]];
        p->ranks[p->count - 1] = p->count - 1;
        d->ranked = p->count;
    }
    free(rank);
}

static bool decode_function(struct decoder *d, int position)
{
    struct program *p = d->p;
    d->f = &d->m->functions[d->queue[position]];
    d->position = position;
    d->entry = position == 0;
    if (!d->f->defined)
        return FAIL(d->e, ERROR_UNSUPPORTED,
                    "PTX line %d: the function %.*s is declared, but not defined in this module, "
                    "so the simulator cannot run it. Write the kernel without this function, or "
                    "run the kernel on a GPU",
                    d->f->line, SLICE(d->f->name));
    d->local_base = d->local_bases[position];
    struct graph graph;
    if (!graph_build(d->m, d->f, &graph, d->e))
        return false;
    struct register_map map = registers_assign(d->m, d->f, &graph, p->register_bytes);
    grow_code(d);
    d->starts[position] = d->first_code;
    rank_code(d, &graph);
    d->graph = &graph;
    d->slots = map.slots;
    d->read = map.read;
    bool ok = true;
    for (int i = 0; ok && i < d->f->statement_count; i++)
        ok = decode_statement(d, i);
    if (ok)
        combine_shared(d->m, d->f, &graph, p->code + d->first_code);
    if (ok && d->sass)
        follow_function(d->sass, d->m, d->f, &graph, p->code + d->first_code, p);
    p->register_bytes = (map.bytes + 63) / 64 * 64;
    if (ok && p->register_bytes > MAX_REGISTER_BYTES)
        ok = FAIL(d->e, ERROR_UNSUPPORTED,
                  "the functions that the kernel calls need more registers than the simulator can "
                  "hold (%d bytes per warp)",
                  MAX_REGISTER_BYTES);
    registers_free(&map);
    graph_free(&graph);
    return ok;
}

static int compare_operations(const void *a, const void *b)
{
    const struct lane_operation *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

static void sort_lanes(struct decoder *d, const struct lane_operation *lanes)
{
    while (lanes[d->lane_count].name)
        d->lane_count++;
    d->lanes = xmalloc((size_t)d->lane_count * sizeof *d->lanes);
    for (int i = 0; i < d->lane_count; i++)
        d->lanes[i] = &lanes[i];
    qsort(d->lanes, (size_t)d->lane_count, sizeof *d->lanes, compare_operations);
}

/* Returns whether an opcode reads or writes the carry flag. */
static bool uses_carry(struct slice opcode)
{
    bool sets = memmem(opcode.at, (size_t)opcode.length, ".cc.", 4);
    for (const struct opcode_family *f = families; f->name; f++)
        if (f->operands && strchr(f->operands, 'C') && family_is(f, opcode) &&
            (sets || !strstr(f->name, ".cc")))
            return true;
    return false;
}

/*
 * Creates the first slots of areas 0 and 1 (lanes.h). Area 0 begins with a slot for results that
 * nothing reads, followed by those special registers that differ between warps. Area 1 begins with
 * a predicate that is always false and, at offset 64, one that is always true.
 */
static void start_registers(struct decoder *d)
{
    static const enum special of_warp[] = {SPECIAL_TID_X,   SPECIAL_TID_Y,   SPECIAL_TID_Z,
                                           SPECIAL_CTAID_X, SPECIAL_CTAID_Y, SPECIAL_CTAID_Z,
                                           SPECIAL_WARPID,  SPECIAL_SMID};
    static const enum special of_cluster[] = {SPECIAL_CLUSTER_RANK, SPECIAL_CLUSTERID_X};
    struct program *p = d->p;
    p->register_bytes = decode_slot_bytes(8);
    for (int i = 0; i < SPECIAL_COUNT; i++)
        p->specials[i] = SLOT_NONE;
    for (size_t i = 0; i < sizeof of_warp / sizeof *of_warp; i++) {
        p->specials[of_warp[i]] = p->register_bytes;
        p->register_bytes += decode_slot_bytes(4);
    }
    /* The registers that describe a cluster have slots only if the kernel uses them. */
    for (size_t i = 0; i < sizeof of_cluster / sizeof *of_cluster; i++) {
        bool used = false;
        for (int k = 0; k < d->m->operand_count && !used; k++)
            used = d->m->operands[k].kind == OPERAND_SPECIAL &&
                   d->m->operands[k].index == (int)of_cluster[i];
        if (!used)
            continue;
        p->specials[of_cluster[i]] = p->register_bytes;
        p->register_bytes += decode_slot_bytes(4);
    }
    p->carry = SLOT_NONE;
    for (int k = 0; k < d->m->statement_count && p->carry == SLOT_NONE; k++)
        if (uses_carry(d->m->statements[k].opcode))
            p->carry = p->register_bytes;
    if (p->carry != SLOT_NONE)
        p->register_bytes += decode_slot_bytes(0);
    decode_constant(d, 0, 0);
    decode_constant(d, 0, 1);
}

static void take_parameters(struct decoder *d)
{
    struct program *p = d->p;
    const struct ptx_function *f = d->f;
    p->parameter_count = f->parameter_count;
    p->parameter_bytes = (uint32_t)f->parameter_bytes;
    p->parameters = xcalloc((size_t)f->parameter_count + 1, sizeof *p->parameters);
    for (int i = 0; i < f->parameter_count; i++) {
        const struct ptx_variable *v = &d->m->variables[f->first_parameter + i];
        p->parameters[i] = (struct parameter){(uint32_t)v->offset, (uint32_t)v->bytes};
    }
}

static bool find_entry(struct decoder *d, struct ptx_module *m, const char *entry)
{
    for (int i = 0; i < d->m->function_count; i++) {
        const struct ptx_function *f = &d->m->functions[i];
        if (f->entry && f->defined && slice_is(f->name, entry)) {
            d->f = f;
            d->queue[d->queue_count++] = i;
            ptx_place_shared(m, f);
            return m->shared_bytes <= PTX_MAX_SHARED ||
                   FAIL(d->e, ERROR_UNSUPPORTED,
                        "the kernel has %llu bytes of static shared memory, but at most %d are "
                        "allowed",
                        (unsigned long long)m->shared_bytes, PTX_MAX_SHARED);
        }
    }
    return FAIL(d->e, ERROR_CONFIG,
                "the PTX contains no kernel named %s; is the kernel declared extern \"C\"?", entry);
}

/* Fails if a function calls itself, directly or through others. If none does, no chain of calls is
 * longer than the list of functions. */
static bool check_recursion(struct decoder *d)
{
    const struct program *p = d->p;
    int depth[DECODE_MAX_CALLEES] = {0};
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < p->call_count; i++) {
            const struct call *c = &p->calls[i];
            if (depth[c->target] > depth[c->caller])
                continue;
            depth[c->target] = depth[c->caller] + 1;
            changed = true;
            if (depth[c->target] >= d->queue_count)
                return FAIL(
                    d->e, ERROR_UNSUPPORTED,
                    "the function %.*s calls itself, but the simulator does not support recursion",
                    SLICE(c->name));
        }
    }
    return true;
}

static bool build(struct decoder *d, struct ptx_module *m, const char *entry,
                  const struct lane_operation *lanes)
{
    struct program *p = d->p;
    if (!find_entry(d, m, entry))
        return false;
    sort_lanes(d, lanes);
    start_registers(d);
    take_parameters(d);
    p->max_threads = d->f->max_threads;
    p->registers = d->f->register_count;
    p->shared_bytes = (uint32_t)d->m->shared_bytes;
    p->local_bytes = (uint32_t)d->f->local_bytes;
    for (int i = 0; i < d->queue_count; i++)
        if (!decode_function(d, i))
            return false;
    if (!check_recursion(d))
        return false;
    for (int i = 0; i < p->call_count; i++)
        p->calls[i].target = d->starts[p->calls[i].target];
    if (d->sass)
        follow_rest(d->sass, p);
    return true;
}

bool program_build(struct ptx_module *m, const char *entry, uint64_t global_base,
                   const struct lane_operation *lanes, const struct sass *sass,
                   struct program **out, struct error *e)
{
    struct program *p = xcalloc(1, sizeof *p);
    p->module = m;
    snprintf(p->name, sizeof p->name, "%s", entry);
    struct decoder d = {.p = p, .m = m, .global_base = global_base, .sass = sass, .e = e};
    bool ok = build(&d, m, entry, lanes);
    free(d.lanes);
    if (!ok) {
        program_free(p);
        return false;
    }
    *out = p;
    return true;
}

void program_free(struct program *p)
{
    if (!p)
        return;
    free(p->code);
    free(p->ranks);
    free(p->origins);
    free(p->references);
    free(p->calls);
    free(p->copies);
    free(p->tables);
    free(p->launch_area);
    free(p->parameter_slots);
    free(p->parameters);
    ptx_free(p->module);
    free(p);
}

const char *program_place(const struct program *p, int instruction, char *buffer, size_t size)
{
    const struct origin *o = &p->origins[instruction];
    struct slice file = ptx_file_name(p->module, o->source_file);
    if (o->source_line)
        snprintf(buffer, size, "%.*s:%d, PTX line %d (%.*s)", SLICE(file), o->source_line, o->line,
                 SLICE(o->opcode));
    else
        snprintf(buffer, size, "PTX line %d (%.*s)", o->line, SLICE(o->opcode));
    return buffer;
}
