/*
 * Writes an expression as C, for programs that must evaluate it without redsweep.
 *
 * All values are doubles, as in expr_evaluate.c. Names are copied unchanged. The code that contains
 * the expression must define them and the functions ceil_div(), rest_of() (for %) and
 * is_power_of_two(), as tuned/redsweep_tuned.c does.
 */
#include "base/expr.h"

#include "base/expr_node.h"
#include "base/text.h"

static void write_node(const struct expr *x, int index, struct text *out);

static void write_infix(const struct expr *x, const struct node *n, const char *sign,
                        struct text *out)
{
    text_append(out, "(");
    write_node(x, n->operands[0], out);
    text_append(out, " %s ", sign);
    write_node(x, n->operands[1], out);
    text_append(out, ")");
}

static void write_call(const struct expr *x, const struct node *n, const char *function, int count,
                       struct text *out)
{
    text_append(out, "%s(", function);
    for (int i = 0; i < count; i++) {
        text_append(out, i ? ", " : "");
        write_node(x, n->operands[i], out);
    }
    text_append(out, ")");
}

static const char *infix_sign(enum symbol symbol)
{
    switch (symbol) {
    case OR:
        return "||";
    case AND:
        return "&&";
    case EQUAL:
        return "==";
    case UNEQUAL:
        return "!=";
    case LESS:
        return "<";
    case LESS_EQUAL:
        return "<=";
    case GREATER:
        return ">";
    case GREATER_EQUAL:
        return ">=";
    case PLUS:
        return "+";
    case MINUS:
        return "-";
    case TIMES:
        return "*";
    case DIVIDE:
        return "/";
    default:
        return NULL;
    }
}

static void write_node(const struct expr *x, int index, struct text *out)
{
    const struct node *n = &x->nodes[index];
    if (infix_sign(n->symbol)) {
        write_infix(x, n, infix_sign(n->symbol), out);
        return;
    }
    switch (n->symbol) {
    case NUMBER:
        text_append(out, "(double)%.17g", n->number); /* a double, so that 7 / 2 is 3.5 */
        break;
    case NAME:
        text_append(out, "%s", n->name);
        break;
    case NOT:
    case NEGATE:
        write_call(x, n, n->symbol == NOT ? "!" : "-", 1, out);
        break;
    case REMAINDER:
        write_call(x, n, "rest_of", 2, out);
        break;
    case POWER:
        write_call(x, n, "pow", 2, out);
        break;
    case CALL_MIN:
        write_call(x, n, "fmin", 2, out);
        break;
    case CALL_MAX:
        write_call(x, n, "fmax", 2, out);
        break;
    case CALL_CEIL_DIV:
        write_call(x, n, "ceil_div", 2, out);
        break;
    case CALL_LOG2:
        write_call(x, n, "log2", 1, out);
        break;
    case CALL_POWER_OF_TWO:
        write_call(x, n, "is_power_of_two", 1, out);
        break;
    case CALL_IF:
        text_append(out, "(");
        write_node(x, n->operands[0], out);
        text_append(out, " ? ");
        write_node(x, n->operands[1], out);
        text_append(out, " : ");
        write_node(x, n->operands[2], out);
        text_append(out, ")");
        break;
    default:
        break; /* expr_write_c() has rejected expressions with text */
    }
}

bool expr_write_c(const struct expr *x, struct text *out)
{
    for (int i = 0; i < x->count; i++)
        if (x->nodes[i].symbol == TEXT)
            return false;
    write_node(x, x->root, out);
    return true;
}
