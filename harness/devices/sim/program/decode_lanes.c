/*
 * Decodes instructions that are lane operations (lanes.h). The opcode's words determine the name of
 * a row in lane_operations.h (add.s32 → add_u32, setp.lt.and.f32 → setp_lt_f32), and operands
 * become slots. For most of these instructions, the rows in families.c contain everything that
 * decode_computation() needs. The others have functions of their own.
 */
#include "devices/sim/program/decode.h"

#include <stdio.h>
#include <string.h>

#define COMPARISONS "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan "

const char *decode_row_type(const struct type *t)
{
    if (!t->bits)
        return t->name;
    return t->bytes == 0   ? "pred"
           : t->bytes == 1 ? "u8"
           : t->bytes == 2 ? "u16"
           : t->bytes == 4 ? "u32"
                           : "u64";
}

/* Returns the name of the unsigned type of the same width as t, or the name of t itself if it is a
 * float. Used for operations whose result does not depend on whether integers are signed. */
static const char *unsigned_type(const struct type *t)
{
    if (t->value == VALUE_FLOAT)
        return t->name;
    return t->bytes == 0 ? "pred" : t->bytes == 2 ? "u16" : t->bytes == 4 ? "u32" : "u64";
}

void decode_float_mode(struct decoder *d, const struct type *result, const struct type *source,
                       unsigned sources)
{
    static const char *const modes[] = {"rz", "rm", "rp"};
    struct instruction *i = d->i;
    bool flush = decode_has(d, "ftz");
    bool is_float = result && result->value == VALUE_FLOAT;
    for (int k = 0; k < 3; k++)
        if (decode_has(d, modes[k]))
            i->rounding = (uint8_t)(k + 1);
    if (flush && !source->half)
        i->flush = (uint8_t)sources;
    i->flush_result = flush && is_float && !result->half;
    if (decode_has(d, "sat") && is_float)
        i->clamp = (uint8_t)(result->packed ? CLAMP_PACKED : result->bytes);
    i->source_bytes = (uint8_t)source->bytes;
    i->bytes = (uint8_t)(result ? result->bytes : 0);
    if (i->rounding || i->flush || i->flush_result || i->clamp)
        i->kind = KIND_LANES_FLOAT;
}

/* Returns the index of `word` among the words after the first one in a form's name, or -1 if the
 * name does not contain it. */
static int place_in_name(struct slice word, const char *name)
{
    int place = 0;
    for (const char *at = strchr(name, '.'); at; at = strchr(at, '.'), place++) {
        size_t length = strcspn(++at, ".");
        if (length == (size_t)word.length && memcmp(at, word.at, length) == 0)
            return place;
    }
    return -1;
}

/* Returns whether the opcode has the form f: it contains each word of the form's name exactly once,
 * and no other words than the form's modifiers and types. */
static bool fits(const struct decoder *d, const struct opcode_family *f)
{
    unsigned must = 0, has = 0;
    for (const char *at = strchr(f->name, '.'); at; at = strchr(at + 1, '.'))
        must = must << 1 | 1;
    for (int i = 1; i < d->word_count - 1; i++) {
        int place = place_in_name(d->words[i], f->name);
        if (place < 0 ? !decode_listed(d->words[i], f->modifiers) : has >> place & 1)
            return false;
        has |= place < 0 ? 0 : 1u << place;
    }
    return has == must && d->word_count > 1 && decode_listed(d->words[d->word_count - 1], f->types);
}

/* Returns the form that the opcode has. If there is none, fails and returns NULL. The error then
 * names a word that no form allows, if there is one. */
static const struct opcode_family *find_form(struct decoder *d)
{
    const struct opcode_family *first = family_find(d->s->opcode), *f;
    for (f = first; f->name; f++)
        if (family_is(f, d->words[0]) && fits(d, f))
            return f;
    for (int i = 1; i < d->word_count; i++) {
        struct slice word = d->words[i];
        bool known = false;
        for (f = first; f->name; f++)
            known |= family_is(f, d->words[0]) &&
                     (place_in_name(word, f->name) >= 0 || decode_listed(word, f->modifiers) ||
                      decode_listed(word, f->types));
        if (!known) {
            decode_unknown_part(d, word);
            return NULL;
        }
    }
    decode_unsupported(d, "this combination of suffixes is not supported");
    return NULL;
}

/* Finds the slot of operand number `at`. `letter` stands for its type (opcode_family.operands). */
static bool take_operand(struct decoder *d, int at, char letter, const struct type *t,
                         slot_reference *slot)
{
    int bytes = letter == 'T' ? t->bytes : letter == 'W' ? 2 * t->bytes : letter == 'P' ? 0 : 4;
    if (at == 0)
        return decode_write(d, at, bytes, slot);
    if (d->operands[at].negated) {
        if (letter != 'P' || slot != &d->i->o.c)
            return decode_unsupported(d, "negated operands are not supported here");
        d->i->o.negate_c = true;
    }
    bool is_float = t->value == VALUE_FLOAT && letter == 'T';
    return decode_read(d, at, bytes, is_float, slot);
}

