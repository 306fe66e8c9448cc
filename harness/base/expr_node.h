/*
 * The nodes of an expression: shared only by its parser (expr.c), its evaluation (expr_evaluate.c),
 * and its translation to C (expr_c.c). See expr.h for the language.
 */
#ifndef REDSWEEP_BASE_EXPR_NODE_H
#define REDSWEEP_BASE_EXPR_NODE_H

#include "base/expr.h"

/* Tokens, and the kinds of nodes; a node made from an operator has the operator's token. */
enum symbol {
    END,
    NUMBER,
    NAME,
    TEXT,
    OPEN,
    CLOSE,
    COMMA,
    OR,
    AND,
    NOT,
    EQUAL,
    UNEQUAL,
    LESS,
    LESS_EQUAL,
    GREATER,
    GREATER_EQUAL,
    PLUS,
    MINUS,
    TIMES,
    DIVIDE,
    REMAINDER,
    POWER,
    NEGATE,
    CALL_MIN,
    CALL_MAX,
    CALL_CEIL_DIV,
    CALL_LOG2,
    CALL_POWER_OF_TWO,
    CALL_IF
};

struct node {
    enum symbol symbol;
    size_t column;    /* byte offset in the source, for the caret */
    int operands[3];  /* indices of nodes */
    double number;    /* NUMBER */
    const char *name; /* NAME and TEXT: in the pool */
    bool word;        /* NAME: to the right of = or !=, text if the left side is text */
};

struct expr {
    char *source;
    char *pool; /* names and texts, each NUL-terminated */
    struct node *nodes;
    int count, capacity;
    int root;
};

#endif
