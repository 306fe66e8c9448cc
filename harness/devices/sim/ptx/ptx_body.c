/*
 * Parses the PTX inside functions: scopes, register declarations, labels and statements.
 *
 * Source: PTX ISA, chapters 4.2 (Statements) and 6 (Instruction operands).
 */
#include "devices/sim/ptx/ptx_parse.h"

#include <stdlib.h>
#include <string.h>

/* Returns the number at the end of a register's name, or -1 if there is none. Sets *prefix to the
 * length of the part before the number. */
static long trailing_number(struct slice name, int *prefix)
{
    int at = name.length;
    while (at > 0 && name.at[at - 1] >= '0' && name.at[at - 1] <= '9')
        at--;
    *prefix = at;
    if (at == name.length || name.length - at > 8)
        return -1;
    long number = 0;
    for (int i = at; i < name.length; i++)
        number = number * 10 + (name.at[i] - '0');
    return number;
}

int ptx_find_register(const struct ptx_parser *p, struct slice name)
{
    int prefix;
    long number = trailing_number(name, &prefix);
    struct slice head = {name.at, prefix};
    for (int i = p->name_count - 1; i >= 0; i--) {
        if (!p->names[i].is_register)
            continue;
        const struct ptx_register *r = &p->registers[p->names[i].index];
        if (r->count < 0 && slice_equal(r->prefix, name))
            return r->first;
        if (number >= 0 && number < r->count && slice_equal(r->prefix, head))
            return r->first + (int)number;
    }
    return -1;
}

static bool class_of(struct slice type, enum register_class *class)
{
    unsigned bytes;
    if (!ptx_type_bytes(type, &bytes) || bytes > 8)
        return false;
    *class = bytes == 0   ? CLASS_PREDICATE
             : bytes <= 2 ? CLASS_16
             : bytes == 4 ? CLASS_32
                          : CLASS_64;
    return true;
}

/* Reads a declaration such as .reg .b32 %r<22>, name; */
static bool read_registers(struct ptx_parser *p)
{
    enum register_class class;
    if (p->token.kind != TOKEN_WORD || !class_of(p->token.text, &class))
        return FAIL(p->e, ERROR_UNSUPPORTED,
                    "PTX line %d: the simulator has no registers of type '%.*s'", p->token.line,
                    SLICE(p->token.text));
    ptx_advance(p);
    struct ptx_module *m = p->m;
    do {
        if (p->token.kind != TOKEN_WORD)
            return ptx_fail(p, "expected a register's name");
        struct ptx_register r = {p->token.text, p->function->register_count, -1};
        uint64_t count = 1;
        ptx_advance(p);
        if (ptx_accept(p, "<")) {
            if (!ptx_integer(p, &count) || !ptx_expect(p, ">"))
                return false;
            r.count = (int)count;
        }
        if (count > PTX_MAX_REGISTERS ||
            (int)count + p->function->register_count > PTX_MAX_REGISTERS)
            return FAIL(p->e, ERROR_UNSUPPORTED,
                        "PTX line %d: the function has more than %d registers", p->token.line,
                        PTX_MAX_REGISTERS);
        for (uint64_t i = 0; i < count; i++)
            array_push(m->classes, m->class_count, (uint8_t) class);
        p->function->register_count += (int)count;
        array_push(p->registers, p->register_count, r);
        ptx_name_add(p, true, p->register_count - 1);
    } while (ptx_accept(p, ","));
    return ptx_expect(p, ";");
}

static int find_special(struct slice name)
{
    struct slice rest = {name.at + 1, name.length - 1};
    /* The simulator's clusters are one-dimensional, so a block's x index in its cluster is its
     * rank. */
    if (slice_is(rest, "cluster_ctaid.x"))
        return SPECIAL_CLUSTER_RANK;
    if (slice_is(rest, "cluster_nctaid.x"))
        return SPECIAL_CLUSTER_SIZE;
    for (int i = 0; i < SPECIAL_COUNT; i++)
        if (slice_is(rest, special_names[i]))
            return i;
    return SPECIAL_UNKNOWN;
}

