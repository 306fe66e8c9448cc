/* Decodes instructions that access memory or convert addresses. */
#include "devices/sim/program/decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Words without effect, because the simulator has no caches and does not reorder accesses. */
#define HINTS                                                                                      \
    "weak nc ca cg cs cv lu wb wt L1::evict_normal L1::evict_unchanged L1::evict_first "           \
    "L1::evict_last L1::no_allocate L2::evict_first L2::evict_last L2::evict_normal L2::64B "      \
    "L2::128B L2::256B L2::cache_hint "
#define STRENGTHS "volatile relaxed acquire release acq_rel seq_cst cta cluster gpu sys "
#define SPACES                                                                                     \
    "global shared shared::cta shared::cluster local param param::entry param::func const u "
#define TYPES "b8 u8 s8 b16 u16 s16 b32 u32 s32 b64 u64 s64 f32 f64"

/* Returns whether the instruction may have a cache policy as its last operand (.L2::cache_hint). */
static bool policy_operand(const struct decoder *d)
{
    return decode_has(d, "L2::cache_hint");
}

static void take_space(struct decoder *d)
{
    static const struct {
        const char *word;
        enum space space;
    } spaces[] = {{"global", SPACE_GLOBAL},      {"shared", SPACE_SHARED},
                  {"shared::cta", SPACE_SHARED}, {"shared::cluster", SPACE_CLUSTER},
                  {"local", SPACE_LOCAL},        {"param", SPACE_PARAM},
                  {"param::entry", SPACE_PARAM}, {"param::func", SPACE_PARAM},
                  {"const", SPACE_CONST}};
    d->i->space = slice_is(d->words[0], "ldu") ? SPACE_GLOBAL : SPACE_GENERIC;
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (decode_has(d, spaces[i].word))
            d->i->space = (uint8_t)spaces[i].space;
    d->i->is_volatile = decode_has(d, "volatile");
    d->i->acquires = decode_has(d, "acquire") || decode_has(d, "acq_rel");
    d->i->releases = decode_has(d, "release") || decode_has(d, "acq_rel");
    d->i->block_scope = decode_has(d, "cta");
    d->i->strong = decode_has(d, "volatile") || decode_has(d, "relaxed") ||
                   decode_has(d, "acquire") || decode_has(d, "release");
}

static int vector_length(const struct decoder *d)
{
    return decode_has(d, "v2") ? 2 : decode_has(d, "v4") ? 4 : decode_has(d, "v8") ? 8 : 1;
}

/* Finds the slot for an element that a load or store moves. Sets *wide to whether the slot has 64
 * bits per lane. */
static bool take_element(struct decoder *d, const struct ptx_operand *o, const struct type *t,
                         bool store, slot_reference *slot, bool *wide)
{
    int width = decode_width(d, o);
    int bytes = width == 8 || (width < 0 && t->bytes == 8) ? 8 : 4;
    if (width == 0 || (width >= 0 && width < (t->bytes == 8 ? 8 : 4)))
        return decode_unsupported(d, "a register does not have the width of the type");
    *wide = bytes == 8;
    if (store)
        return decode_read_operand(d, o, bytes, t->value == VALUE_FLOAT, slot);
    return decode_write_operand(d, o, bytes, slot);
}

/* Finds the slots of the registers that a load writes or a store reads. They are operand number
 * `at`, a register or a vector. */
static bool take_elements(struct decoder *d, int at, const struct type *t, bool store)
{
    struct instruction *i = d->i;
    const struct ptx_operand *o = &d->operands[at];
    slot_reference slot;
    i->elements = (uint8_t)vector_length(d);
    i->bytes = (uint8_t)t->bytes;
    i->type = (uint8_t)t->value;
    bool *wide = store ? &i->wide_a : &i->wide_d;
    if (i->elements == 1) {
        if (o->kind == OPERAND_VECTOR)
            return decode_unsupported(d, "a vector needs .v2, .v4 or .v8");
        if (!take_element(d, o, t, store, &slot, wide))
            return false;
        *(store ? &i->o.a : &i->o.d) = slot;
        i->has_d = !store && o->kind != OPERAND_SINK;
        return true;
    }
    if (o->kind != OPERAND_VECTOR || o->count != i->elements || i->elements * t->bytes > 32)
        return decode_unsupported(
            d, "the vector does not have the length that the instruction requires");
    i->vector = d->p->reference_count;
    for (int k = 0; k < o->count; k++) {
        const struct ptx_operand *element = &d->m->operands[o->index + k];
        bool this_wide;
        if (!take_element(d, element, t, store, &slot, &this_wide))
            return false;
        if (!store && element->kind == OPERAND_REGISTER && !d->read[element->index])
            /* nothing reads this element; compilers load four values if they need three */
            slot = 0;
        if (k > 0 && this_wide != *wide)
            return decode_unsupported(d, "the registers of the vector have different widths");
        *wide = this_wide;
        array_push(d->p->references, d->p->reference_count, slot);
    }
    i->has_d = !store;
    return true;
}

