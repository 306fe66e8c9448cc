/* Decodes branches, calls, barriers and data exchange between lanes. */
#include "devices/sim/program/decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the instruction at which lanes reconverge after the current branch, or -1 for the
 * function's end. */
static int32_t reconvergence_point(const struct decoder *d)
{
    int statement = (int)(d->s - d->m->statements) - d->f->first_statement;
    int at = graph_reconvergence(d->graph, statement);
    return at < 0 ? -1 : d->first_code + at;
}

bool decode_branch(struct decoder *d)
{
    if (!decode_only(d, "uni") || !decode_count(d, 1, 1))
        return false;
    /* graph_build() has checked that the label exists */
    int to = graph_label(d->m, d->f, d->operands[0].name);
    d->i->kind = KIND_BRANCH;
    d->i->target = d->first_code + to;
    d->i->reconverge = reconvergence_point(d);
    d->i->uniform = decode_has(d, "uni");
    return true;
}

bool decode_branch_table(struct decoder *d)
{
    struct program *p = d->p;
    if (!decode_only(d, "idx uni") || !decode_count(d, 2, 2))
        return false;
    const struct ptx_targets *t = graph_targets(d->m, d->f, d->operands[1].name);
    d->i->kind = KIND_BRANCH_TABLE;
    d->i->target = p->table_count;
    d->i->reconverge = reconvergence_point(d);
    array_push(p->tables, p->table_count, t->count);
    for (int k = 0; k < t->count; k++)
        array_push(p->tables, p->table_count,
                   d->first_code + graph_label(d->m, d->f, d->m->operands[t->first + k].name));
    return decode_read(d, 0, 4, false, &d->i->o.a);
}

/* Returns a function's position in d->queue, after appending the function if it is new. Returns -1
 * if the queue is full. */
static int enqueue(struct decoder *d, int function)
{
    for (int i = 0; i < d->queue_count; i++)
        if (d->queue[i] == function)
            return i;
    if (d->queue_count == DECODE_MAX_CALLEES)
        return -1;
    struct program *p = d->p;
    p->local_bytes = (p->local_bytes + 15) / 16 * 16;
    d->queue[d->queue_count] = function;
    d->local_bases[d->queue_count] = p->local_bytes;
    p->local_bytes += (uint32_t)d->m->functions[function].local_bytes;
    return d->queue_count++;
}

/* If `in` is true, adds the copies of a call's arguments to the parameters of the called function.
 * Otherwise, adds the copies of its results to variables of the calling function. */
static bool pair_parameters(struct decoder *d, const struct ptx_operand *list, int first, int count,
                            uint32_t callee_base, bool in)
{
    int given = list ? list->count : 0;
    if (given != count)
        return decode_unsupported(d, "the function has a different number of parameters");
    for (int k = 0; k < count; k++) {
        const struct ptx_operand *o = &d->m->operands[list->index + k];
        const struct ptx_variable *formal = &d->m->variables[first + k];
        uint64_t ours, theirs = formal->offset + callee_base;
        if (o->kind != OPERAND_VARIABLE || d->m->variables[o->index].space != SPACE_PARAM)
            return decode_unsupported(d, "an argument is not a .param variable");
        if (d->m->variables[o->index].bytes < formal->bytes)
            return decode_unsupported(d, "an argument is too short");
        if (!decode_variable(d, o, &ours))
            return false;
        array_push(d->p->copies, d->p->copy_count,
                   (struct call_copy){(uint32_t)(in ? ours : theirs),
                                      (uint32_t)(in ? theirs : ours), (uint32_t)formal->bytes});
    }
    return true;
}

/* Adds a struct call_copy that says where argument or result number k of a runtime call is in the
 * thread's local memory. */
static bool add_place(struct decoder *d, const struct ptx_operand *list, int k, uint32_t bytes)
{
    uint64_t place;
    const struct ptx_operand *o = &d->m->operands[list->index + k];
    if (o->kind != OPERAND_VARIABLE || d->m->variables[o->index].space != SPACE_PARAM ||
        d->m->variables[o->index].bytes < bytes)
        return decode_unsupported(d,
                                  "an argument does not have the form that the function expects");
    if (!decode_variable(d, o, &place))
        return false;
    array_push(d->p->copies, d->p->copy_count,
               (struct call_copy){(uint32_t)place, (uint32_t)place, bytes});
    return true;
}

