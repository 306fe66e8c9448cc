/* Functions for all decoders, which read an opcode's words, types, operands and literals. */
#include "devices/sim/program/decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool decode_unsupported(struct decoder *d, const char *why)
{
    char place[256] = "";
    const char *in_cuda = refusal_in_cuda(d->s->opcode);
    if (d->s->source_line) {
        struct slice file = ptx_file_name(d->m, d->s->source_file);
        snprintf(place, sizeof place, "%.*s:%d, ", SLICE(file), d->s->source_line);
    }
    return FAIL(d->e, ERROR_UNSUPPORTED,
                "%sPTX line %d: the simulator cannot run '%.*s'%s%s%s%s%s. Write the kernel "
                "without this instruction, or run the kernel on a GPU",
                place, d->s->line, d->s->opcode.length < 100 ? d->s->opcode.length : 100,
                d->s->opcode.at, in_cuda ? " (" : "", in_cuda ? in_cuda : "", in_cuda ? ")" : "",
                *why ? ", because " : "", why);
}

bool decode_has(const struct decoder *d, const char *word)
{
    for (int i = 1; i < d->word_count; i++)
        if (slice_is(d->words[i], word))
            return true;
    return false;
}

bool decode_listed(struct slice word, const char *list)
{
    for (const char *at = list; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        if (length == (size_t)word.length && memcmp(at, word.at, length) == 0)
            return true;
        at += length;
    }
    return false;
}

bool decode_unknown_part(struct decoder *d, struct slice word)
{
    char why[120];
    snprintf(why, sizeof why, "the suffix '.%.*s' is not supported here",
             word.length < 50 ? word.length : 50, word.at);
    return decode_unsupported(d, why);
}

bool decode_only(struct decoder *d, const char *known)
{
    for (int i = 1; i < d->word_count; i++)
        if (!decode_listed(d->words[i], known))
            return decode_unknown_part(d, d->words[i]);
    return true;
}

bool decode_type_word(struct slice word, struct type *t)
{
    static const struct type types[] = {
        {VALUE_UNSIGNED, 1, false, false, false, "u8"},
        {VALUE_SIGNED, 1, false, false, false, "s8"},
        {VALUE_UNSIGNED, 1, true, false, false, "b8"},
        {VALUE_UNSIGNED, 2, false, false, false, "u16"},
        {VALUE_SIGNED, 2, false, false, false, "s16"},
        {VALUE_UNSIGNED, 2, true, false, false, "b16"},
        {VALUE_UNSIGNED, 4, false, false, false, "u32"},
        {VALUE_SIGNED, 4, false, false, false, "s32"},
        {VALUE_UNSIGNED, 4, true, false, false, "b32"},
        {VALUE_UNSIGNED, 8, false, false, false, "u64"},
        {VALUE_SIGNED, 8, false, false, false, "s64"},
        {VALUE_UNSIGNED, 8, true, false, false, "b64"},
        {VALUE_FLOAT, 2, false, true, false, "f16"},
        {VALUE_FLOAT, 2, false, true, false, "bf16"},
        {VALUE_FLOAT, 4, false, true, true, "f16x2"},
        {VALUE_FLOAT, 4, false, true, true, "bf16x2"},
        {VALUE_FLOAT, 4, false, false, false, "f32"},
        {VALUE_FLOAT, 8, false, false, false, "f64"},
        {VALUE_UNSIGNED, 0, true, false, false, "pred"},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (slice_is(word, types[i].name)) {
            *t = types[i];
            return true;
        }
    }
    return false;
}

bool decode_type(struct decoder *d, struct type *t)
{
    if (d->word_count > 1 && decode_type_word(d->words[d->word_count - 1], t))
        return true;
    return decode_unsupported(d, "its type is not supported");
}

bool decode_count(struct decoder *d, int min, int max)
{
    if (d->s->count >= min && d->s->count <= max)
        return true;
    return decode_unsupported(d, "its number of operands is not supported");
}