bool decode_computation(struct decoder *d)
{
    const struct opcode_family *f = find_form(d);
    struct lane_operands *o = &d->i->o;
    slot_reference *slots[] = {&o->d, &o->a, &o->b, &o->c, &o->d2};
    struct type t;
    if (!f || !decode_type(d, &t))
        return false;
    int count = (int)strcspn(f->operands, "C");
    if (!decode_count(d, count, count))
        return false;
    if (f->operands[count] == 'C')
        o->d2 = d->p->carry;
    for (int k = 0; k < count; k++)
        if (!take_operand(d, k, f->operands[k], &t, slots[k]))
            return false;
    if (count == 2)
        o->b = o->a; /* so that comparisons with a single operand have a valid second one */
    char name[64];
    int length = (int)strlen(f->lane) - 1;
    snprintf(name, sizeof name, "%.*s%s", length, f->lane,
             f->lane[length] == 'U' ? unsigned_type(&t) : decode_row_type(&t));
    if (!decode_lane(d, name))
        return false;
    if (t.value == VALUE_FLOAT)
        decode_float_mode(d, &t, &t, (1u << (count - 1)) - 1);
    return true;
}

bool decode_logic3(struct decoder *d)
{
    struct type t;
    struct lane_operands *o = &d->i->o;
    if (!decode_type(d, &t) || !decode_only(d, "b32") || !decode_count(d, 5, 5))
        return false;
    if (d->operands[4].kind != OPERAND_INTEGER)
        return decode_unsupported(d, "its truth table is not a literal");
    o->mode = (uint8_t)d->operands[4].bits;
    return decode_write(d, 0, 4, &o->d) && decode_read(d, 1, 4, false, &o->a) &&
           decode_read(d, 2, 4, false, &o->b) && decode_read(d, 3, 4, false, &o->c) &&
           decode_lane(d, "lop3_u32");
}

/* Finds the slots of the predicates that a comparison sets, d or d|d2. */
static bool predicate_results(struct decoder *d)
{
    struct lane_operands *o = &d->i->o;
    const struct ptx_operand *to = &d->operands[0];
    if (to->kind != OPERAND_PAIR)
        return decode_write(d, 0, 0, &o->d);
    struct ptx_operand one = {.kind = to->index < 0 ? OPERAND_SINK : OPERAND_REGISTER,
                              .index = to->index};
    struct ptx_operand two = {.kind = to->second < 0 ? OPERAND_SINK : OPERAND_REGISTER,
                              .index = to->second};
    o->has_d2 = true;
    return decode_write_operand(d, &one, 0, &o->d) && decode_write_operand(d, &two, 0, &o->d2);
}

bool decode_compare(struct decoder *d)
{
    static const char *const same[] = {"lo", "lt", "ls", "le", "hi", "gt", "hs", "ge"};
    struct type t;
    struct lane_operands *o = &d->i->o;
    if (!decode_type(d, &t) ||
        !decode_only(d, COMPARISONS "and or xor ftz b16 b32 b64 u16 s16 u32 s32 u64 s64 f16 bf16 "
                                    "f16x2 bf16x2 f32 f64"))
        return false;
    if (t.packed && d->s->count && d->operands[0].kind != OPERAND_PAIR)
        return decode_unsupported(d, "a comparison of two halves needs two predicates");
    o->combine = decode_has(d, "and")   ? COMBINE_AND
                 : decode_has(d, "or")  ? COMBINE_OR
                 : decode_has(d, "xor") ? COMBINE_XOR
                                        : COMBINE_NONE;
    bool combined = o->combine != COMBINE_NONE;
    if (d->word_count < 3 || !decode_count(d, combined ? 4 : 3, combined ? 4 : 3))
        return decode_unsupported(d, "this form is not supported");
    char compare[16], name[64];
    snprintf(compare, sizeof compare, "%.*s", d->words[1].length < 8 ? d->words[1].length : 8,
             d->words[1].at);
    for (int i = 0; i < 8; i += 2) /* lo ls hi hs are other names for unsigned comparisons */
        if (strcmp(compare, same[i]) == 0)
            strcpy(compare, same[i + 1]);
    bool equality = strcmp(compare, "eq") == 0 || strcmp(compare, "ne") == 0;
    snprintf(name, sizeof name, "setp_%s_%s", compare,
             equality ? unsigned_type(&t) : decode_row_type(&t));
    bool is_float = t.value == VALUE_FLOAT;
    if (!predicate_results(d) || !decode_read(d, 1, t.bytes, is_float, &o->a) ||
        !decode_read(d, 2, t.bytes, is_float, &o->b))
        return false;
    if (combined) {
        o->negate_c = d->operands[3].negated;
        if (!decode_read(d, 3, 0, false, &o->c))
            return false;
    }
    if (!decode_lane(d, name))
        return false;
    decode_float_mode(d, NULL, &t, 3);
    return true;
}

/* Decodes set for 16-bit floats. The result of set.lt.f16.f16 is 1.0 or 0.0. In that of
 * set.lt.u32.f16x2, all bits of each half are 1 or 0. */
