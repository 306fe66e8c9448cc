/*
 * Expression nodes, shared by the parser (expr.c), evaluation (expr_evaluate.c) and translation to
 * C (expr_c.c) only. See expr.h for the language.
 */
#ifndef REDSWEEP_BASE_EXPR_NODE_H
#define REDSWEEP_BASE_EXPR_NODE_H

#include "base/expr.h"

/* Tokens and kinds of nodes. A node for an operator has the operator's token. */
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
    int operands[3];  /* the operands' nodes */
    double number;    /* the value of a NUMBER */
    const char *name; /* the text of a NAME or TEXT, in the pool */
    /* True for a NAME to the right of = or !=. It is text if the left side's value is text. */
    bool word;
};

struct expr {
    char *source;
    char *pool; /* names and texts, each with its NUL */
    struct node *nodes;
    int count, capacity;
    int root;
};

#endif
