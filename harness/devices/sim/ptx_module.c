/*
 * PTX at module level: directives, variables, and the heads of functions.
 *
 * Source: PTX ISA, chapters 4 (Syntax), 5 (State spaces, types and variables), 11 (Directives).
 */
#include "devices/sim/ptx_parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const space_names[SPACE_COUNT] = {"generic", "global", "const",          "shared",
                                              "local",   "param",  "shared::cluster"};

const char *const special_names[SPECIAL_COUNT] = {
    "tid.x",           "tid.y",        "tid.z",       "ntid.x",          "ntid.y",
    "ntid.z",          "ctaid.x",      "ctaid.y",     "ctaid.z",         "nctaid.x",
    "nctaid.y",        "nctaid.z",     "laneid",      "warpid",          "nwarpid",
    "WARP_SZ",         "smid",         "nsmid",       "gridid",          "lanemask_eq",
    "lanemask_le",     "lanemask_lt",  "lanemask_ge", "lanemask_gt",     "dynamic_smem_size",
    "total_smem_size", "envreg1",      "envreg2",     "cluster_ctarank", "cluster_nctarank",
    "clusterid.x",     "nclusterid.x",
};

bool ptx_grow(void *array, size_t size, int count)
{
    /* Capacities are 16, 32, 64 …: a full array is one whose count is such a number. */
    if (count != 0 && (count < 16 || (count & (count - 1)) != 0))
        return true;
    size_t capacity = count == 0 ? 16 : (size_t)count * 2;
    void *old;
    memcpy(&old, array, sizeof old);
    void *grown = realloc(old, capacity * size);
    if (!grown)
        return false;
    memcpy(array, &grown, sizeof grown);
    return true;
}

void ptx_advance(struct ptx_parser *p)
{
    p->token = lex_next(&p->lexer);
}

bool ptx_at(const struct ptx_parser *p, const char *text)
{
    return p->token.kind != TOKEN_STRING && slice_is(p->token.text, text);
}

bool ptx_accept(struct ptx_parser *p, const char *text)
{
    if (!ptx_at(p, text))
        return false;
    ptx_advance(p);
    return true;
}

bool ptx_fail(struct ptx_parser *p, const char *what)
{
    int length = p->token.text.length < 60 ? p->token.text.length : 60;
    return FAIL(p->e, ERROR_CONFIG, "PTX line %d: %s, at '%.*s'", p->token.line, what, length,
                p->token.text.at ? p->token.text.at : "");
}

bool ptx_expect(struct ptx_parser *p, const char *text)
{
    if (ptx_accept(p, text))
        return true;
    char what[80];
    snprintf(what, sizeof what, "expected '%s'", text);
    return ptx_fail(p, what);
}

bool ptx_integer(struct ptx_parser *p, uint64_t *out)
{
    bool minus = ptx_accept(p, "-");
    if (p->token.kind != TOKEN_INTEGER)
        return ptx_fail(p, "expected a whole number");
    *out = minus ? 0 - p->token.bits : p->token.bits;
    ptx_advance(p);
    return true;
}

bool ptx_name_add(struct ptx_parser *p, bool is_register, int index)
{
    if (!ptx_grow(&p->names, sizeof *p->names, p->name_count))
        return FAIL(p->e, ERROR_MEMORY, "no memory for the names of a PTX module");
    p->names[p->name_count++] = (struct ptx_name){is_register, index};
    return true;
}

int ptx_find_variable(const struct ptx_parser *p, struct slice name)
{
    for (int i = p->name_count - 1; i >= 0; i--) {
        const struct ptx_name *n = &p->names[i];
        if (!n->is_register && slice_equal(p->m->variables[n->index].name, name))
            return n->index;
    }
    return -1;
}

bool ptx_space_word(struct slice word, enum space *space)
{
    for (int s = SPACE_GLOBAL; s < SPACE_CLUSTER; s++) {
        if (word.length > 1 &&
            slice_is((struct slice){word.at + 1, word.length - 1}, space_names[s])) {
            *space = (enum space)s;
            return word.at[0] == '.';
        }
    }
    return false;
}

bool ptx_type_bytes(struct slice type, unsigned *bytes)
{
    static const struct {
        const char *name;
        unsigned bytes;
    } types[] = {{".pred", 0}, {".b8", 1},  {".u8", 1},  {".s8", 1},  {".b16", 2},  {".u16", 2},
                 {".s16", 2},  {".f16", 2}, {".b32", 4}, {".u32", 4}, {".s32", 4},  {".f32", 4},
                 {".b64", 8},  {".u64", 8}, {".s64", 8}, {".f64", 8}, {".b128", 16}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (slice_is(type, types[i].name)) {
            *bytes = types[i].bytes;
            return true;
        }
    }
    return false;
}

