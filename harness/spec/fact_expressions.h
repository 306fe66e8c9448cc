/*
 * Reads those facts of a kernel's file that contain expressions, such as `shared: BLOCK * SIZEOF`.
 * Only for kernel_facts.c: its table says which function reads which fact.
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
    /* The longest name of a kernel or a tunable, in bytes. Columns, legends and functions are named
     * after kernels and tunables, so names must be short. */
    FACT_LONGEST_NAME = 48,
    FACT_EXPRESSION_NAMES = 8
};

/* The state while the facts of one file are read. */
struct fact_reading {
    struct kernel *kernel;
    const char *path;
    const struct fact *fact; /* the fact being read; NULL while a default is read */
    struct {
        const struct expr *expression;
        const struct fact *fact;
        unsigned flags;
    } expressions[FACT_MAX_EXPRESSIONS];
    int expression_count;
    struct error *e;
};

/*
 * The names that an expression may contain besides tunables and run-time axes. The last two names,
 * COVERS and GRID, are allowed only in some facts.
 */
extern const char *const fact_expression_names[FACT_EXPRESSION_NAMES];

/* Field readers (base/fields.h) whose context is a struct fact_reading. */
field_reader fact_read_expression, fact_read_dimensions, fact_read_requires, fact_read_cost,
    fact_read_overlap, fact_read_where, fact_read_launch, fact_read_parameters;

#endif