/* Decodes an ld.param of a kernel with a fixed offset as a copy from a slot of the launch area. */
static bool load_parameter(struct decoder *d, const struct type *t)
{
    struct instruction *i = d->i;
    struct program *p = d->p;
    struct parameter_slot s = {.offset = (uint32_t)i->offset,
                               .bytes = (uint32_t)t->bytes,
                               .is_signed = t->value == VALUE_SIGNED,
                               .wide = i->wide_d};
    if (i->offset + (uint64_t)t->bytes > p->parameter_bytes)
        return decode_unsupported(d, "it reads beyond the parameters");
    s.slot = decode_launch_slot(d, s.wide ? 8 : 4);
    array_push(p->parameter_slots, p->parameter_slot_count, s);
    i->o.a = s.slot;
    return decode_lane(d, s.wide ? "mov_u64" : "mov_u32");
}

bool decode_load(struct decoder *d)
{
    struct type t;
    if (!decode_type(d, &t) || !decode_only(d, HINTS STRENGTHS SPACES "v2 v4 v8 " TYPES) ||
        !decode_count(d, 2, policy_operand(d) ? 3 : 2))
        return false;
    take_space(d);
    d->i->kind = KIND_LOAD;
    if (!take_elements(d, 0, &t, false) || !decode_address(d, 1))
        return false;
    const struct ptx_operand *a = &d->operands[1];
    bool own = d->i->space == SPACE_PARAM && d->entry &&
               (a->index < 0 || (a->index >= d->f->first_parameter &&
                                 a->index < d->f->first_parameter + d->f->parameter_count));
    if (!own)
        return true;
    /* marks a load of the kernel's own parameters, rather than those of a call */
    d->i->operation = 1;
    if (d->i->has_address || d->i->elements > 1)
        return true;
    return load_parameter(d, &t);
}

bool decode_store(struct decoder *d)
{
    struct type t;
    if (!decode_type(d, &t) || !decode_only(d, HINTS STRENGTHS SPACES "v2 v4 v8 " TYPES) ||
        !decode_count(d, 2, policy_operand(d) ? 3 : 2))
        return false;
    take_space(d);
    d->i->kind = KIND_STORE;
    return decode_address(d, 0) && take_elements(d, 1, &t, true);
}

static bool atomic_operation(const struct decoder *d, enum atomic_operation *out)
{
    static const char *const names[] = {"add", "min",  "max", "and", "or",
                                        "xor", "exch", "cas", "inc", "dec"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (decode_has(d, names[i])) {
            *out = (enum atomic_operation)i;
            return true;
        }
    }
    return false;
}

/* Decodes the vectors of an atomic such as atom.add.v4.f32 {d …}, [a], {b …}. Stores the slots of
 * the results d in p->references, and behind them those of the operands b. */
static bool atomic_vectors(struct decoder *d, int at, const struct type *t)
{
    struct instruction *i = d->i;
    bool wide;
    i->vector = d->p->reference_count;
    for (int list = 0; list < 2; list++) {
        bool results = list == 0;
        const struct ptx_operand *o = &d->operands[results ? 0 : at + 1];
        if (results && at == 0) { /* red, which has no results */
            for (int k = 0; k < i->elements; k++)
                array_push(d->p->references, d->p->reference_count, 0);
            continue;
        }
        if (o->kind != OPERAND_VECTOR || o->count != i->elements)
            return decode_unsupported(
                d, "the vector does not have the length that the instruction requires");
        for (int k = 0; k < o->count; k++) {
            const struct ptx_operand *element = &d->m->operands[o->index + k];
            slot_reference slot;
            if (!take_element(d, element, t, !results, &slot, &wide))
                return false;
            array_push(d->p->references, d->p->reference_count, slot);
            i->reduction &=
                !(results && element->kind == OPERAND_REGISTER && d->read[element->index]);
        }
    }
    return true;
}

/*
 * Finds the slot of an atomic's result. If nothing reads the result, the atomic is a reduction, as
 * with ptxas.
 */
static bool atomic_result(struct decoder *d, const struct type *t)
{
    struct instruction *i = d->i;
    const struct ptx_operand *o = &d->operands[0];
    i->has_d = o->kind == OPERAND_REGISTER;
    i->reduction = !i->has_d || !d->read[o->index];
    return decode_write(d, 0, t->bytes, &i->o.d);
}

#define ATOMIC_WORDS                                                                               \
    STRENGTHS "global shared shared::cta shared::cluster add min max and or xor exch cas inc dec " \
              "noftz v2 v4 v8 L2::cache_hint b16 b32 u32 s32 b64 u64 s64 f16 bf16 f16x2 bf16x2 "   \
              "f32 f64"