/* { 1, 2, … } or one value: the variable's first bytes. */
static bool read_initial(struct ptx_parser *p, struct ptx_variable *v, unsigned element)
{
    struct ptx_module *m = p->m;
    v->initial = (uint32_t)m->initial_count;
    int depth = 0;
    do {
        while (ptx_accept(p, "{"))
            depth++;
        bool minus = ptx_accept(p, "-");
        if (p->token.kind != TOKEN_INTEGER && p->token.kind != TOKEN_F32 &&
            p->token.kind != TOKEN_F64)
            return FAIL(p->e, ERROR_UNSUPPORTED,
                        "PTX line %d: the simulator reads only numbers as initial values, "
                        "not '%.*s' (variable %.*s)",
                        p->token.line, SLICE(p->token.text), SLICE(v->name));
        uint64_t bits = minus ? 0 - p->token.bits : p->token.bits;
        for (unsigned i = 0; i < element; i++) {
            if (!ptx_grow(&m->initial, 1, m->initial_count))
                return FAIL(p->e, ERROR_MEMORY, "no memory for a PTX variable");
            m->initial[m->initial_count++] = i < 8 ? (uint8_t)(bits >> 8 * i) : 0;
        }
        ptx_advance(p);
        while (depth && ptx_accept(p, "}"))
            depth--;
    } while (depth && ptx_accept(p, ","));
    if (depth)
        return ptx_fail(p, "expected '}'");
    v->initial_count = (uint32_t)m->initial_count - v->initial;
    return v->initial_count <= v->bytes || ptx_fail(p, "more initial values than elements");
}

/* Gives a variable its place in its space. */
static bool place(struct ptx_parser *p, struct ptx_variable *v)
{
    uint64_t *end = NULL, most = PTX_MAX_VARIABLE;
    if (v->space == SPACE_SHARED) {
        end = &p->m->shared_bytes;
        most = PTX_MAX_SHARED;
    } else if (v->space == SPACE_LOCAL || (v->space == SPACE_PARAM && p->function)) {
        if (!p->function)
            return ptx_fail(p, "local memory outside of a function");
        bool own = v->space == SPACE_PARAM && p->function->entry && !p->function->defined;
        end = own ? &p->function->parameter_bytes : &p->function->local_bytes;
        most = own ? PTX_MAX_PARAMETERS : PTX_MAX_LOCAL;
    } else {
        end = &p->m->global_bytes;
    }
    if (v->dynamic || v->external)
        return true;
    v->offset = (*end + v->align - 1) / v->align * v->align;
    if (v->bytes > most || v->offset + v->bytes > most) {
        return FAIL(p->e, ERROR_UNSUPPORTED,
                    "PTX line %d: %.*s is too large: the .%s memory would have more than %llu "
                    "bytes",
                    p->token.line, SLICE(v->name), space_names[v->space], (unsigned long long)most);
    }
    *end = v->offset + v->bytes;
    return true;
}

/* name [size][size] = …: one variable of a declaration. */
static bool declare_one(struct ptx_parser *p, struct ptx_variable v, unsigned element)
{
    if (p->token.kind != TOKEN_WORD)
        return ptx_fail(p, "expected a variable's name");
    v.name = p->token.text;
    v.bytes = element;
    ptx_advance(p);
    bool sized = true;
    while (ptx_accept(p, "[")) {
        uint64_t count = 0;
        if (ptx_at(p, "]"))
            sized = false;
        else if (!ptx_integer(p, &count))
            return false;
        if (count > PTX_MAX_VARIABLE || v.bytes * count > PTX_MAX_VARIABLE)
            return ptx_fail(p, "the array is too large");
        v.bytes *= count;
        if (!ptx_expect(p, "]"))
            return false;
    }
    if (!sized && v.external && v.space == SPACE_SHARED) {
        v.dynamic = true;
        v.external = false;
    }
    if (ptx_accept(p, "=") && !read_initial(p, &v, element))
        return false;
    if (!sized && !v.dynamic)
        v.bytes = v.initial_count;
    if (!place(p, &v))
        return false;
    if (!ptx_grow(&p->m->variables, sizeof v, p->m->variable_count))
        return FAIL(p->e, ERROR_MEMORY, "no memory for a PTX variable");
    p->m->variables[p->m->variable_count++] = v;
    return ptx_name_add(p, false, p->m->variable_count - 1);
}

bool ptx_declare(struct ptx_parser *p, enum space space, bool external)
{
    struct ptx_variable v = {.space = space, .external = external};
    unsigned element = 0, vector = 1;
    uint64_t align = 0;
    while (p->token.kind == TOKEN_WORD && p->token.text.at[0] == '.') {
        unsigned bytes;
        struct slice word = p->token.text;
        enum space pointee;
        if (ptx_type_bytes(word, &bytes))
            element = bytes;
        else if (slice_is(word, ".v2"))
            vector = 2;
        else if (slice_is(word, ".v4"))
            vector = 4;
        else if (!slice_is(word, ".align") && !slice_is(word, ".ptr") &&
                 !ptx_space_word(word, &pointee) && !slice_is(word, ".attribute"))
            return ptx_fail(p, "unknown word in a declaration");
        ptx_advance(p);
        if (slice_is(word, ".attribute")) {
            while (p->token.kind != TOKEN_END && !ptx_at(p, ")"))
                ptx_advance(p);
            ptx_advance(p);
        }
        /* In "u64 .ptr .align 1" the alignment is the pointee's, not the parameter's. */
        uint64_t value;
        if (slice_is(word, ".align")) {
            if (!ptx_integer(p, &value))
                return false;
            if (value == 0 || value > 4096 || (value & (value - 1)))
                return ptx_fail(p, "an alignment must be a power of two up to 4096");
            if (!element)
                align = value;
        }
    }
    if (!element)
        return ptx_fail(p, "expected a type");
    element *= vector;
    v.align = align ? (unsigned)align : element;
    do {
        if (!declare_one(p, v, element))
            return false;
    } while (space != SPACE_PARAM && ptx_accept(p, ","));
    return true;
}

