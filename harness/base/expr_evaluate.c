/*
 * Evaluates expressions. expr.h describes the language.
 *
 * Rules that the grammar does not state: arithmetic with a missing value (NaN) gives a missing
 * value. Every comparison with a missing value is false, even !=. A condition whose value is
 * missing is false. `and`, `or` and `if` evaluate only the operands that they need, so if(b = 0, 0,
 * a / b) never divides by 0. If an operation on finite operands gives an infinite result (0^-1,
 * 1e300 * 1e300), that is an error.
 */
#include "base/expr.h"

#include <math.h>
#include <string.h>

#include "base/caret.h"
#include "base/expr_node.h"
#include "base/text.h"

/* 2^53; doubles cannot represent every integer beyond it. */
static const double WHOLE_LIMIT = 9007199254740992.0;

struct evaluation {
    const struct expr *x;
    expr_lookup *lookup;
    void *context;
    struct error *e;
    bool partial;  /* evaluates for expr_partial(), where infinity stands for an unknown value */
    bool estimate; /* evaluates for expr_estimate(), so ceil_div accepts fractions */
};

static bool is_unknown(const struct evaluation *v, double x)
{
    return v->partial && isinf(x);
}

static bool evaluate_node(const struct evaluation *v, int index, double *out);

#define fail_node(v, n, ...) FAIL_AT((v)->e, ERROR_CONFIG, (v)->x->source, (n)->column, __VA_ARGS__)

static bool look_up_name(const struct evaluation *v, const struct node *n, struct expr_value *value)
{
    *value = (struct expr_value){0};
    if (!v->lookup || !v->lookup(v->context, n->name, value))
        return fail_node(v, n, "unknown name '%.100s'", n->name);
    return true;
}

static bool look_up_number(const struct evaluation *v, const struct node *n, double *out)
{
    struct expr_value value;
    if (!look_up_name(v, n, &value))
        return false;
    if (value.text)
        return fail_node(
            v, n,
            "'%.100s' is text (its value is '%.100s'), but a number is needed; compare text "
            "like this: %.100s = word",
            n->name, value.text, n->name);
    *out = value.number;
    return true;
}

static bool is_true(double x)
{
    return x != 0 && !isnan(x);
}

static double compare_numbers(enum symbol symbol, double a, double b)
{
    if (isnan(a) || isnan(b))
        return 0;
    switch (symbol) {
    case EQUAL:
        return a == b;
    case UNEQUAL:
        return a != b;
    case LESS:
        return a < b;
    case LESS_EQUAL:
        return a <= b;
    case GREATER:
        return a > b;
    default:
        return a >= b;
    }
}

/*
 * Compares text with the right side of a comparison. Quoted text may be a glob if the operator is =
 * or !=; in all other cases, bytes are compared.
 */
static double compare_texts(enum symbol symbol, const char *a, const struct node *right)
{
    if ((symbol == EQUAL || symbol == UNEQUAL) && right->symbol == TEXT &&
        text_is_glob(right->name))
        return text_glob_match(right->name, a) == (symbol == EQUAL);
    return compare_numbers(symbol, strcmp(a, right->name), 0);
}