bool decode_atomic(struct decoder *d)
{
    struct type t;
    enum atomic_operation operation;
    struct instruction *i = d->i;
    bool result = slice_is(d->words[0], "atom");
    if (!decode_type(d, &t) || !atomic_operation(d, &operation) || !decode_only(d, ATOMIC_WORDS))
        return decode_unsupported(d, "");
    bool is_float = t.value == VALUE_FLOAT;
    bool orders = operation == ATOMIC_MIN || operation == ATOMIC_MAX;
    bool vector_of_halves = t.half && vector_length(d) > 1;
    if (is_float && operation != ATOMIC_ADD && !(orders && vector_of_halves))
        return decode_unsupported(d, "this operation is not supported for floats");
    if (t.bytes < 4 && !is_float && operation != ATOMIC_CAS && operation != ATOMIC_EXCH)
        return decode_unsupported(d, "this operation is not supported for 16 bits");
    int at = result ? 1 : 0, operands = at + (operation == ATOMIC_CAS ? 3 : 2);
    int policy = policy_operand(d) ? 1 : 0;
    if (!decode_count(d, operands, operands + policy))
        return false;
    take_space(d);
    i->kind = KIND_ATOMIC;
    i->operation = (uint8_t)operation;
    i->bytes = (uint8_t)t.bytes;
    i->elements = (uint8_t)vector_length(d);
    i->type = (uint8_t)t.value;
    i->half = !t.half ? HALF_NONE : t.name[0] == 'b' ? HALF_BF16 : HALF_F16;
    i->wide_d = i->wide_a = t.bytes == 8;
    i->reduction = true;
    if (!decode_address(d, at))
        return false;
    if (i->elements > 1)
        return i->elements * i->bytes <= 32 && is_float
                   ? atomic_vectors(d, at, &t)
                   : decode_unsupported(d, "this operation is not supported for this vector");
    if (!decode_read(d, at + 1, t.bytes, is_float, &i->o.a))
        return false;
    if (operation == ATOMIC_CAS && !decode_read(d, at + 2, t.bytes, is_float, &i->o.c))
        return false;
    return !result || atomic_result(d, &t);
}

bool decode_fence(struct decoder *d)
{
    if (!decode_only(d, "cta gl sys gpu cluster sc acq_rel acquire release proxy async global "
                        "shared::cta mbarrier_init"))
        return false;
    d->i->kind = KIND_FENCE;
    d->i->block_scope = decode_has(d, "cta");
    return decode_count(d, 0, 0);
}

bool decode_griddepcontrol(struct decoder *d)
{
    return decode_only(d, "wait launch_dependents") && decode_count(d, 0, 0);
}

bool decode_prefetch(struct decoder *d)
{
    return decode_only(d, "global local L1 L2 L2::evict_last L2::evict_normal") &&
           decode_count(d, 1, 1);
}

static bool one_space(struct decoder *d, int word, enum space *space)
{
    static const char *const words[] = {"global", "const", "shared", "local", "param"};
    static const enum space spaces[] = {SPACE_GLOBAL, SPACE_CONST, SPACE_SHARED, SPACE_LOCAL,
                                        SPACE_PARAM};
    for (int i = 0; i < 5; i++) {
        if (d->word_count > word && slice_is(d->words[word], words[i])) {
            *space = spaces[i];
            return true;
        }
    }
    return decode_unsupported(d, "its state space is not supported");
}

/* Decodes cvta, such as cvta.to.global.u64 and cvta.shared.u64. */
bool decode_generic(struct decoder *d)
{
    struct instruction *i = d->i;
    bool from = decode_has(d, "to");
    enum space space;
    if (!decode_only(d, "to global const shared local param u64") || !decode_has(d, "u64") ||
        !decode_count(d, 2, 2) || !one_space(d, from ? 2 : 1, &space))
        return decode_unsupported(d, "this form is not supported");
    i->space = (uint8_t)space;
    if (!decode_write(d, 0, 8, &i->o.d) || !decode_read(d, 1, 8, false, &i->o.a))
        return false;
    if (space == SPACE_GLOBAL || space == SPACE_CONST)
        return decode_lane(d, "mov_u64");
    if (space == SPACE_PARAM)
        return decode_unsupported(d, "addresses of parameters are not supported");
    i->kind = from ? KIND_FROM_GENERIC : KIND_TO_GENERIC;
    return true;
}

bool decode_is_space(struct decoder *d)
{
    enum space space;
    struct instruction *i = d->i;
    if (!decode_count(d, 2, 2) || !one_space(d, 1, &space) || d->word_count != 2)
        return decode_unsupported(d, "this form is not supported");
    i->kind = KIND_IS_SPACE;
    i->space = (uint8_t)space;
    return decode_write(d, 0, 0, &i->o.d) && decode_read(d, 1, 8, false, &i->o.a);
}
