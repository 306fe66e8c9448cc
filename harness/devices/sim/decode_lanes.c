/*
 * Decoders of instructions that work lane by lane: an opcode's words become the name of a row in
 * lane_operations.h (add.s32 → add_u32, setp.lt.and.f32 → setp_lt_f32), its operands slots.
 */
#include "devices/sim/decode.h"

#include <stdio.h>
#include <string.h>

/* The type in the name of a row: untyped bits count as unsigned. */
static const char *row_type(const struct type *t)
{
    if (!t->bits)
        return t->name;
    return t->bytes == 0   ? "pred"
           : t->bytes == 1 ? "u8"
           : t->bytes == 2 ? "u16"
           : t->bytes == 4 ? "u32"
                           : "u64";
}

/* The type of the same width without a sign: for operations where signs make no difference. */
static const char *unsigned_type(const struct type *t)
{
    if (t->value == VALUE_FLOAT)
        return t->name;
    return t->bytes == 0 ? "pred" : t->bytes == 2 ? "u16" : t->bytes == 4 ? "u32" : "u64";
}

static bool word_is(const struct decoder *d, const char *word)
{
    return slice_is(d->words[0], word);
}

/* .rz, .rm and .rp run under another rounding mode of the CPU. */
static void take_rounding(struct decoder *d)
{
    static const char *const modes[] = {"rz", "rm", "rp"};
    for (int i = 0; i < 3; i++) {
        if (decode_has(d, modes[i])) {
            d->i->kind = KIND_LANES_ROUND;
            d->i->rounding = (uint8_t)(i + 1);
        }
    }
}

/* d, a, b, c of one type. */
static bool same_operands(struct decoder *d, const struct type *t)
{
    struct lane_operands *o = &d->i->o;
    slot_reference *sources[] = {&o->a, &o->b, &o->c};
    if (!decode_count(d, 2, 4) || !decode_write(d, 0, t->bytes, &o->d))
        return false;
    for (int i = 1; i < d->s->count; i++)
        if (!decode_read(d, i, t->bytes, t->value == VALUE_FLOAT, sources[i - 1]))
            return false;
    return true;
}

bool decode_arithmetic(struct decoder *d)
{
    struct type t;
    if (!decode_type(d, &t) ||
        !decode_only(d, "rn rz rm rp sat full approx lo NaN u16 s16 u32 s32 u64 s64 f32 f64 ftz"))
        return false;
    bool is_float = t.value == VALUE_FLOAT;
    bool math = word_is(d, "sin") || word_is(d, "cos") || word_is(d, "tanh") || word_is(d, "ex2") ||
                word_is(d, "lg2");
    if (decode_has(d, "ftz") && !math)
        return decode_unsupported(d, "flushing of subnormals (compile without -ftz=true)");
    if (is_float && decode_has(d, "sat"))
        return decode_unsupported(d, "saturated floats");
    char name[64];
    /* Signs do not matter to sums and negation; they do to quotients, order and saturation. */
    bool unsign =
        !decode_has(d, "sat") && (word_is(d, "add") || word_is(d, "sub") || word_is(d, "neg"));
    snprintf(name, sizeof name, "%.*s%s%s_%s", SLICE(d->words[0]),
             decode_has(d, "sat")   ? "_sat"
             : decode_has(d, "NaN") ? "_NaN"
                                    : "",
             word_is(d, "mul24") ? "_lo" : "", unsign ? unsigned_type(&t) : row_type(&t));
    int wanted = 3;
    if (word_is(d, "fma") || word_is(d, "sad"))
        wanted = 4;
    else if (math || word_is(d, "abs") || word_is(d, "neg") || word_is(d, "rcp") ||
             word_is(d, "sqrt") || word_is(d, "rsqrt"))
        wanted = 2;
    if (!decode_count(d, wanted, wanted) || !same_operands(d, &t) || !decode_lane(d, name))
        return false;
    if (is_float)
        take_rounding(d);
    return true;
}