static bool compare(const struct evaluation *v, const struct node *n, double *out)
{
    const struct node *left = &v->x->nodes[n->operands[0]];
    const struct node *right = &v->x->nodes[n->operands[1]];
    double a, b;
    if (left->symbol == NAME) {
        struct expr_value value;
        if (!look_up_name(v, left, &value))
            return false;
        if (value.text) {
            if (right->symbol != TEXT && !right->word)
                return fail_node(
                    v, right,
                    "'%.100s' is text (its value is '%.100s'); compare it with a word or "
                    "with \"quoted text\"",
                    left->name, value.text);
            *out = compare_texts(n->symbol, value.text, right);
            return true;
        }
        a = value.number;
        if (is_unknown(v, a) && (right->symbol == TEXT || right->word)) {
            *out = a;
            return true;
        }
        if (isnan(a) && (right->symbol == TEXT || right->word)) {
            *out = 0; /* false: the name's value is missing, and might have been text */
            return true;
        }
        if (right->symbol == TEXT)
            return fail_node(v, right,
                             "'%.100s' is a number (its value is %.17g); compare it without quotes",
                             left->name, value.number);
    } else if (!evaluate_node(v, n->operands[0], &a)) {
        return false;
    }
    if (!evaluate_node(v, n->operands[1], &b))
        return false;
    if (!isnan(a) && !isnan(b) && (is_unknown(v, a) || is_unknown(v, b)))
        *out = INFINITY;
    else
        *out = compare_numbers(n->symbol, a, b);
    return true;
}

static bool is_whole(double x)
{
    return x == floor(x) && fabs(x) <= WHOLE_LIMIT;
}

static bool whole_division(const struct evaluation *v, const struct node *n, double a, double b,
                           double *out)
{
    const bool remainder = n->symbol == REMAINDER, whole = is_whole(a) && is_whole(b),
               fractions = v->estimate && !remainder;
    const char *what = remainder ? "%" : "ceil_div";
    if ((!whole && !fractions) || !(a >= 0 && a <= WHOLE_LIMIT && b >= 0 && b <= WHOLE_LIMIT))
        return fail_node(v, n, "%s needs %s in [0, 2^53], but its operands are %.17g and %.17g",
                         what, fractions ? "numbers" : "integers", a, b);
    if (b == 0)
        return fail_node(v, n, "%s divides %.17g by 0", what, a);
    if (!whole) {
        *out = ceil(a / b);
        return isfinite(*out) ||
               fail_node(v, n, "the result of the operation on %.17g and %.17g is not finite", a,
                         b);
    }
    unsigned long long dividend = (unsigned long long)a, divisor = (unsigned long long)b;
    unsigned long long rest = dividend % divisor;
    *out = remainder ? (double)rest : (double)(dividend / divisor + (rest > 0));
    return true;
}

static bool arithmetic(const struct evaluation *v, const struct node *n, double a, double b,
                       double *out)
{
    if (isnan(a) || isnan(b)) {
        *out = NAN;
        return true;
    }
    if (is_unknown(v, a) || is_unknown(v, b)) {
        *out = INFINITY;
        return true;
    }
    if (n->symbol == DIVIDE && b == 0)
        return fail_node(v, n, "the expression divides %.17g by 0", a);
    switch (n->symbol) {
    case PLUS:
        *out = a + b;
        break;
    case MINUS:
        *out = a - b;
        break;
    case TIMES:
        *out = a * b;
        break;
    case DIVIDE:
        *out = a / b;
        break;
    case POWER:
        *out = pow(a, b);
        break;
    case CALL_MIN:
        *out = a < b ? a : b;
        break;
    case CALL_MAX:
        *out = a > b ? a : b;
        break;
    default:
        return whole_division(v, n, a, b, out);
    }
    if (!isfinite(*out))
        return fail_node(v, n, "the result of the operation on %.17g and %.17g is not finite", a,
                         b);
    return true;
}

/* Evaluates a node with one operand. */
static bool unary(const struct evaluation *v, const struct node *n, double *out)
{
    double a;
    if (!evaluate_node(v, n->operands[0], &a))
        return false;
    if (is_unknown(v, a)) {
        *out = a;
        return true;
    }
    switch (n->symbol) {
    case NOT:
        *out = !is_true(a);
        return true;
    case NEGATE:
        *out = -a;
        return true;
    case CALL_LOG2:
        if (a <= 0)
            return fail_node(v, n, "log2 of %.17g is undefined", a);
        *out = log2(a);
        return true;
    default: { /* CALL_POWER_OF_TWO; frexp() returns 1/2 for 2^k */
        int exponent;
        *out = a >= 1 && frexp(a, &exponent) == 0.5;
        return true;
    }
    }
}