/* The functions of the device runtime with which kernels launch kernels (CDP2), and the functions
 * that printf and assert call. The numbers are the sizes of their arguments and results in
 * bytes. */
static const struct runtime_function {
    const char *name;
    enum runtime_operation operation;
    int arguments;
    uint32_t bytes[5], result; /* 0: no result */
} runtime_functions[] = {
    {"__cudaCDP2GetParameterBufferV2", RUNTIME_BUFFER, 4, {8, 12, 12, 4}, 8},
    {"__cudaCDP2LaunchDeviceV2", RUNTIME_LAUNCH, 2, {8, 8}, 4},
    {"__cudaCDP2GetLastError", RUNTIME_LAST_ERROR, 0, {0}, 4},
    {"vprintf", RUNTIME_PRINTF, 2, {8, 8}, 4},
    {"__assertfail", RUNTIME_ASSERT, 5, {8, 8, 4, 8, 8}, 0},
};

static const struct runtime_function *find_runtime_function(struct slice name)
{
    for (size_t k = 0; k < sizeof runtime_functions / sizeof *runtime_functions; k++)
        if (slice_is(name, runtime_functions[k].name))
            return &runtime_functions[k];
    return NULL;
}

static bool decode_runtime_call(struct decoder *d, const struct runtime_function *f,
                                const struct ptx_operand *results,
                                const struct ptx_operand *arguments)
{
    if ((arguments ? arguments->count : 0) != f->arguments ||
        (results ? results->count : 0) != (f->result ? 1 : 0))
        return decode_unsupported(d, "the function has a different number of parameters");
    d->i->kind = KIND_RUNTIME;
    d->i->operation = (uint8_t)f->operation;
    d->i->target = d->p->copy_count;
    d->i->elements = (uint8_t)f->arguments;
    for (int k = 0; k < f->arguments; k++)
        if (!add_place(d, arguments, k, f->bytes[k]))
            return false;
    return !f->result || add_place(d, results, 0, f->result);
}

bool decode_call(struct decoder *d)
{
    const struct ptx_operand *results = NULL, *arguments = NULL;
    int at = 0;
    if (!decode_only(d, "uni"))
        return false;
    if (d->s->count > at && d->operands[at].kind == OPERAND_LIST)
        results = &d->operands[at++];
    if (d->s->count <= at || d->operands[at].kind != OPERAND_NAME)
        return decode_unsupported(d, "calls through pointers are not supported");
    struct slice name = d->operands[at++].name;
    if (d->s->count > at && d->operands[at].kind == OPERAND_LIST)
        arguments = &d->operands[at++];
    if (d->s->count != at)
        return decode_unsupported(d, "this form is not supported");
    const struct runtime_function *runtime = find_runtime_function(name);
    if (runtime)
        return decode_runtime_call(d, runtime, results, arguments);
    int function = ptx_find_function(d->m, name);
    if (function < 0 || !d->m->functions[function].defined) {
        char why[128];
        snprintf(why, sizeof why, "the function '%.*s' is not in this module",
                 name.length < 60 ? name.length : 60, name.at);
        return decode_unsupported(d, why);
    }
    const struct ptx_function *callee = &d->m->functions[function];
    int position = enqueue(d, function);
    if (position < 0 || d->p->local_bytes > PTX_MAX_LOCAL)
        return decode_unsupported(
            d, "the kernel calls too many functions, or they have too much local memory");
    struct program *p = d->p;
    struct call c = {
        .caller = d->position, .target = position, .first_in = p->copy_count, .name = name};
    uint32_t base = d->local_bases[position];
    if (!pair_parameters(d, arguments, callee->first_parameter, callee->parameter_count, base,
                         true))
        return false;
    c.in_count = p->copy_count - c.first_in;
    c.first_out = p->copy_count;
    if (!pair_parameters(d, results, callee->first_result, callee->result_count, base, false))
        return false;
    c.out_count = p->copy_count - c.first_out;
    d->i->kind = KIND_CALL;
    d->i->target = p->call_count;
    array_push(p->calls, p->call_count, c);
    return true;
}

