/*
 * Implements ptx_lex.h. Source: PTX ISA, chapter 4 (Syntax).
 */
#include "devices/sim/ptx/ptx_lex.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool slice_is(struct slice s, const char *text)
{
    return strlen(text) == (size_t)s.length && memcmp(s.at, text, (size_t)s.length) == 0;
}

bool slice_equal(struct slice a, struct slice b)
{
    return a.length == b.length && memcmp(a.at, b.at, (size_t)a.length) == 0;
}

static void skip_space(struct lexer *l)
{
    for (;;) {
        if (*l->at == '\n') {
            l->line++;
            l->at++;
        } else if (isspace((unsigned char)*l->at)) {
            l->at++;
        } else if (l->at[0] == '/' && l->at[1] == '/') {
            while (*l->at && *l->at != '\n')
                l->at++;
        } else if (l->at[0] == '/' && l->at[1] == '*') {
            l->at += 2;
            while (*l->at && !(l->at[0] == '*' && l->at[1] == '/'))
                l->line += *l->at++ == '\n';
            if (*l->at)
                l->at += 2;
        } else {
            return;
        }
    }
}

static bool word_start(char c)
{
    return isalpha((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.';
}

static bool word_inside(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.';
}

/* Reads 0fXXXXXXXX or 0dXXXXXXXXXXXXXXXX, a float's bits in hexadecimal. */
static bool lex_float_bits(struct lexer *l, struct token *t)
{
    char kind = l->at[1] | 0x20;
    int digits = kind == 'f' ? 8 : 16;
    uint64_t bits = 0;
    for (int i = 0; i < digits; i++) {
        char c = l->at[2 + i];
        if (!isxdigit((unsigned char)c))
            return false;
        bits = bits << 4 | (uint64_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    t->kind = kind == 'f' ? TOKEN_F32 : TOKEN_F64;
    t->bits = bits;
    l->at += 2 + digits;
    return true;
}

static void lex_number(struct lexer *l, struct token *t)
{
    if (l->at[0] == '0' && strchr("fFdD", l->at[1]) && l->at[1]) {
        if (!lex_float_bits(l, t))
            t->kind = TOKEN_BAD;
        return;
    }
    const char *digits = l->at;
    while (isdigit((unsigned char)*digits))
        digits++;
    char *end;
    errno = 0;
    if (*digits == '.' && isdigit((unsigned char)digits[1])) {
        double value = strtod(l->at, &end);
        memcpy(&t->bits, &value, sizeof value);
        t->kind = TOKEN_F64;
    } else if (l->at[0] == '0' && (l->at[1] | 0x20) == 'b') {
        t->bits = strtoull(l->at + 2, &end, 2);
        t->kind = TOKEN_INTEGER;
    } else {
        t->bits = strtoull(l->at, &end, 0);
        t->kind = TOKEN_INTEGER;
    }
    if (errno == ERANGE)
        t->kind = TOKEN_BAD;
    l->at = end;
    if (*l->at == 'U')
        l->at++;
}

/* Reads a word. A directive or type (.reg, .b16) ends where the next one begins, as in `.reg.b16
 * a;`. */
static void lex_word(struct lexer *l)
{
    bool directive = *l->at == '.';
    l->at++;
    for (;;) {
        while (word_inside(*l->at) && !(directive && *l->at == '.'))
            l->at++;
        if (l->at[0] == ':' && l->at[1] == ':') /* L1::no_allocate */
            l->at += 2;
        else
            return;
    }
}

struct token lex_next(struct lexer *l)
{
    skip_space(l);
    struct token t = {.line = l->line};
    const char *start = l->at;
    if (!*l->at) {
        t.kind = TOKEN_END;
    } else if (isdigit((unsigned char)*l->at)) {
        lex_number(l, &t);
    } else if (word_start(*l->at)) {
        t.kind = TOKEN_WORD;
        lex_word(l);
    } else if (*l->at == '"') {
        t.kind = TOKEN_STRING;
        for (l->at++; *l->at && *l->at != '"' && *l->at != '\n'; l->at++)
            ;
        t.text = (struct slice){start + 1, (int)(l->at - start - 1)};
        if (*l->at == '"')
            l->at++;
        else
            t.kind = TOKEN_BAD;
        return t;
    } else {
        t.kind = TOKEN_PUNCTUATION;
        l->at++;
    }
    t.text = (struct slice){start, (int)(l->at - start)};
    return t;
}