/*
 * Does what lazy() does, for a first operand whose value is unknown. For `and` and `or`, the second
 * operand may decide the result alone.
 */
static bool lazy_unknown(const struct evaluation *v, const struct node *n, double *out)
{
    double b = INFINITY;
    if (n->symbol != CALL_IF && !evaluate_node(v, n->operands[1], &b))
        return false;
    bool decides = n->symbol != CALL_IF && !is_unknown(v, b) && is_true(b) == (n->symbol == OR);
    *out = decides ? n->symbol == OR : INFINITY;
    return true;
}

/* Evaluates `and`, `or` or `if`. Evaluates operands after the first only if they are needed. */
static bool lazy(const struct evaluation *v, const struct node *n, double *out)
{
    double a;
    if (!evaluate_node(v, n->operands[0], &a))
        return false;
    if (is_unknown(v, a))
        return lazy_unknown(v, n, out);
    bool first = is_true(a);
    if (n->symbol == CALL_IF)
        return evaluate_node(v, n->operands[first ? 1 : 2], out);
    if (first == (n->symbol == OR)) {
        *out = first;
        return true;
    }
    if (!evaluate_node(v, n->operands[1], &a))
        return false;
    *out = is_unknown(v, a) ? a : is_true(a);
    return true;
}

static bool evaluate_node(const struct evaluation *v, int index, double *out)
{
    const struct node *n = &v->x->nodes[index];
    switch (n->symbol) {
    case NUMBER:
        *out = n->number;
        return true;
    case NAME:
        return look_up_number(v, n, out);
    case AND:
    case OR:
    case CALL_IF:
        return lazy(v, n, out);
    case NOT:
    case NEGATE:
    case CALL_LOG2:
    case CALL_POWER_OF_TWO:
        return unary(v, n, out);
    case EQUAL:
    case UNEQUAL:
    case LESS:
    case LESS_EQUAL:
    case GREATER:
    case GREATER_EQUAL:
        return compare(v, n, out);
    default: {
        double a, b;
        return evaluate_node(v, n->operands[0], &a) && evaluate_node(v, n->operands[1], &b) &&
               arithmetic(v, n, a, b, out);
    }
    }
}

bool expr_number(const struct expr *x, expr_lookup *lookup, void *context, double *out,
                 struct error *e)
{
    struct evaluation v = {.x = x, .lookup = lookup, .context = context, .e = e};
    return evaluate_node(&v, x->root, out);
}

bool expr_estimate(const struct expr *x, expr_lookup *lookup, void *context, double *out,
                   struct error *e)
{
    struct evaluation v = {.x = x, .lookup = lookup, .context = context, .e = e, .estimate = true};
    return evaluate_node(&v, x->root, out);
}

enum expr_truth expr_partial(const struct expr *x, expr_lookup *lookup, void *context)
{
    struct evaluation v = {.x = x, .lookup = lookup, .context = context, .partial = true};
    double value;
    if (!evaluate_node(&v, x->root, &value) || isinf(value))
        return EXPR_UNKNOWN;
    return is_true(value) ? EXPR_TRUE : EXPR_FALSE;
}

bool expr_count(const struct expr *x, expr_lookup *lookup, void *context, unsigned long long *out,
                struct error *e)
{
    double value;
    if (!expr_number(x, lookup, context, &value, e))
        return false;
    if (isnan(value))
        return FAIL_AT(e, ERROR_CONFIG, x->source, 0,
                       "a value that the expression needs is missing");
    if (value < 0 || value != floor(value) || value >= 9223372036854775808.0)
        return FAIL_AT(e, ERROR_CONFIG, x->source, 0,
                       "the value is %.17g, but it must be an integer in [0, 2^63-1]", value);
    *out = (unsigned long long)value;
    return true;
}