uint32_t decode_slot_bytes(int bytes)
{
    return bytes == 0 ? 64 : bytes == 8 ? LANES * 8 : LANES * 4;
}

slot_reference decode_launch_slot(struct decoder *d, int bytes)
{
    struct program *p = d->p;
    uint32_t begin = p->launch_bytes, size = decode_slot_bytes(bytes);
    if (begin + size > p->launch_capacity) {
        p->launch_capacity = p->launch_capacity ? p->launch_capacity * 2 : 8192;
        p->launch_area = xrealloc(p->launch_area, p->launch_capacity);
    }
    memset(p->launch_area + begin, 0, size);
    p->launch_bytes += size;
    return begin | AREA_LAUNCH;
}

slot_reference decode_constant(struct decoder *d, int bytes, uint64_t bits)
{
    slot_reference reference = decode_launch_slot(d, bytes);
    uint8_t *slot = d->p->launch_area + (reference & ~3u);
    if (bytes == 0) {
        uint32_t mask = bits ? 0xffffffffu : 0;
        memcpy(slot, &mask, sizeof mask);
        return reference;
    }
    size_t size = bytes == 8 ? 8 : 4;
    for (int lane = 0; lane < LANES; lane++)
        memcpy(slot + (size_t)lane * size, &bits, size); /* little-endian, as in PTX */
    return reference;
}

/* Returns the bits of a literal, after converting it to a value of `bytes` bytes if it is a
 * floating-point number. */
static uint64_t literal_bits(const struct ptx_operand *o, int bytes, bool is_float)
{
    uint64_t bits = o->bits;
    double wide;
    float narrow;
    if (o->kind == OPERAND_INTEGER || !is_float)
        return bits;
    if (o->kind == OPERAND_FLOAT32 && bytes == 8) {
        uint32_t low = (uint32_t)bits;
        memcpy(&narrow, &low, sizeof narrow);
        wide = narrow;
        memcpy(&bits, &wide, sizeof bits);
    } else if (o->kind == OPERAND_FLOAT64 && bytes == 4) {
        memcpy(&wide, &bits, sizeof wide);
        narrow = (float)wide;
        uint32_t low;
        memcpy(&low, &narrow, sizeof low);
        bits = low;
    }
    return bits;
}

bool decode_variable(struct decoder *d, const struct ptx_operand *o, uint64_t *out)
{
    const struct ptx_variable *v = &d->m->variables[o->index];
    if (v->external)
        return decode_unsupported(d, "its operand is a variable that another module defines");
    *out = v->offset + o->bits;
    if (v->space == SPACE_GLOBAL || v->space == SPACE_CONST)
        *out += d->global_base;
    bool kernel_parameter = d->entry && o->index >= d->f->first_parameter &&
                            o->index < d->f->first_parameter + d->f->parameter_count;
    if (v->space == SPACE_LOCAL || (v->space == SPACE_PARAM && !kernel_parameter))
        *out += d->local_base;
    if (v->dynamic) {
        *out = (d->m->shared_bytes + 15) / 16 * 16 + o->bits;
        d->p->uses_dynamic = true;
    }
    return true;
}

static bool read_special(struct decoder *d, int special, int bytes, slot_reference *out)
{
    if (special == SPECIAL_UNKNOWN)
        return decode_unsupported(
            d, "it reads a special register that the simulator does not have, for example a clock");
    slot_reference *slot = &d->p->specials[special];
    if (special == SPECIAL_GLOBALTIMER)
        return decode_unsupported(d, "only mov can read this special register");
    if (bytes == 8)
        return decode_unsupported(d, "it reads a special register as 64 bits");
    if (*slot == SLOT_NONE)
        *slot = decode_launch_slot(d, 4);
    d->p->specials_used |= 1ull << special;
    if (special >= SPECIAL_RESERVED_SMEM_BEGIN && special <= SPECIAL_RESERVED_SMEM_1)
        d->p->uses_reserved = true;
    *out = *slot;
    return true;
}

