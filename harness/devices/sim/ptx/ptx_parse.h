/*
 * Declares what the files of the PTX parser share. Each file calls only functions of the files
 * below it in this list:
 *
 *   ptx_module.c      parses function heads and the declarations outside functions
 *   ptx_body.c        parses the registers, labels and statements of a function
 *   ptx_directives.c  parses variables, and directives that are allowed anywhere
 *   ptx_parse.c       moves from token to token, and looks up names that are in scope
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
    /* the names in scope, those of the innermost scope last; when a scope ends, its names are
     * removed from the end */
    struct ptx_name *names;
    int name_count;
    struct ptx_register *registers;
    int register_count;
    struct ptx_function *function; /* the function whose body is being read, or NULL */
    int source_file, source_line;  /* from the last .loc directive */
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
 * Reads what follows the state space in a declaration of variables, which has the form
 * [.align n] .type name [size] [= …] {, name …}. Adds the variables to the module, assigns their
 * offsets, and puts their names in scope.
 */
bool ptx_declare(struct ptx_parser *p, enum space space, bool external);
bool ptx_space_word(struct slice word, enum space *space);
bool ptx_type_bytes(struct slice type, unsigned *bytes);

/*
 * Reads a directive that is allowed anywhere: .loc, .file, .pragma or .section. Sets *seen to
 * whether the next token is such a directive. Returns true if it was and has been read without an
 * error.
 */
bool ptx_line_directive(struct ptx_parser *p, bool *seen);

/* Reads the body of p->function, from its '{' to its '}'. */
bool ptx_body(struct ptx_parser *p);

#endif