bool decode_return(struct decoder *d)
{
    d->i->kind = d->entry ? KIND_EXIT : KIND_RETURN;
    return decode_only(d, "uni") && decode_count(d, 0, 0);
}

bool decode_exit(struct decoder *d)
{
    d->i->kind = KIND_EXIT;
    return decode_only(d, "") && decode_count(d, 0, 0);
}

bool decode_trap(struct decoder *d)
{
    d->i->kind = KIND_TRAP;
    return decode_only(d, "") && decode_count(d, 0, 0);
}

bool decode_pause(struct decoder *d)
{
    d->i->kind = KIND_PAUSE;
    return decode_only(d, "u32") && decode_count(d, 1, 1);
}

/* Decodes bar.red, which has the form bar.red.popc.u32 d, barrier {, count}, {!}p. */
static bool barrier_reduction(struct decoder *d)
{
    struct instruction *i = d->i;
    bool popc = decode_has(d, "popc");
    if (!decode_count(d, 3, 4))
        return false;
    const struct ptx_operand *p = &d->operands[d->s->count - 1];
    i->operation = popc ? BARRIER_POPC : decode_has(d, "and") ? BARRIER_AND : BARRIER_OR;
    i->o.negate_c = p->negated;
    if (!decode_write(d, 0, popc ? 4 : 0, &i->o.d) || !decode_read(d, 1, 4, false, &i->o.a) ||
        !decode_read_operand(d, p, 0, false, &i->o.c))
        return false;
    i->o.has_d2 = d->s->count == 4;
    return !i->o.has_d2 || decode_read(d, 2, 4, false, &i->o.b);
}

bool decode_barrier(struct decoder *d)
{
    struct instruction *i = d->i;
    if (decode_has(d, "cluster"))
        return decode_cluster_barrier(d);
    if (!decode_only(d, "cta warp sync arrive red popc and or aligned u32 pred"))
        return false;
    if (decode_has(d, "warp")) {
        slot_reference mask;
        i->kind = KIND_WARP_BARRIER;
        if (!decode_count(d, 1, 1) || !decode_read(d, 0, 4, false, &mask))
            return false;
        i->offset = mask;
        return true;
    }
    i->kind = KIND_BARRIER;
    if (decode_has(d, "red"))
        return barrier_reduction(d);
    i->operation = decode_has(d, "arrive") ? BARRIER_ARRIVE : BARRIER_SYNC;
    if (!decode_count(d, i->operation == BARRIER_ARRIVE ? 2 : 1, 2) ||
        !decode_read(d, 0, 4, false, &i->o.a))
        return false;
    i->o.has_d2 = d->s->count == 2; /* operand b is the number of threads */
    return !i->o.has_d2 || decode_read(d, 1, 4, false, &i->o.b);
}

/* Reads the first operand, d or d|p, which is a result with an optional predicate. */
static bool paired_result(struct decoder *d, int bytes)
{
    struct instruction *i = d->i;
    const struct ptx_operand *o = &d->operands[0];
    if (o->kind != OPERAND_PAIR)
        return decode_write(d, 0, bytes, &i->o.d);
    struct ptx_operand one = {.kind = o->index < 0 ? OPERAND_SINK : OPERAND_REGISTER,
                              .index = o->index};
    struct ptx_operand two = {.kind = o->second < 0 ? OPERAND_SINK : OPERAND_REGISTER,
                              .index = o->second};
    i->o.has_d2 = true;
    return decode_write_operand(d, &one, bytes, &i->o.d) &&
           decode_write_operand(d, &two, 0, &i->o.d2);
}

/* Decodes shfl.sync.down.b32 d|p, a, b, c, mask. The slot of the mask is stored in i->offset, which
 * is free because the instruction has no address. */