bool decode_multiply(struct decoder *d)
{
    struct type t;
    if (!decode_type(d, &t) ||
        !decode_only(d, "lo hi wide rn rz rm rp u16 s16 u32 s32 u64 s64 f32 f64"))
        return false;
    bool add = word_is(d, "mad");
    struct lane_operands *o = &d->i->o;
    if (!decode_count(d, add ? 4 : 3, add ? 4 : 3))
        return false;
    if (t.value == VALUE_FLOAT) {
        if (!same_operands(d, &t) || !decode_lane(d, add ? t.bytes == 4 ? "fma_f32" : "fma_f64"
                                                     : t.bytes == 4 ? "mul_f32"
                                                                    : "mul_f64"))
            return false;
        take_rounding(d);
        return true;
    }
    bool wide = decode_has(d, "wide"), high = decode_has(d, "hi");
    char name[64];
    snprintf(name, sizeof name, "%.*s_%s_%s", SLICE(d->words[0]),
             wide   ? "wide"
             : high ? "hi"
                    : "lo",
             wide || high ? row_type(&t) : unsigned_type(&t));
    int result = wide ? t.bytes * 2 : t.bytes;
    return decode_write(d, 0, result, &o->d) && decode_read(d, 1, t.bytes, false, &o->a) &&
           decode_read(d, 2, t.bytes, false, &o->b) &&
           (!add || decode_read(d, 3, result, false, &o->c)) && decode_lane(d, name);
}

bool decode_logic(struct decoder *d)
{
    struct type t;
    if (!decode_type(d, &t) || !decode_only(d, "pred b16 b32 b64"))
        return false;
    bool one = word_is(d, "not") || word_is(d, "cnot");
    char name[64];
    snprintf(name, sizeof name, "%.*s_%s", SLICE(d->words[0]), unsigned_type(&t));
    return decode_count(d, one ? 2 : 3, one ? 2 : 3) && same_operands(d, &t) &&
           decode_lane(d, name);
}

bool decode_shift(struct decoder *d)
{
    struct type t;
    struct lane_operands *o = &d->i->o;
    if (!decode_type(d, &t) || !decode_only(d, "b16 b32 b64 u16 u32 u64 s16 s32 s64"))
        return false;
    char name[64];
    snprintf(name, sizeof name, "%.*s_%s", SLICE(d->words[0]),
             word_is(d, "shl") ? unsigned_type(&t) : row_type(&t));
    return decode_count(d, 3, 3) && decode_write(d, 0, t.bytes, &o->d) &&
           decode_read(d, 1, t.bytes, false, &o->a) && decode_read(d, 2, 4, false, &o->b) &&
           decode_lane(d, name);
}

bool decode_funnel(struct decoder *d)
{
    struct type t;
    if (!decode_type(d, &t) || !decode_only(d, "l r wrap clamp b32"))
        return false;
    char name[64];
    snprintf(name, sizeof name, "shf_%s_%s_u32", decode_has(d, "l") ? "l" : "r",
             decode_has(d, "wrap") ? "wrap" : "clamp");
    return decode_count(d, 4, 4) && same_operands(d, &t) && decode_lane(d, name);
}

/* bfe bfi bfind clz popc brev */
bool decode_bits(struct decoder *d)
{
    struct type t;
    struct lane_operands *o = &d->i->o;
    if (!decode_type(d, &t) || !decode_only(d, "shiftamt u32 s32 u64 s64 b32 b64"))
        return false;
    char name[64];
    snprintf(name, sizeof name, "%.*s%s_%s", SLICE(d->words[0]),
             decode_has(d, "shiftamt") ? "_shiftamt" : "", row_type(&t));
    if (word_is(d, "bfi")) /* a, b, position, length */
        return decode_count(d, 5, 5) && decode_write(d, 0, t.bytes, &o->d) &&
               decode_read(d, 1, t.bytes, false, &o->a) &&
               decode_read(d, 2, t.bytes, false, &o->b) && decode_read(d, 3, 4, false, &o->c) &&
               decode_read(d, 4, 4, false, &o->d2) && decode_lane(d, name);
    if (word_is(d, "bfe"))
        return decode_count(d, 4, 4) && decode_write(d, 0, t.bytes, &o->d) &&
               decode_read(d, 1, t.bytes, false, &o->a) && decode_read(d, 2, 4, false, &o->b) &&
               decode_read(d, 3, 4, false, &o->c) && decode_lane(d, name);
    int result = word_is(d, "brev") ? t.bytes : 4;
    return decode_count(d, 2, 2) && decode_write(d, 0, result, &o->d) &&
           decode_read(d, 1, t.bytes, false, &o->a) && decode_lane(d, name);
}

