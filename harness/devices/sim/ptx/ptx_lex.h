/*
 * Splits PTX text into tokens.
 *
 *   word    an opcode with its suffixes (ld.global.nc.L1::no_allocate.u32), a directive (.reg), a
 *           name or a register (%r1, $L__BB0_1, _ZZ…)
 *   number  a number without a sign: 12, 0x1F, 017, 0b1, 12U, 0f3F800000, 0d3FF0000000000000, 1.5
 *   string  "…"
 *   others  each other character is a token of its own, including the minus sign of a number
 *
 * Tokens are separated by white space and comments of both kinds. The text must be NUL-terminated.
 */
#ifndef REDSWEEP_DEVICES_SIM_PTX_PTX_LEX_H
#define REDSWEEP_DEVICES_SIM_PTX_PTX_LEX_H

#include "devices/sim/ptx/ptx.h"

enum token_kind {
    TOKEN_END,
    TOKEN_WORD,
    TOKEN_INTEGER,
    TOKEN_F32,
    TOKEN_F64,
    TOKEN_STRING,
    TOKEN_PUNCTUATION,
    TOKEN_BAD
};

struct token {
    enum token_kind kind;
    struct slice text;
    uint64_t bits; /* the value of a number: an integer, or the bits of a floating-point number */
    int line;
};

struct lexer {
    const char *at;
    int line;
};

struct token lex_next(struct lexer *l);

#endif