bool decode_shuffle(struct decoder *d)
{
    struct instruction *i = d->i;
    slot_reference mask;
    if (!decode_only(d, "sync up down bfly idx b32") || !decode_count(d, 5, 5))
        return false;
    if (!decode_has(d, "sync"))
        return decode_unsupported(d, "it lacks .sync");
    i->kind = KIND_SHUFFLE;
    i->operation = decode_has(d, "up")     ? SHUFFLE_UP
                   : decode_has(d, "down") ? SHUFFLE_DOWN
                   : decode_has(d, "bfly") ? SHUFFLE_BFLY
                                           : SHUFFLE_IDX;
    if (!paired_result(d, 4) || !decode_read(d, 1, 4, false, &i->o.a) ||
        !decode_read(d, 2, 4, false, &i->o.b) || !decode_read(d, 3, 4, false, &i->o.c) ||
        !decode_read(d, 4, 4, false, &mask))
        return false;
    i->offset = mask;
    return true;
}

bool decode_vote(struct decoder *d)
{
    struct instruction *i = d->i;
    slot_reference mask;
    if (!decode_only(d, "sync all any uni ballot pred b32") || !decode_count(d, 3, 3))
        return false;
    if (!decode_has(d, "sync"))
        return decode_unsupported(d, "it lacks .sync");
    i->kind = KIND_VOTE;
    i->operation = decode_has(d, "all")   ? VOTE_ALL
                   : decode_has(d, "any") ? VOTE_ANY
                   : decode_has(d, "uni") ? VOTE_UNI
                                          : VOTE_BALLOT;
    i->o.negate_c = d->operands[1].negated;
    if (!decode_write(d, 0, i->operation == VOTE_BALLOT ? 4 : 0, &i->o.d) ||
        !decode_read(d, 1, 0, false, &i->o.a) || !decode_read(d, 2, 4, false, &mask))
        return false;
    i->offset = mask;
    return true;
}

bool decode_match(struct decoder *d)
{
    struct instruction *i = d->i;
    struct type t;
    slot_reference mask;
    if (!decode_type(d, &t) || !decode_only(d, "any all sync b32 b64") || !decode_count(d, 3, 3))
        return false;
    i->kind = KIND_MATCH;
    i->operation = decode_has(d, "all") ? MATCH_ALL : MATCH_ANY;
    i->wide_a = t.bytes == 8;
    if (!paired_result(d, 4) || !decode_read(d, 1, t.bytes, false, &i->o.a) ||
        !decode_read(d, 2, 4, false, &mask))
        return false;
    i->offset = mask;
    return true;
}

bool decode_redux(struct decoder *d)
{
    static const struct {
        const char *word;
        enum atomic_operation operation;
    } operations[] = {{"add", ATOMIC_ADD}, {"min", ATOMIC_MIN}, {"max", ATOMIC_MAX},
                      {"and", ATOMIC_AND}, {"or", ATOMIC_OR},   {"xor", ATOMIC_XOR}};
    struct instruction *i = d->i;
    struct type t;
    slot_reference mask;
    if (!decode_type(d, &t) || !decode_only(d, "sync add min max and or xor u32 s32 b32") ||
        !decode_count(d, 3, 3))
        return false;
    i->kind = KIND_REDUX;
    for (size_t k = 0; k < sizeof operations / sizeof *operations; k++)
        if (decode_has(d, operations[k].word))
            i->operation = (uint8_t)operations[k].operation;
    i->type = (uint8_t)t.value;
    i->bytes = 4;
    if (!decode_write(d, 0, 4, &i->o.d) || !decode_read(d, 1, 4, false, &i->o.a) ||
        !decode_read(d, 2, 4, false, &mask))
        return false;
    i->offset = mask;
    return true;
}

bool decode_active_mask(struct decoder *d)
{
    d->i->kind = KIND_ACTIVE_MASK;
    return decode_only(d, "b32") && decode_count(d, 1, 1) && decode_write(d, 0, 4, &d->i->o.d);
}

bool decode_elect(struct decoder *d)
{
    struct instruction *i = d->i;
    slot_reference mask;
    if (!decode_only(d, "sync") || !decode_count(d, 2, 2) || !paired_result(d, 4) ||
        !decode_read(d, 1, 4, false, &mask))
        return false;
    i->kind = KIND_ELECT;
    i->offset = mask;
    return true;
}