/* Reads a name as an operand: a register, a special register, a variable (+ offset), or a label. */
static bool read_name(struct ptx_parser *p, struct ptx_operand *o)
{
    struct slice name = p->token.text;
    o->name = name;
    ptx_advance(p);
    bool sink = slice_is(name, "_");
    int found = sink ? -1 : ptx_find_register(p, name);
    if (sink && !ptx_at(p, "|")) {
        o->kind = OPERAND_SINK;
        return true;
    }
    if (found >= 0 || sink) {
        o->kind = OPERAND_REGISTER;
        o->index = found;
        if (!ptx_accept(p, "|"))
            return true;
        o->kind = OPERAND_PAIR;
        o->second = ptx_find_register(p, p->token.text);
        if (o->second < 0 && !ptx_at(p, "_"))
            return ptx_fail(p, "expected a register after '|'");
        ptx_advance(p);
        return true;
    }
    if (name.at[0] == '%' || slice_is(name, "WARP_SZ")) {
        o->kind = OPERAND_SPECIAL;
        o->index = name.at[0] == '%' ? find_special(name) : SPECIAL_WARP_SIZE;
        return true;
    }
    found = ptx_find_variable(p, name);
    if (found < 0) {
        o->kind = OPERAND_NAME;
        return true;
    }
    o->kind = OPERAND_VARIABLE;
    o->index = found;
    return !ptx_accept(p, "+") || ptx_integer(p, &o->bits);
}

static bool read_number(struct ptx_parser *p, struct ptx_operand *o)
{
    bool minus = ptx_accept(p, "-");
    o->bits = p->token.bits;
    if (p->token.kind == TOKEN_INTEGER) {
        o->kind = OPERAND_INTEGER;
        if (minus)
            o->bits = 0 - o->bits;
    } else if (p->token.kind == TOKEN_F32 || p->token.kind == TOKEN_F64) {
        bool single = p->token.kind == TOKEN_F32;
        o->kind = single ? OPERAND_FLOAT32 : OPERAND_FLOAT64;
        if (minus)
            o->bits ^= single ? 1ull << 31 : 1ull << 63;
    } else {
        return ptx_fail(p, "expected an operand");
    }
    ptx_advance(p);
    return true;
}

/* Reads an address: [%rd1+8], [name+4] or [1234]. */
static bool read_address(struct ptx_parser *p, struct ptx_operand *o)
{
    o->kind = OPERAND_ADDRESS;
    o->index = o->second = -1;
    if (p->token.kind == TOKEN_WORD) {
        o->name = p->token.text;
        o->second = ptx_find_register(p, o->name);
        if (o->second < 0)
            o->index = ptx_find_variable(p, o->name);
        if (o->second < 0 && o->index < 0)
            return ptx_fail(p, "unknown name in this address");
        ptx_advance(p);
        if (ptx_accept(p, "+") && !ptx_integer(p, &o->bits))
            return false;
    } else if (!ptx_integer(p, &o->bits)) {
        return false;
    }
    return ptx_expect(p, "]");
}

static bool read_scalar(struct ptx_parser *p, struct ptx_operand *o)
{
    *o = (struct ptx_operand){.index = -1, .second = -1};
    o->negated = ptx_accept(p, "!");
    return p->token.kind == TOKEN_WORD ? read_name(p, o) : read_number(p, o);
}

/* Reads {a, b} or (a, b). Adds a and b to the module's operands, and returns the list itself in
 * *o. */
static bool read_list(struct ptx_parser *p, struct ptx_operand *o, const char *end, int limit)
{
    struct ptx_operand elements[64];
    int count = 0;
    while (!ptx_at(p, end)) {
        if (count == limit)
            return ptx_fail(p, "too many elements");
        if (!read_scalar(p, &elements[count++]))
            return false;
        if (!ptx_accept(p, ","))
            break;
    }
    if (!ptx_expect(p, end))
        return false;
    *o = (struct ptx_operand){.index = p->m->operand_count, .second = -1, .count = count};
    o->kind = *end == '}' ? OPERAND_VECTOR : OPERAND_LIST;
    for (int i = 0; i < count; i++)
        array_push(p->m->operands, p->m->operand_count, elements[i]);
    return true;
}

static bool read_operand(struct ptx_parser *p, struct ptx_operand *o)
{
    *o = (struct ptx_operand){.index = -1, .second = -1};
    if (ptx_accept(p, "{"))
        return read_list(p, o, "}", PTX_MAX_VECTOR);
    if (ptx_accept(p, "("))
        return read_list(p, o, ")", 64);
    if (ptx_accept(p, "["))
        return read_address(p, o);
    return read_scalar(p, o);
}

/* Reads operands up to the semicolon. */
static bool read_operands(struct ptx_parser *p, struct ptx_statement *s)
{
    struct ptx_operand operands[PTX_MAX_OPERANDS];
    int count = 0;
    while (!ptx_at(p, ";")) {
        if (count == PTX_MAX_OPERANDS)
            return ptx_fail(p, "too many operands");
        if (!read_operand(p, &operands[count++]))
            return false;
        if (!ptx_accept(p, ","))
            break;
    }
    s->first = p->m->operand_count;
    s->count = count;
    for (int i = 0; i < count; i++)
        array_push(p->m->operands, p->m->operand_count, operands[i]);
    return ptx_expect(p, ";");
}

