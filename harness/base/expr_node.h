/*
 * Only the parser of expressions (expr.c), their evaluation (expr_evaluate.c) and their translation
 * to C (expr_c.c) share these nodes. See expr.h for the language.
 */
#ifndef REDSWEEP_BASE_EXPR_NODE_H
#define REDSWEEP_BASE_EXPR_NODE_H

#include "base/expr.h"

/*
 * The tokens and the kinds of nodes. A node that is made from an operator has the token of the
 * operator.
 */
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
    size_t column;    /* the byte offset in the source, for the caret */
    int operands[3];  /* the indices of the operands' nodes */
    double number;    /* the value of a NUMBER */
    const char *name; /* the text of a NAME or TEXT, in the pool */
    /* This is true if a NAME is to the right of = or !=. There, it is text if the left side is
     * text. */
    bool word;
};

struct expr {
    char *source;
    char *pool; /* the names and texts, each of which ends with a NUL */
    struct node *nodes;
    int count, capacity;
    int root;
};

#endif
