/*
 * Parses PTX at module level: function headers and everything between functions.
 *
 * Source: PTX ISA, chapters 4 (Syntax) and 11 (Directives).
 */
#include "devices/sim/ptx/ptx_parse.h"

#include <stdlib.h>
#include <string.h>

/* Reads a function's parameters or results: (.param …, .param …). */
static bool read_parameters(struct ptx_parser *p, int *first, int *count)
{
    *first = p->m->variable_count;
    if (!ptx_expect(p, "("))
        return false;
    while (!ptx_at(p, ")")) {
        if (ptx_at(p, ".reg"))
            return FAIL(p->e, ERROR_UNSUPPORTED,
                        "PTX line %d: parameters in registers are not supported", p->token.line);
        if (!ptx_expect(p, ".param") || !ptx_declare(p, SPACE_PARAM, false))
            return false;
        if (!ptx_accept(p, ","))
            break;
    }
    *count = p->m->variable_count - *first;
    return ptx_expect(p, ")");
}

/* Reads .maxntid 256, 1, 1 and similar directives between a function's header and body. */
static bool read_limits(struct ptx_parser *p)
{
    while (p->token.kind == TOKEN_WORD && p->token.text.at[0] == '.') {
        bool threads = ptx_at(p, ".maxntid") || ptx_at(p, ".reqntid");
        ptx_advance(p);
        uint64_t value, product = 1;
        while (p->token.kind == TOKEN_INTEGER) {
            if (!ptx_integer(p, &value))
                return false;
            product = value && product <= 1024 ? product * (value < 2048 ? value : 2048) : product;
            if (!ptx_accept(p, ","))
                break;
        }
        if (threads)
            p->function->max_threads = (int)product;
    }
    return true;
}

int ptx_find_function(const struct ptx_module *m, struct slice name)
{
    for (int i = 0; i < m->function_count; i++)
        if (slice_equal(m->functions[i].name, name))
            return i;
    return -1;
}

static bool read_function(struct ptx_parser *p, bool entry)
{
    struct ptx_function f = {.entry = entry, .line = p->token.line};
    int names = p->name_count, registers = p->register_count;
    p->function = &f;
    if (ptx_at(p, "(") && !read_parameters(p, &f.first_result, &f.result_count))
        return false;
    if (p->token.kind != TOKEN_WORD)
        return ptx_fail(p, "expected a function's name");
    f.name = p->token.text;
    ptx_advance(p);
    if (ptx_at(p, "(") && !read_parameters(p, &f.first_parameter, &f.parameter_count))
        return false;
    if (!read_limits(p))
        return false;
    if (!ptx_accept(p, ";")) {
        f.defined = true;
        p->source_file = p->source_line = 0;
        if (!ptx_body(p))
            return false;
    }
    p->function = NULL;
    p->name_count = names;
    p->register_count = registers;
    struct ptx_module *m = p->m;
    int known = ptx_find_function(m, f.name);
    if (known >= 0) {
        if (m->functions[known].defined && f.defined)
            return FAIL(p->e, ERROR_CONFIG, "PTX line %d: the function %.*s is defined twice",
                        f.line, SLICE(f.name));
        if (f.defined)
            m->functions[known] = f;
        return true;
    }
    array_push(m->functions, m->function_count, f);
    return true;
}

/* Reads .version, .target and .address_size. */
static bool read_header(struct ptx_parser *p, bool *seen)
{
    uint64_t bits;
    *seen = true;
    if (ptx_accept(p, ".version")) {
        ptx_advance(p);
        return true;
    }
    if (ptx_accept(p, ".target")) {
        if (p->token.text.length > 3 && memcmp(p->token.text.at, "sm_", 3) == 0)
            p->m->target = atoi(p->token.text.at + 3);
        do {
            ptx_advance(p);
        } while (ptx_accept(p, ","));
        return true;
    }
    if (ptx_accept(p, ".address_size")) {
        if (!ptx_integer(p, &bits))
            return false;
        return bits == 64 ||
               FAIL(p->e, ERROR_UNSUPPORTED, "PTX line %d: only 64-bit addresses are supported",
                    p->token.line);
    }
    *seen = false;
    return false;
}

static bool read_item(struct ptx_parser *p)
{
    bool seen, ok = read_header(p, &seen);
    if (seen)
        return ok;
    ok = ptx_line_directive(p, &seen);
    if (seen)
        return ok;
    bool external = false;
    while (ptx_at(p, ".visible") || ptx_at(p, ".extern") || ptx_at(p, ".weak") ||
           ptx_at(p, ".common")) {
        external |= ptx_at(p, ".extern");
        ptx_advance(p);
    }
    if (ptx_accept(p, ".entry"))
        return read_function(p, true);
    if (ptx_accept(p, ".func")) {
        while (ptx_accept(p, ".noreturn"))
            ;
        return read_function(p, false);
    }
    enum space space;
    if (p->token.kind == TOKEN_WORD && ptx_space_word(p->token.text, &space)) {
        ptx_advance(p);
        return ptx_declare(p, space, external) && ptx_expect(p, ";");
    }
    return FAIL(p->e, ERROR_UNSUPPORTED, "PTX line %d: the simulator does not support '%.*s' here",
                p->token.line, p->token.text.length < 60 ? p->token.text.length : 60,
                p->token.text.at);
}

bool ptx_parse(const char *text, size_t length, struct ptx_module **out, struct error *e)
{
    if (length > PTX_MAX_TEXT)
        return FAIL(e, ERROR_UNSUPPORTED,
                    "the PTX has %zu bytes, but the simulator reads at most %d", length,
                    PTX_MAX_TEXT);
    struct ptx_module *m = xcalloc(1, sizeof *m);
    m->text = xmalloc(length + 1);
    memcpy(m->text, text, length);
    m->text[length] = '\0';
    /* Allocates the array, because statements point into it even if the text has no operands. */
    array_push(m->operands, m->operand_count, (struct ptx_operand){0});
    m->operand_count = 0;
    struct ptx_parser p = {.m = m, .lexer = {m->text, 1}, .e = e};
    ptx_advance(&p);
    bool ok = true;
    while (ok && p.token.kind != TOKEN_END)
        ok = read_item(&p);
    free(p.names);
    free(p.registers);
    if (!ok) {
        ptx_free(m);
        return false;
    }
    *out = m;
    return true;
}

void ptx_free(struct ptx_module *m)
{
    if (!m)
        return;
    free(m->text);
    free(m->functions);
    free(m->variables);
    free(m->statements);
    free(m->operands);
    free(m->labels);
    free(m->targets);
    free(m->classes);
    free(m->files);
    free(m->initial);
    free(m);
}

struct slice ptx_file_name(const struct ptx_module *m, int number)
{
    for (int i = 0; i < m->file_count; i++) {
        if (m->files[i].number != number)
            continue;
        struct slice path = m->files[i].path;
        for (int at = path.length - 1; at >= 0; at--)
            if (path.at[at] == '/')
                return (struct slice){path.at + at + 1, path.length - at - 1};
        return path;
    }
    return (struct slice){"", 0};
}
