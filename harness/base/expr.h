/*
 * One small language for every formula that redsweep reads: in kernel facts (elements per block,
 * grid, shared memory, constraints), in a config's excludes, in metrics, and in the rows that
 * `show` selects.
 *
 *   expression  or, and, not; = == != < <= > >= ; + - ; * / % ; unary - ; ^ (power, right to left)
 *   atoms       numbers (12, 1.5e3, 2^20), names, "quoted text", ( … ), calls
 *   calls       min(a,b,…) max(a,b,…) ceil_div(a,b) log2(a) power_of_two(a) if(cond,a,b)
 *
 * && || ! stand for and, or, not. Numbers are doubles, so integers are exact up to 2^53. `/`
 * divides exactly (7/2 is 3.5); ceil_div and % work on integers. A condition is 1 or 0.
 *
 * Text may appear only in comparisons, to the right of the name that it is compared with: kernel =
 * unroll, kernel = "smem_*". If the name's value is text, a bare word to the right of = or != is
 * text, even if it is also a name (unroll). Other text needs quotes (single or double, without
 * escapes). For = and !=, quoted text may be a glob; <, <=, > and >= compare bytes. A name consists
 * of letters, digits and _, and does not begin with a digit. Dots inside a name are allowed
 * (a.sum).
 */
#ifndef REDSWEEP_BASE_EXPR_H
#define REDSWEEP_BASE_EXPR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct expr; /* immutable, so threads may share it */

struct expr_value {
    const char *text; /* The value if it is text, which the lookup function owns; otherwise NULL. */
    /*
     * The value if `text` is NULL. NaN means that it is missing, so every comparison with it is
     * false.
     */
    double number;
};

/* Looks up a name's value. Returns false for an unknown name. */
typedef bool expr_lookup(void *context, const char *name, struct expr_value *value);

/*
 * Parses `source`. On failure, the error (ERROR_CONFIG) shows the source with a caret under the
 * offending column. The caller frees the result with expr_free().
 */
bool expr_parse(const char *source, struct expr **out, struct error *e);
void expr_free(struct expr *x);

/* Returns the source text of the expression. */
const char *expr_source(const struct expr *x);

/*
 * Evaluates a numeric expression. Unknown names, text where a number is needed, and x/0 are errors.
 */
bool expr_number(const struct expr *x, expr_lookup *lookup, void *context, double *out,
                 struct error *e);
/*
 * Like expr_number(), but ceil_div also accepts fractions, as in the C code that expr_write_c()
 * writes.
 */
bool expr_estimate(const struct expr *x, expr_lookup *lookup, void *context, double *out,
                   struct error *e);

/*
 * Evaluates a condition that may contain names without a value so far; for these, `lookup` returns
 * infinity. Returns EXPR_UNKNOWN if the result depends on them, or if the evaluation would fail.
 */
enum expr_truth { EXPR_FALSE, EXPR_TRUE, EXPR_UNKNOWN };
enum expr_truth expr_partial(const struct expr *x, expr_lookup *lookup, void *context);

/*
 * Evaluates an expression whose value must be an integer in [0, 2^63-1]. Otherwise the error shows
 * the value.
 */
bool expr_count(const struct expr *x, expr_lookup *lookup, void *context, unsigned long long *out,
                struct error *e);

/*
 * Appends the expression as C code that computes with doubles, with its names unchanged. Returns
 * false if it contains text, for which C has no operators. The code needs <math.h>, ceil_div(a, b),
 * rest_of(a, b) and is_power_of_two(a).
 */
struct text;
bool expr_write_c(const struct expr *x, struct text *out);

/*
 * Calls `visit` once for each distinct name that evaluation may look up, in source order. If both
 * sides of = or != are bare names, the right one may be text, so it is not visited: in `kernel =
 * unroll`, only `kernel` is. But if the left name turns out to have a number as its value,
 * evaluation looks up the right name, too.
 */
void expr_names(const struct expr *x, void (*visit)(void *context, const char *name),
                void *context);

#endif
