/*
 * One small language for every formula that redsweep reads: a kernel's facts (elements per block,
 * grid, shared memory, constraints), the combinations that a config excludes, a metric's formula,
 * and the rows that `show` selects.
 *
 *   expression  or, and, not; = == != < <= > >= ; + - ; * / % ; unary - ; ^ (power, right to left)
 *   atoms       numbers (12, 1.5e3, 2^20), names, "quoted text", ( … ), calls
 *   calls       min(a,b,…) max(a,b,…) ceil_div(a,b) log2(a) power_of_two(a) if(cond,a,b)
 *
 * && || ! are accepted for and, or, not. Numbers are doubles: integers are exact up to 2^53. `/`
 * divides exactly (7/2 is 3.5); ceil_div and % work on integers. Truth is 1 or 0. Text may appear
 * only in comparisons, with its name on the left: kernel = unroll, kernel = "smem_*". If the name's
 * value is text, a bare word to the right of = or != is taken as text, even if it is also a name
 * (unroll); other texts need quotes (single or double, no escapes). Quoted text may be a glob for =
 * and !=; <, <=, >, >= compare bytes. Names are letters, digits and _, not beginning with a digit;
 * inner dots are allowed (a.sum).
 */
#ifndef REDSWEEP_BASE_EXPR_H
#define REDSWEEP_BASE_EXPR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct expr; /* a parsed expression; immutable, may be shared by threads */

struct expr_value {
    const char *text; /* not NULL: the value is this text (owned by the lookup) */
    double number;    /* the value otherwise; NaN: missing, so comparisons are false */
};

/* Gives a name's value; false for an unknown name. */
typedef bool expr_lookup(void *context, const char *name, struct expr_value *value);

/*
 * Parses `source`. On failure the error (ERROR_CONFIG) shows the source with a caret under the
 * offending column. The result is the caller's, to be freed with expr_free().
 */
bool expr_parse(const char *source, struct expr **out, struct error *e);
void expr_free(struct expr *x);

/* The source text that the expression was parsed from. */
const char *expr_source(const struct expr *x);

/* Evaluates to a number. Unknown names, text where a number is needed and x/0 are errors. */
bool expr_number(const struct expr *x, expr_lookup *lookup, void *context, double *out,
                 struct error *e);
/* Evaluates a quantity that need not be whole: ceil_div also takes fractions, as in the C of expr_write_c(). */
bool expr_estimate(const struct expr *x, expr_lookup *lookup, void *context, double *out,
                   struct error *e);

/*
 * Whether a condition is true, as far as the known names decide it: the lookup returns infinity for
 * the others. A condition whose evaluation would fail is unknown.
 */
enum expr_truth { EXPR_FALSE, EXPR_TRUE, EXPR_UNKNOWN };
enum expr_truth expr_partial(const struct expr *x, expr_lookup *lookup, void *context);

/* Evaluates to an integer ≥ 0 that fits 63 bits; anything else is an error that shows the value. */
bool expr_count(const struct expr *x, expr_lookup *lookup, void *context, unsigned long long *out,
                struct error *e);

/*
 * Appends the expression as C over doubles, with its names unchanged; returns false if it contains
 * text, which C has no operators for. The reader needs <math.h>, ceil_div(a, b) and
 * is_power_of_two(a).
 */
struct text;
bool expr_write_c(const struct expr *x, struct text *out);

/*
 * Calls `visit` once for each distinct name that evaluation may look up, in the order of the
 * source. If both sides of = or != are bare names, the right one is not visited for that use (in
 * `kernel = unroll` only kernel is visited), because it may be text; if the value of the left side
 * turns out to be a number, the right name is looked up nevertheless.
 */
void expr_names(const struct expr *x, void (*visit)(void *context, const char *name),
                void *context);

#endif
