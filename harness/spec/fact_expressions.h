/*
 * The state that is kept while the facts of a file are read, and the readers of facts that contain
 * expressions. Only for kernel_facts.c, whose table names the readers.
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
    /* Names of kernels and tunables become columns, legends and function names. */
    FACT_LONGEST_NAME = 48,
    FACT_EXPRESSION_NAMES = 8
};

struct fact_reading {
    struct kernel *kernel;
    const char *path;
    const struct fact *fact; /* the fact being read; NULL for a default */
    struct {
        const struct expr *expression;
        const struct fact *fact;
        unsigned flags;
    } expressions[FACT_MAX_EXPRESSIONS];
    int expression_count;
    struct error *e;
};

/*
 * Names in expressions, in addition to tunables and run-time axes. The last two, COVERS and GRID,
 * are allowed only in some facts.
 */
extern const char *const fact_expression_names[FACT_EXPRESSION_NAMES];

/* Field readers (base/fields.h) whose context is a struct fact_reading. */
field_reader fact_read_expression, fact_read_dimensions, fact_read_requires, fact_read_cost,
    fact_read_overlap, fact_read_where, fact_read_launch, fact_read_parameters;

#endif