static bool read_loc(struct ptx_parser *p)
{
    uint64_t numbers[3];
    for (int i = 0; i < 3; i++)
        if (!ptx_integer(p, &numbers[i]))
            return false;
    while (ptx_accept(p, ",")) {
        if (ptx_accept(p, "inlined_at")) {
            /* Where the kernel itself stands is what its reader looks for. */
            for (int i = 0; i < 3; i++)
                if (!ptx_integer(p, &numbers[i]))
                    return false;
        } else if (ptx_accept(p, "function_name")) {
            uint64_t skipped;
            ptx_advance(p);
            if (ptx_accept(p, "+") && !ptx_integer(p, &skipped))
                return false;
        } else {
            return ptx_fail(p, "unknown part of a .loc directive");
        }
    }
    p->source_file = (int)numbers[0];
    p->source_line = (int)numbers[1];
    return true;
}

static bool read_file(struct ptx_parser *p)
{
    uint64_t number, skipped;
    if (!ptx_integer(p, &number))
        return false;
    if (p->token.kind != TOKEN_STRING)
        return ptx_fail(p, "expected a file's name");
    struct ptx_module *m = p->m;
    if (!ptx_grow(&m->files, sizeof *m->files, m->file_count))
        return FAIL(p->e, ERROR_MEMORY, "no memory for a PTX file name");
    m->files[m->file_count++] = (struct ptx_file){(int)number, p->token.text};
    ptx_advance(p);
    while (ptx_accept(p, ","))
        if (!ptx_integer(p, &skipped))
            return false;
    return true;
}

bool ptx_line_directive(struct ptx_parser *p, bool *seen)
{
    *seen = true;
    if (ptx_accept(p, ".loc"))
        return read_loc(p);
    if (ptx_accept(p, ".file"))
        return read_file(p);
    if (ptx_accept(p, ".pragma")) {
        while (p->token.kind != TOKEN_END && p->token.kind != TOKEN_BAD && !ptx_at(p, ";"))
            ptx_advance(p);
        return ptx_expect(p, ";");
    }
    if (ptx_accept(p, ".section")) {
        ptx_advance(p);
        if (!ptx_expect(p, "{"))
            return false;
        while (p->token.kind != TOKEN_END && p->token.kind != TOKEN_BAD && !ptx_at(p, "}"))
            ptx_advance(p);
        return ptx_expect(p, "}");
    }
    *seen = false;
    return false;
}

/* (.param …, .param …): a function's parameters or results. */
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

/* .maxntid 256, 1, 1 and its relatives, between a function's head and its body. */
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

static int find_function(const struct ptx_module *m, struct slice name)
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
    int known = find_function(m, f.name);
    if (known >= 0) {
        if (m->functions[known].defined && f.defined)
            return FAIL(p->e, ERROR_CONFIG, "PTX line %d: function %.*s is defined twice", f.line,
                        SLICE(f.name));
        if (f.defined)
            m->functions[known] = f;
        return true;
    }
    if (!ptx_grow(&m->functions, sizeof f, m->function_count))
        return FAIL(p->e, ERROR_MEMORY, "no memory for a PTX function");
    m->functions[m->function_count++] = f;
    return true;
}

/* .version, .target and .address_size: what the text was made for. */
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
    return FAIL(p->e, ERROR_UNSUPPORTED, "PTX line %d: the simulator does not know '%.*s' here",
                p->token.line, p->token.text.length < 60 ? p->token.text.length : 60,
                p->token.text.at);
}

bool ptx_parse(const char *text, size_t length, struct ptx_module **out, struct error *e)
{
    if (length > PTX_MAX_TEXT)
        return FAIL(e, ERROR_UNSUPPORTED, "a PTX text of %zu bytes is too large (at most %d)",
                    length, PTX_MAX_TEXT);
    struct ptx_module *m = calloc(1, sizeof *m);
    char *copy = malloc(length + 1);
    if (!m || !copy) {
        free(m);
        free(copy);
        return FAIL(e, ERROR_MEMORY, "no memory for a PTX module of %zu bytes", length);
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    m->text = copy;
    /* Statements point into this array, also those of a text that has not one operand. */
    if (!ptx_grow(&m->operands, sizeof *m->operands, 0)) {
        ptx_free(m);
        return FAIL(e, ERROR_MEMORY, "no memory for PTX operands");
    }
    struct ptx_parser p = {.m = m, .lexer = {copy, 1}, .e = e};
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