bool decode_permute(struct decoder *d)
{
    struct type t;
    if (!decode_type(d, &t) || !decode_only(d, "b32"))
        return false;
    return decode_count(d, 4, 4) && same_operands(d, &t) && decode_lane(d, "prmt_u32");
}

bool decode_logic3(struct decoder *d)
{
    struct type t;
    struct lane_operands *o = &d->i->o;
    if (!decode_type(d, &t) || !decode_only(d, "b32") || !decode_count(d, 5, 5))
        return false;
    if (d->operands[4].kind != OPERAND_INTEGER)
        return decode_unsupported(d, "a table that is no literal");
    o->mode = (uint8_t)d->operands[4].bits;
    return decode_write(d, 0, 4, &o->d) && decode_read(d, 1, 4, false, &o->a) &&
           decode_read(d, 2, 4, false, &o->b) && decode_read(d, 3, 4, false, &o->c) &&
           decode_lane(d, "lop3_u32");
}

/* The one or two predicates that a comparison sets. */
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
        !decode_only(d, "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor "
                        "b16 b32 b64 u16 s16 u32 s32 u64 s64 f32 f64"))
        return false;
    o->combine = decode_has(d, "and")   ? COMBINE_AND
                 : decode_has(d, "or")  ? COMBINE_OR
                 : decode_has(d, "xor") ? COMBINE_XOR
                                        : COMBINE_NONE;
    bool combined = o->combine != COMBINE_NONE;
    if (d->word_count < 3 || !decode_count(d, combined ? 4 : 3, combined ? 4 : 3))
        return decode_unsupported(d, "in this form");
    char compare[16], name[64];
    snprintf(compare, sizeof compare, "%.*s", d->words[1].length < 8 ? d->words[1].length : 8,
             d->words[1].at);
    for (int i = 0; i < 8; i += 2) /* lo ls hi hs are the unsigned comparisons' other names */
        if (strcmp(compare, same[i]) == 0)
            strcpy(compare, same[i + 1]);
    bool equality = strcmp(compare, "eq") == 0 || strcmp(compare, "ne") == 0;
    snprintf(name, sizeof name, "setp_%s_%s", compare, equality ? unsigned_type(&t) : row_type(&t));
    bool is_float = t.value == VALUE_FLOAT;
    if (!predicate_results(d) || !decode_read(d, 1, t.bytes, is_float, &o->a) ||
        !decode_read(d, 2, t.bytes, is_float, &o->b))
        return false;
    if (combined) {
        o->negate_c = d->operands[3].negated;
        if (!decode_read(d, 3, 0, false, &o->c))
            return false;
    }
    return decode_lane(d, name);
}

bool decode_test(struct decoder *d)
{
    struct type t;
    struct lane_operands *o = &d->i->o;
    if (!decode_type(d, &t) ||
        !decode_only(d, "finite infinite number notanumber normal subnormal f32 f64") ||
        d->word_count != 3)
        return decode_unsupported(d, "");
    char name[64];
    snprintf(name, sizeof name, "testp_%.*s_%s", SLICE(d->words[1]), row_type(&t));
    if (!decode_count(d, 2, 2) || !decode_write(d, 0, 0, &o->d) ||
        !decode_read(d, 1, t.bytes, true, &o->a))
        return false;
    o->b = o->a;
    return decode_lane(d, name);
}

