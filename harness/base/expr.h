/*
 * Every formula that redsweep reads is written in one small language: formulas for the facts of a
 * kernel (elements per block, grid, shared memory, constraints), for the combinations that a config
 * excludes, for metrics, and for the rows that `show` selects.
 *
 *   expression  or, and, not; = == != < <= > >= ; + - ; * / % ; unary - ; ^ (power, right to left)
 *   atoms       numbers (12, 1.5e3, 2^20), names, "quoted text", ( … ), calls
 *   calls       min(a,b,…) max(a,b,…) ceil_div(a,b) log2(a) power_of_two(a) if(cond,a,b)
 *
 * The operators && || ! are accepted for and, or, not. Numbers are doubles, so integers are exact
 * up to 2^53. `/` divides exactly (7/2 is 3.5); ceil_div and % work on integers. A condition has
 * the value 1 or 0.
 *
 * Text may appear only in comparisons, to the right of the name that it is compared with: kernel =
 * unroll, kernel = "smem_*". If the value of the name is text, a bare word to the right of = or !=
 * is taken as text, even if it is also a name (unroll). Other text needs quotes (single or double,
 * without escapes). Quoted text may be a glob for = and !=, while <, <=, > and >= compare bytes. A
 * name consists of letters, digits and _, and does not begin with a digit. Dots inside a name are
 * allowed (a.sum).
 */
#ifndef REDSWEEP_BASE_EXPR_H
#define REDSWEEP_BASE_EXPR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct expr; /* A parsed expression is immutable, so threads may share it. */

struct expr_value {
    const char *text; /* If this is not NULL, it is the value. The lookup function owns it. */
    /* Otherwise, this is the value. NaN means that the value is missing, and makes comparisons
     * false. */
    double number;
};

/* Looks up the value of a name. Returns false for an unknown name. */
typedef bool expr_lookup(void *context, const char *name, struct expr_value *value);

/*
 * Parses `source`. If that fails, the error (ERROR_CONFIG) shows the source with a caret under the
 * offending column. The caller owns the result and frees it with expr_free().
 */
bool expr_parse(const char *source, struct expr **out, struct error *e);
void expr_free(struct expr *x);

/* Returns the source text that the expression was parsed from. */
const char *expr_source(const struct expr *x);

/*
 * Evaluates an expression whose value is a number. Unknown names, text where a number is needed,
 * and x/0 are errors.
 */
bool expr_number(const struct expr *x, expr_lookup *lookup, void *context, double *out,
                 struct error *e);
/*
 * Evaluates an expression whose value need not be a whole number. Here, ceil_div also accepts
 * fractions, as it does in the C code that expr_write_c() writes.
 */
bool expr_estimate(const struct expr *x, expr_lookup *lookup, void *context, double *out,
                   struct error *e);

/*
 * Returns whether a condition is true, or EXPR_UNKNOWN if the names with known values do not decide
 * this. For a name whose value is not known yet, the lookup returns infinity. A condition whose
 * evaluation would fail is also unknown.
 */
enum expr_truth { EXPR_FALSE, EXPR_TRUE, EXPR_UNKNOWN };
enum expr_truth expr_partial(const struct expr *x, expr_lookup *lookup, void *context);

/*
 * Evaluates an expression whose value is an integer ≥ 0 that fits into 63 bits. Any other value is
 * an error, and the message shows it.
 */
bool expr_count(const struct expr *x, expr_lookup *lookup, void *context, unsigned long long *out,
                struct error *e);

/*
 * Appends the expression as C code that computes with doubles, with its names unchanged. Returns
 * false if it contains text, for which C has no operators. The code needs <math.h>, ceil_div(a, b)
 * and is_power_of_two(a).
 */
struct text;
bool expr_write_c(const struct expr *x, struct text *out);

/*
 * Calls `visit` once for each distinct name that evaluation may look up, in the order of the
 * source. If both sides of = or != are bare names, the right one may be text, so it is not visited
 * for that use (in `kernel = unroll` only kernel is visited). If the value of the left side turns
 * out to be a number, evaluation looks up the right name nevertheless.
 */
void expr_names(const struct expr *x, void (*visit)(void *context, const char *name),
                void *context);

#endif
