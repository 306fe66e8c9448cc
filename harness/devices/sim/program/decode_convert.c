/*
 * Decodes cvt, which converts between any two types. The registers may be wider than the types.
 *
 * Values occupy the low bits of their registers. An integer result is zero- or sign-extended to its
 * register's width, depending on its type. lane_operations.h has a row for each pair of integer
 * types, for registers of exactly their width. If registers are wider or one of the types is a
 * float, a row serves several pairs, and reads the integer types from the instruction's mode.
 */
#include "devices/sim/program/decode.h"

#include <stdio.h>
#include <string.h>

/* what the opcode and the operands of a cvt say */
struct conversion {
    struct type to, from;
    bool to_float, from_float;
    int result, source; /* widths of the destination and source registers in bytes */
    int rounding;       /* 0 to 3: .rni, .rzi, .rmi, .rpi; -1: none of these */
};

/* Returns the bits that stand for an integer type in an instruction's mode (lane_functions.h). */
static unsigned type_mode(const struct type *t)
{
    unsigned width = t->bytes == 1 ? 0 : t->bytes == 2 ? 1 : t->bytes == 4 ? 2 : 3;
    return width | (t->value == VALUE_SIGNED ? 4 : 0);
}

static const char *register_name(int bytes)
{
    return bytes == 8 ? "u64" : "u32";
}

static void integer_row(struct decoder *d, const struct conversion *c, char *name, size_t size)
{
    unsigned clamp = decode_has(d, "sat") ? 1u << 6 : 0;
    d->i->o.mode = (uint8_t)(type_mode(&c->from) | type_mode(&c->to) << 3 | clamp);
    int natural_to = c->to.bytes == 8 ? 8 : 4, natural_from = c->from.bytes == 8 ? 8 : 4;
    if (c->result == natural_to && c->source == natural_from && !clamp)
        snprintf(name, size, "cvt_%s_%s", c->to.name, c->from.name);
    else
        snprintf(name, size, "cvt_%s_to_%s", register_name(c->source), register_name(c->result));
}

/* Finds the name of the row for a conversion from a float to a float. With .rni and similar, it
 * rounds to integral values. */
static bool float_row(struct decoder *d, const struct conversion *c, char *name, size_t size)
{
    bool same = strcmp(c->to.name, c->from.name) == 0;
    if (same && c->rounding >= 0) {
        d->i->o.mode = (uint8_t)(c->rounding << 6);
        snprintf(name, size, "cvt_integral_%s", c->to.name);
    } else if (same) {
        snprintf(name, size, "mov_u%d", c->to.bytes * 8);
    } else if (c->rounding >= 0) {
        return decode_unsupported(d, "conversions between floats cannot round to integers");
    } else {
        snprintf(name, size, "cvt_%s_%s", c->to.name, c->from.name);
    }
    return true;
}

static bool choose_row(struct decoder *d, const struct conversion *c, char *name, size_t size)
{
    if (c->from_float && c->to_float)
        return float_row(d, c, name, size);
    if (!c->from_float && !c->to_float) {
        integer_row(d, c, name, size);
        return true;
    }
    if (c->to_float) {
        d->i->o.mode = (uint8_t)type_mode(&c->from);
        snprintf(name, size, "cvt_%s_to_%s", register_name(c->source), c->to.name);
        return true;
    }
    if (c->rounding < 0)
        return decode_unsupported(d, "it does not say how to round");
    d->i->o.mode = (uint8_t)(type_mode(&c->to) << 3 | (unsigned)c->rounding << 6);
    snprintf(name, size, "cvt_%s_to_%s", c->from.name, register_name(c->result));
    return true;
}

static bool read_types(struct decoder *d, struct conversion *c)
{
    static const char *const rounding[] = {"rni", "rzi", "rmi", "rpi"};
    if (d->word_count < 3 || !decode_type(d, &c->from) ||
        !decode_type_word(d->words[d->word_count - 2], &c->to) ||
        !decode_only(d, "rn rz rm rp rni rzi rmi rpi ftz sat u8 s8 u16 s16 u32 s32 u64 s64 f16 "
                        "bf16 f32 f64 f16x2 bf16x2"))
        return decode_unsupported(d, "this form is not supported");
    c->rounding = -1;
    for (int k = 0; k < 4; k++)
        if (decode_has(d, rounding[k]))
            c->rounding = k;
    c->from_float = c->from.value == VALUE_FLOAT;
    c->to_float = c->to.value == VALUE_FLOAT;
    if (c->from.packed || (c->to.packed && strcmp(c->from.name, "f32") != 0))
        return decode_unsupported(d, "conversions between these types are not supported");
    return decode_count(d, c->to.packed ? 3 : 2, c->to.packed ? 3 : 2);
}

/* Returns the width in bytes of operand number `at` if it is a register. Otherwise, returns the
 * width that a register of type t would have. */
static int register_bytes(const struct decoder *d, int at, const struct type *t)
{
    int width = decode_width(d, &d->operands[at]);
    return width > 0 ? width : t->bytes == 8 ? 8 : 4;
}

bool decode_convert(struct decoder *d)
{
    struct conversion c = {0};
    struct lane_operands *o = &d->i->o;
    char name[64];
    if (!read_types(d, &c))
        return false;
    c.result = c.to_float ? c.to.bytes : register_bytes(d, 0, &c.to);
    c.source = c.from_float ? c.from.bytes : register_bytes(d, 1, &c.from);
    if (!choose_row(d, &c, name, sizeof name) || !decode_write(d, 0, c.result, &o->d) ||
        !decode_read(d, 1, c.source, c.from_float, &o->a))
        return false;
    if (c.to.packed && !decode_read(d, 2, 4, true, &o->b))
        return false;
    if (!decode_lane(d, name))
        return false;
    if (c.to_float || c.from_float)
        decode_float_mode(d, &c.to, &c.from, c.from_float ? c.to.packed ? 3 : 1 : 0);
    return true;
}