bool decode_select(struct decoder *d)
{
    struct type t;
    struct lane_operands *o = &d->i->o;
    char name[64];
    bool predicate = word_is(d, "selp");
    struct slice type = d->words[predicate ? d->word_count - 1 : 1];
    if (d->word_count < 2 || !decode_type_word(type, &t) ||
        !decode_only(d, "b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64") || !decode_count(d, 4, 4))
        return decode_unsupported(d, "in this form");
    bool is_float = t.value == VALUE_FLOAT;
    if (!decode_write(d, 0, t.bytes, &o->d) || !decode_read(d, 1, t.bytes, is_float, &o->a) ||
        !decode_read(d, 2, t.bytes, is_float, &o->b))
        return false;
    if (predicate) {
        o->negate_c = d->operands[3].negated;
        snprintf(name, sizeof name, "selp_%s", unsigned_type(&t));
        return decode_read(d, 3, 0, false, &o->c) && decode_lane(d, name);
    }
    /* Only bits move, so f32 counts as u32. */
    struct type by;
    if (!decode_type(d, &by))
        return false;
    snprintf(name, sizeof name, "slct_%s_%s",
             t.bytes == 2   ? "u16"
             : t.bytes == 4 ? "u32"
                            : "u64",
             row_type(&by));
    return decode_read(d, 3, 4, by.value == VALUE_FLOAT, &o->c) && decode_lane(d, name);
}

/* mov.b64 %rd, {%r1, %r2} and mov.b64 {%r1, %r2}, %rd */
static bool move_halves(struct decoder *d, const struct type *t)
{
    struct lane_operands *o = &d->i->o;
    bool pack = d->operands[1].kind == OPERAND_VECTOR;
    const struct ptx_operand *pair = &d->operands[pack ? 1 : 0];
    const struct ptx_operand *halves = &d->m->operands[pair->index];
    int half = t->bytes / 2;
    if (pair->count != 2 || t->bytes < 4)
        return decode_unsupported(d, "with these elements");
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
    const char *name = t.bytes == 0   ? "mov_pred"
                       : t.bytes == 2 ? "mov_u16"
                       : t.bytes == 4 ? "mov_u32"
                                      : "mov_u64";
    return decode_write(d, 0, t.bytes, &o->d) &&
           decode_read(d, 1, t.bytes, t.value == VALUE_FLOAT, &o->a) && decode_lane(d, name);
}

bool decode_convert(struct decoder *d)
{
    struct type to, from;
    struct lane_operands *o = &d->i->o;
    if (d->word_count < 3 || !decode_count(d, 2, 2) || !decode_type(d, &from) ||
        !decode_type_word(d->words[d->word_count - 2], &to) ||
        !decode_only(d, "rn rz rm rp rni rzi rmi rpi u8 s8 u16 s16 u32 s32 u64 s64 f32 f64"))
        return decode_unsupported(d, "in this form");
    bool from_float = from.value == VALUE_FLOAT, to_float = to.value == VALUE_FLOAT;
    const char *round = decode_has(d, "rni")   ? "rni_"
                        : decode_has(d, "rzi") ? "rzi_"
                        : decode_has(d, "rmi") ? "rmi_"
                        : decode_has(d, "rpi") ? "rpi_"
                                               : "";
    if (from_float && !to_float && !*round)
        return decode_unsupported(d, "without a rounding");
    char name[64];
    snprintf(name, sizeof name, "cvt_%s%s_%s", round, to.name, from.name);
    if (from_float && to_float && from.bytes == to.bytes && !*round)
        snprintf(name, sizeof name, "mov_u%d", to.bytes * 8);
    /* A register may be wider than the type: the value is then extended to it. */
    int width = decode_width(d, &d->operands[0]), source = decode_width(d, &d->operands[1]);
    int result = to.bytes == 8 ? 8 : 4;
    if (width == 8 && result == 4 && !to_float) {
        snprintf(name, sizeof name, "cvt_%s%s64_%s", round, to.value == VALUE_SIGNED ? "s" : "u",
                 from.name);
        if (to.bytes < 4 || from_float || from.bytes > to.bytes)
            return decode_unsupported(d, "into a wider register");
        result = 8;
    }
    if (source == 8 && from.bytes < 8 && !from_float) {
        /* The lower part of a 64-bit register. */
        if (from.bytes != 4 || to.bytes > 4 || to_float)
            return decode_unsupported(d, "from a wider register");
        snprintf(name, sizeof name, "cvt_%s_u64", to.name);
        from.bytes = 8;
    }
    if (!decode_write(d, 0, result, &o->d) || !decode_read(d, 1, from.bytes, from_float, &o->a) ||
        !decode_lane(d, name))
        return false;
    if (to_float)
        take_rounding(d);
    return true;
}
