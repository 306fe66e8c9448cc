/*
 * The state of reading a file's facts, and the readers of facts that are, or contain, expressions. Private to
 * kernel_facts.c, whose table names the readers.
 */
#ifndef REDSWEEP_SPEC_FACT_EXPRESSIONS_H
#define REDSWEEP_SPEC_FACT_EXPRESSIONS_H

#include "base/expr.h"
#include "base/fields.h"
#include "spec/facts.h"
#include "spec/kernel.h"

#define FACT_BLANKS " \t"

enum {
    FACT_MAX_EXPRESSIONS = 5 + 2 * KERNEL_DIMENSIONS + KERNEL_MAX_REQUIRES + KERNEL_MAX_COSTS +
                           KERNEL_MAX_WHERES + KERNEL_MAX_PARAMETERS,
    FACT_LONGEST_NAME = 48, /* kernels and tunables: they are columns, legends and entry names */
    FACT_EXPRESSION_NAMES = 8
};

struct fact_reading {
    struct kernel *kernel;
    const char *path;
    const struct fact *fact; /* the fact being read; NULL: a default */
    struct {
        const struct expr *expression;
        const struct fact *fact;
        unsigned flags;
    } expressions[FACT_MAX_EXPRESSIONS];
    int expression_count;
    struct error *e;
};

/* Names that expressions may use besides tunables and run-time axes; the last two not
 * everywhere. */
extern const char *const fact_expression_names[FACT_EXPRESSION_NAMES];

/* Readers of fields (base/fields.h), whose context is a struct fact_reading. */
field_reader fact_read_expression, fact_read_dimensions, fact_read_requires, fact_read_cost,
    fact_read_overlap, fact_read_where, fact_read_launch, fact_read_parameters;

#endif
