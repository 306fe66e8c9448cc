/*
 * Parses variable declarations and directives that are allowed anywhere in PTX.
 *
 * Source: PTX ISA, chapters 5 (State spaces, types and variables) and 11 (Directives).
 */
#include "devices/sim/ptx/ptx_parse.h"

/* Reads an initializer: { 1, 2, … } or one value. */
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
                        "PTX line %d: the simulator accepts only numbers as initial values, not "
                        "'%.*s' (variable %.*s)",
                        p->token.line, SLICE(p->token.text), SLICE(v->name));
        uint64_t bits = minus ? 0 - p->token.bits : p->token.bits;
        for (unsigned i = 0; i < element; i++)
            array_push(m->initial, m->initial_count, i < 8 ? (uint8_t)(bits >> 8 * i) : 0);
        ptx_advance(p);
        while (depth && ptx_accept(p, "}"))
            depth--;
    } while (depth && ptx_accept(p, ","));
    if (depth)
        return ptx_fail(p, "expected '}'");
    v->initial_count = (uint32_t)m->initial_count - v->initial;
    return v->initial_count <= v->bytes || ptx_fail(p, "more initial values than elements");
}

/* Assigns a variable the next aligned offset from *end on, and sets *end to the end of the
 * variable. Fails if that is above `limit`. */
static bool place_at(struct ptx_parser *p, struct ptx_variable *v, uint64_t *end, uint64_t limit)
{
    if (v->dynamic || v->external)
        return true;
    v->offset = (*end + v->align - 1) / v->align * v->align;
    if (v->bytes > limit || v->offset + v->bytes > limit) {
        return FAIL(p->e, ERROR_UNSUPPORTED,
                    "PTX line %d: the variable %.*s is too large, because the .%s memory would "
                    "have more than %llu bytes",
                    p->token.line, SLICE(v->name), space_names[v->space],
                    (unsigned long long)limit);
    }
    *end = v->offset + v->bytes;
    return true;
}

/* Marks the variables that occur in `count` operands, including in their vectors and lists. */
static void mark_variables(const struct ptx_module *m, int first, int count, bool *used)
{
    for (int i = first; i < first + count; i++) {
        const struct ptx_operand *o = &m->operands[i];
        if ((o->kind == OPERAND_ADDRESS || o->kind == OPERAND_VARIABLE) && o->index >= 0)
            used[o->index] = true;
        else if (o->kind == OPERAND_VECTOR || o->kind == OPERAND_LIST)
            mark_variables(m, o->index, o->count, used);
    }
}

/* Assigns a variable an offset in its state space. */
static bool place(struct ptx_parser *p, struct ptx_variable *v)
{
    uint64_t *end = NULL, limit = PTX_MAX_VARIABLE;
    if (v->space == SPACE_SHARED) { /* only checks the size; see ptx_place_shared() */
        uint64_t none = 0;
        return place_at(p, v, &none, PTX_MAX_SHARED);
    }
    if (v->space == SPACE_LOCAL || (v->space == SPACE_PARAM && p->function)) {
        if (!p->function)
            return ptx_fail(p, "local memory is not allowed outside of a function");
        bool own = v->space == SPACE_PARAM && p->function->entry && !p->function->defined;
        end = own ? &p->function->parameter_bytes : &p->function->local_bytes;
        limit = own ? PTX_MAX_PARAMETERS : PTX_MAX_LOCAL;
    } else {
        end = &p->m->global_bytes;
    }
    return place_at(p, v, end, limit);
}

void ptx_place_shared(struct ptx_module *m, const struct ptx_function *entry)
{
    bool *used = xcalloc((size_t)m->variable_count + 1, sizeof *used);
    for (int k = 0; k < m->function_count; k++) {
        const struct ptx_function *f = &m->functions[k];
        if (f->entry && f != entry)
            continue;
        for (int i = f->first_statement; i < f->first_statement + f->statement_count; i++)
            mark_variables(m, m->statements[i].first, m->statements[i].count, used);
    }
    m->shared_bytes = 0;
    for (int k = 0; k < m->variable_count; k++) {
        struct ptx_variable *v = &m->variables[k];
        if (v->space != SPACE_SHARED || v->dynamic || v->external || !used[k])
            continue;
        v->offset = (m->shared_bytes + v->align - 1) / v->align * v->align;
        m->shared_bytes = v->offset + v->bytes;
    }
    free(used);
}

/* Reads one variable of a declaration: name [size][size] = … */
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
    array_push(p->m->variables, p->m->variable_count, v);
    ptx_name_add(p, false, p->m->variable_count - 1);
    return true;
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
            return ptx_fail(p, "unrecognized word in a declaration");
        ptx_advance(p);
        if (slice_is(word, ".attribute")) {
            while (p->token.kind != TOKEN_END && !ptx_at(p, ")"))
                ptx_advance(p);
            ptx_advance(p);
        }
        /* In a parameter such as ".u64 .ptr .align 1 p", .align is the alignment of the memory that
         * p points to, not that of p. */
        uint64_t value;
        if (slice_is(word, ".align")) {
            if (!ptx_integer(p, &value))
                return false;
            if (value == 0 || value > 4096 || (value & (value - 1)))
                return ptx_fail(p, "the alignment must be a power of two up to 4096");
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
            /* In inlined code, uses the location of the call instead of that of the called
             * function, because users look for lines of their kernel. */
            for (int i = 0; i < 3; i++)
                if (!ptx_integer(p, &numbers[i]))
                    return false;
        } else if (ptx_accept(p, "function_name")) {
            uint64_t skipped;
            ptx_advance(p);
            if (ptx_accept(p, "+") && !ptx_integer(p, &skipped))
                return false;
        } else {
            return ptx_fail(p, "unrecognized .loc directive field");
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
    array_push(p->m->files, p->m->file_count, (struct ptx_file){(int)number, p->token.text});
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
