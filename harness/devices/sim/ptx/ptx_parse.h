/*
 * What the parser's files share. Each file calls only into files below it:
 *
 *   ptx_module.c      the heads of functions, and the declarations between functions
 *   ptx_body.c        a function's registers, labels and statements
 *   ptx_directives.c  variables, and directives that are allowed anywhere
 *   ptx_parse.c       tokens, names in scope, words
 */
#ifndef REDSWEEP_DEVICES_SIM_PTX_PTX_PARSE_H
#define REDSWEEP_DEVICES_SIM_PTX_PTX_PARSE_H

#include "base/vec.h"
#include "devices/sim/ptx/ptx_lex.h"

/* a name in scope: a register declaration or a variable */
struct ptx_name {
    bool is_register;
    int index; /* the index in ptx_parser.registers or ptx_module.variables */
};

struct ptx_parser {
    struct ptx_module *m;
    struct lexer lexer;
    struct token token; /* the next token */
    struct error *e;
    struct ptx_name *names; /* innermost last; a scope ends by cutting the array */
    int name_count;
    struct ptx_register *registers;
    int register_count;
    struct ptx_function *function; /* the function whose body is read, or NULL */
    int source_file, source_line;  /* from the last .loc */
};

void ptx_advance(struct ptx_parser *p);
bool ptx_at(const struct ptx_parser *p, const char *text);
bool ptx_accept(struct ptx_parser *p, const char *text);
bool ptx_expect(struct ptx_parser *p, const char *text);
bool ptx_fail(struct ptx_parser *p, const char *what);
/* Reads an integer literal, with an optional minus sign. */
bool ptx_integer(struct ptx_parser *p, uint64_t *out);

void ptx_name_add(struct ptx_parser *p, bool is_register, int index);
/* Returns the innermost variable with this name, or -1 if there is none. */
int ptx_find_variable(const struct ptx_parser *p, struct slice name);
/* Returns the register with this name, or -1 if there is none. */
int ptx_find_register(const struct ptx_parser *p, struct slice name);

/*
 * Reads a declaration after its state space: [.align n] .type name [size] [= …] {, name …}. Adds
 * the variables, assigns their offsets, and puts them in scope.
 */
bool ptx_declare(struct ptx_parser *p, enum space space, bool external);
bool ptx_space_word(struct slice word, enum space *space);
bool ptx_type_bytes(struct slice type, unsigned *bytes);

/*
 * Reads a directive that is allowed anywhere: .loc, .file, .pragma or .section. Returns false if
 * the next token is no such directive (*seen is false) or on an error (*seen is true).
 */
bool ptx_line_directive(struct ptx_parser *p, bool *seen);

/* Reads the body of p->function, from its '{' to its '}'. */
bool ptx_body(struct ptx_parser *p);

#endif