int decode_width(const struct decoder *d, const struct ptx_operand *o)
{
    if (o->kind != OPERAND_REGISTER)
        return -1;
    switch ((enum register_class)d->m->classes[d->f->first_class + o->index]) {
    case CLASS_PREDICATE:
        return 0;
    case CLASS_64:
        return 8;
    case CLASS_16:
    case CLASS_32:
        break;
    }
    return 4;
}

bool decode_read_operand(struct decoder *d, const struct ptx_operand *o, int bytes, bool is_float,
                         slot_reference *out)
{
    int wanted = bytes == 0 || bytes == 8 ? bytes : 4;
    uint64_t address = 0;
    switch (o->kind) {
    case OPERAND_REGISTER:
        if (decode_width(d, o) != wanted)
            return decode_unsupported(d,
                                      "an operand's register does not have the width of the type");
        *out = d->slots[o->index];
        return true;
    case OPERAND_INTEGER:
    case OPERAND_FLOAT32:
    case OPERAND_FLOAT64:
        *out = decode_constant(d, wanted, literal_bits(o, wanted, is_float));
        return true;
    case OPERAND_SPECIAL:
        return read_special(d, o->index, wanted, out);
    case OPERAND_VARIABLE:
        if (!decode_variable(d, o, &address))
            return false;
        *out = decode_constant(d, wanted, address);
        return true;
    case OPERAND_NAME:
        for (int k = 0; k < d->m->function_count; k++)
            if (d->m->functions[k].entry && slice_equal(d->m->functions[k].name, o->name)) {
                *out = decode_constant(d, wanted, FUNCTION_ADDRESSES + (uint64_t)k);
                return true;
            }
        return decode_unsupported(d,
                                  "its operand is the address of something that is not a kernel");
    default:
        return decode_unsupported(d, "this kind of operand is not supported");
    }
}

bool decode_read(struct decoder *d, int at, int bytes, bool is_float, slot_reference *out)
{
    if (at >= d->s->count)
        return decode_unsupported(d, "an operand is missing");
    return decode_read_operand(d, &d->operands[at], bytes, is_float, out);
}

bool decode_write_operand(struct decoder *d, const struct ptx_operand *o, int bytes,
                          slot_reference *out)
{
    if (o->kind == OPERAND_SINK) {
        *out = 0; /* the slot for results that nothing reads, see start_registers() */
        return true;
    }
    if (o->kind != OPERAND_REGISTER)
        return decode_unsupported(d, "its result is not a register");
    return decode_read_operand(d, o, bytes, false, out);
}

bool decode_write(struct decoder *d, int at, int bytes, slot_reference *out)
{
    if (at >= d->s->count)
        return decode_unsupported(d, "an operand is missing");
    return decode_write_operand(d, &d->operands[at], bytes, out);
}

bool decode_address(struct decoder *d, int at)
{
    struct instruction *i = d->i;
    if (at >= d->s->count)
        return decode_unsupported(d, "its address is missing");
    const struct ptx_operand *o = &d->operands[at];
    if (o->kind != OPERAND_ADDRESS)
        return decode_unsupported(d, "its operand is not an address");
    i->offset = o->bits;
    if (o->index >= 0)
        return decode_variable(d, o, &i->offset);
    if (o->second < 0)
        return true;
    struct ptx_operand reg = {.kind = OPERAND_REGISTER, .index = o->second};
    int width = decode_width(d, &reg);
    if (width == 0)
        return decode_unsupported(d, "its address is a predicate");
    i->has_address = true;
    i->wide_address = width == 8;
    i->o.b = d->slots[o->second];
    return true;
}

bool decode_lane(struct decoder *d, const char *name)
{
    int low = 0, high = d->lane_count - 1;
    while (low <= high) {
        int middle = (low + high) / 2;
        int order = strcmp(name, d->lanes[middle]->name);
        if (order == 0) {
            d->i->kind = KIND_LANES;
            d->i->run = d->lanes[middle]->run;
            return true;
        }
        if (order < 0)
            high = middle - 1;
        else
            low = middle + 1;
    }
    return decode_unsupported(d, "its type is not supported");
}