static bool read_guard(struct ptx_parser *p, struct ptx_statement *s)
{
    s->guard = -1;
    if (!ptx_accept(p, "@"))
        return true;
    s->guard_negated = ptx_accept(p, "!");
    s->guard = p->token.kind == TOKEN_WORD ? ptx_find_register(p, p->token.text) : -1;
    if (s->guard < 0)
        return ptx_fail(p, "expected a predicate register");
    ptx_advance(p);
    return true;
}

static bool read_statement(struct ptx_parser *p)
{
    struct ptx_statement s = {.source_file = p->source_file, .source_line = p->source_line};
    if (!read_guard(p, &s))
        return false;
    s.line = p->token.line;
    if (p->token.kind != TOKEN_WORD)
        return ptx_fail(p, "expected an instruction");
    s.opcode = p->token.text;
    ptx_advance(p);
    if (!read_operands(p, &s))
        return false;
    array_push(p->m->statements, p->m->statement_count, s);
    return true;
}

/* Reads a table such as name: .branchtargets a, b, c; */
static bool read_targets(struct ptx_parser *p, struct slice name)
{
    struct ptx_module *m = p->m;
    struct ptx_targets t = {name, m->operand_count, 0};
    do {
        struct ptx_operand o;
        if (!read_scalar(p, &o))
            return false;
        if (o.kind != OPERAND_NAME)
            return ptx_fail(p, "expected a label");
        array_push(m->operands, m->operand_count, o);
        t.count++;
    } while (ptx_accept(p, ","));
    array_push(m->targets, m->targets_count, t);
    return ptx_expect(p, ";");
}

/* Reads a label, which is a word followed by ':', or a table of branch targets. Sets *seen to
 * whether there is one. */
static bool read_label(struct ptx_parser *p, bool *seen)
{
    struct lexer ahead = p->lexer;
    struct token next = lex_next(&ahead);
    *seen = p->token.kind == TOKEN_WORD && next.kind == TOKEN_PUNCTUATION && *next.text.at == ':';
    if (!*seen)
        return false;
    struct ptx_module *m = p->m;
    struct slice name = p->token.text;
    ptx_advance(p);
    ptx_advance(p);
    if (ptx_accept(p, ".branchtargets"))
        return read_targets(p, name);
    array_push(m->labels, m->label_count, (struct ptx_label){name, m->statement_count});
    return true;
}

/* Reads a directive, label or statement. */
static bool read_inside(struct ptx_parser *p)
{
    bool seen, ok = ptx_line_directive(p, &seen);
    if (seen)
        return ok;
    if (ptx_accept(p, ";"))
        return true;
    if (ptx_accept(p, ".reg"))
        return read_registers(p);
    enum space space;
    if (p->token.kind == TOKEN_WORD && ptx_space_word(p->token.text, &space)) {
        ptx_advance(p);
        return ptx_declare(p, space, false) && ptx_expect(p, ";");
    }
    ok = read_label(p, &seen);
    if (seen)
        return ok;
    if (p->token.kind == TOKEN_WORD && p->token.text.at[0] == '.')
        return FAIL(p->e, ERROR_UNSUPPORTED,
                    "PTX line %d: the simulator does not support the directive '%.*s'",
                    p->token.line, SLICE(p->token.text));
    return read_statement(p);
}

bool ptx_body(struct ptx_parser *p)
{
    enum { MAX_SCOPES = 64 };
    struct ptx_module *m = p->m;
    struct ptx_function *f = p->function;
    int names[MAX_SCOPES], depth = 0;
    f->first_statement = m->statement_count;
    f->first_label = m->label_count;
    f->first_targets = m->targets_count;
    f->first_class = m->class_count;
    if (!ptx_expect(p, "{"))
        return false;
    for (;;) {
        if (p->token.kind == TOKEN_END)
            return ptx_fail(p, "the PTX ends inside a function");
        if (ptx_accept(p, "{")) {
            if (depth == MAX_SCOPES)
                return ptx_fail(p, "scopes are nested too deeply");
            names[depth++] = p->name_count;
        } else if (ptx_accept(p, "}")) {
            if (depth == 0)
                break;
            p->name_count = names[--depth];
        } else if (!read_inside(p)) {
            return false;
        }
    }
    f->statement_count = m->statement_count - f->first_statement;
    f->label_count = m->label_count - f->first_label;
    f->targets_count = m->targets_count - f->first_targets;
    return true;
}