bool decode_set(struct decoder *d)
{
    struct type to, t;
    struct lane_operands *o = &d->i->o;
    char name[64];
    if (d->word_count != 4 || !decode_type(d, &t) || !decode_type_word(d->words[2], &to) ||
        !decode_only(d, COMPARISONS "u16 u32 f16 bf16 f16x2 bf16x2") || !t.half ||
        to.bytes != t.bytes || !decode_count(d, 3, 3))
        return decode_unsupported(d, "this form is not supported");
    o->mode = to.value != VALUE_FLOAT;
    snprintf(name, sizeof name, "set_%.*s_%s", SLICE(d->words[1]), t.name);
    return decode_write(d, 0, t.bytes, &o->d) && decode_read(d, 1, t.bytes, true, &o->a) &&
           decode_read(d, 2, t.bytes, true, &o->b) && decode_lane(d, name);
}

/* Decodes prmt.b32, in whose opcode the mode follows the type. */
bool decode_permute(struct decoder *d)
{
    static const char *const modes[] = {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
    struct lane_operands *o = &d->i->o;
    if (!decode_only(d, "b32 f4e b4e rc8 ecl ecr rc16") || !decode_count(d, 4, 4))
        return false;
    for (uint8_t k = 0; k < 6; k++)
        if (decode_has(d, modes[k]))
            o->mode = (uint8_t)(k + 1);
    return decode_write(d, 0, 4, &o->d) && decode_read(d, 1, 4, false, &o->a) &&
           decode_read(d, 2, 4, false, &o->b) && decode_read(d, 3, 4, false, &o->c) &&
           decode_lane(d, "prmt_u32");
}

/* Decodes slct, whose opcode contains the type of a and b, and then that of c. The result is a copy
 * of a or b, so their type can be replaced by an unsigned one. */
bool decode_select_by_sign(struct decoder *d)
{
    struct type t, by;
    struct lane_operands *o = &d->i->o;
    char name[64];
    if (d->word_count != 3 || !decode_type_word(d->words[1], &t) || !decode_type(d, &by) ||
        !decode_only(d, "b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64") || !decode_count(d, 4, 4))
        return decode_unsupported(d, "this form is not supported");
    bool is_float = t.value == VALUE_FLOAT;
    snprintf(name, sizeof name, "slct_u%d_%s", t.bytes * 8, decode_row_type(&by));
    return decode_write(d, 0, t.bytes, &o->d) && decode_read(d, 1, t.bytes, is_float, &o->a) &&
           decode_read(d, 2, t.bytes, is_float, &o->b) &&
           decode_read(d, 3, 4, by.value == VALUE_FLOAT, &o->c) && decode_lane(d, name);
}

/* Decodes mov.b64 %rd, {%r1, %r2} and mov.b64 {%r1, %r2}, %rd. */
static bool move_halves(struct decoder *d, const struct type *t)
{
    struct lane_operands *o = &d->i->o;
    bool pack = d->operands[1].kind == OPERAND_VECTOR;
    const struct ptx_operand *pair = &d->operands[pack ? 1 : 0];
    const struct ptx_operand *halves = &d->m->operands[pair->index];
    int half = t->bytes / 2;
    if (pair->count != 2 || t->bytes < 4)
        return decode_unsupported(d, "these elements are not supported");
    if (pack)
        return decode_write(d, 0, t->bytes, &o->d) &&
               decode_read_operand(d, &halves[0], half, false, &o->a) &&
               decode_read_operand(d, &halves[1], half, false, &o->b) &&
               decode_lane(d, t->bytes == 8 ? "pack_u64" : "pack_u32");
    return decode_read(d, 1, t->bytes, false, &o->a) &&
           decode_write_operand(d, &halves[0], half, &o->d) &&
           decode_write_operand(d, &halves[1], half, &o->d2) &&
           decode_lane(d, t->bytes == 8 ? "unpack_u64" : "unpack_u32");
}

bool decode_move(struct decoder *d)
{
    struct type t;
    struct lane_operands *o = &d->i->o;
    if (!decode_type(d, &t) ||
        !decode_only(d, "pred b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64") ||
        !decode_count(d, 2, 2))
        return false;
    if (d->operands[0].kind == OPERAND_VECTOR || d->operands[1].kind == OPERAND_VECTOR)
        return move_halves(d, &t);
    const struct ptx_operand *from = &d->operands[1];
    if (from->kind == OPERAND_SPECIAL && from->index == SPECIAL_GLOBALTIMER && t.bytes == 8) {
        d->i->kind = KIND_TIMER;
        return decode_write(d, 0, 8, &o->d);
    }
    const char *name = t.bytes == 0   ? "mov_pred"
                       : t.bytes == 2 ? "mov_u16"
                       : t.bytes == 4 ? "mov_u32"
                                      : "mov_u64";
    return decode_write(d, 0, t.bytes, &o->d) &&
           decode_read(d, 1, t.bytes, t.value == VALUE_FLOAT, &o->a) && decode_lane(d, name);
}
