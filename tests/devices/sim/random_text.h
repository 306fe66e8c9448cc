/*
 * Writes random programs as text, using the functions in random_program.h. A seed gives the same
 * text on every machine.
 */
#ifndef REDSWEEP_TESTS_DEVICES_SIM_RANDOM_TEXT_H
#define REDSWEEP_TESTS_DEVICES_SIM_RANDOM_TEXT_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Variable types. `name` is the member of struct state that holds `count` variables of the type. */
enum { U32, S32, U64, S64, F32, F64, TYPES_OF_VALUES };

static const struct {
    const char *type, *name;
    unsigned count;
} variables[] = {
    {"u32", "u", 6}, {"s32", "i", 4}, {"u64", "U", 4},
    {"s64", "I", 4}, {"f32", "f", 4}, {"f64", "d", 3},
};

struct random_text {
    uint64_t random;
    FILE *to;
    unsigned steps, functions, labels; /* how many were written so far */
    int loops;                         /* number of enclosing loops */
};

static inline unsigned pick(struct random_text *x, unsigned count)
{
    x->random = x->random * 6364136223846793005ull + 1442695040888963407ull;
    uint64_t y = x->random ^ x->random >> 29;
    return (unsigned)((y * 0x9e3779b97f4a7c15ull >> 32) % count);
}

#define PICK(x, ...)                                                                               \
    ((const char *const[]){                                                                        \
        __VA_ARGS__}[pick(x, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))])

static void write_value(struct random_text *x, int type, int depth);

/*
 * Writes a pattern. Replaces %u %i %U %I %f %d with expressions of the types of these names, %c
 * with a condition, %t with an expression of type `type`, and %s with the next argument. Everything
 * else is copied.
 */
static void write_pattern(struct random_text *x, int type, int depth, const char *pattern, ...)
{
    va_list list;
    va_start(list, pattern);
    for (const char *at = pattern; *at; at++) {
        int of = -1;
        if (*at != '%' || at[1] == ' ') {
            fputc(*at, x->to);
            continue;
        }
        at++;
        for (int k = 0; k < TYPES_OF_VALUES; k++)
            if (*at == variables[k].name[0])
                of = k;
        if (*at == 's')
            fputs(va_arg(list, const char *), x->to);
        else if (*at == 'c') {
            of = (int)pick(x, TYPES_OF_VALUES);
            fputc('(', x->to);
            write_value(x, of, depth - 1);
            fprintf(x->to, " %s ", PICK(x, "<", "<=", ">", ">=", "==", "!="));
            write_value(x, of, depth - 1);
            fputc(')', x->to);
        } else {
            write_value(x, *at == 't' ? type : of, depth - 1);
        }
    }
    va_end(list);
}

static void write_leaf(struct random_text *x, int type)
{
    if (pick(x, 4)) {
        fprintf(x->to, "p->%s[%u]", variables[type].name, pick(x, variables[type].count));
        return;
    }
    if (type >= F32)
        fprintf(x->to, "(%s)%s", variables[type].type,
                PICK(x, "0.5f", "(-1.25f)", "3.0f", "1e-3f", "0.0f", "(-1e30f)", "4194305.0f"));
    else if (type >= U64)
        fprintf(x->to, "(%s)0x%xull", variables[type].type,
                pick(x, 3) ? pick(x, 40) : pick(x, ~0u));
    else
        fprintf(x->to, "(%s)%s", variables[type].type,
                PICK(x, "0", "1", "-1", "7", "31", "32", "255", "0x80000000u", "0x7fffffff",
                     "1234567", "t", "0xffff", "p->h[0]", "p->h[1]", "p->b[2]", "p->b[3]",
                     "in[p->u[0] % INPUTS]"));
}

/*
 * Writes an expression of a kind that exists for integers and for floats. Returns whether it wrote
 * one.
 */
static bool write_common(struct random_text *x, int type, int depth)
{
    const char *name = variables[type].type;
    switch (pick(x, 9)) {
    case 0:
        write_leaf(x, type);
        return true;
    case 1:
        write_pattern(x, type, depth, "(%c ? %t : %t)");
        return true;
    case 2:
        write_pattern(x, type, depth, "(%c && %c ? %t : %c || %c ? %t : %t)");
        return true;
    case 3: /* This cast is always defined. */
        if (type >= F32)
            write_pattern(x, type, depth, "(%s)%s", name, "");
        else
            fprintf(x->to, "(%s)", name);
        write_value(x, (int)pick(x, type >= F32 ? TYPES_OF_VALUES : F32), depth - 1);
        return true;
    default:
        return false;
    }
}

static void write_integer(struct random_text *x, int type, int depth)
{
    const char *name = variables[type].type;
    bool wide = type >= U64;
    switch (pick(x, 14)) {
    case 0:
    case 1:
        write_pattern(x, type, depth, "%s_%s(%t, %t)",
                      PICK(x, "add", "sub", "mul", "div", "rem", "min", "max"), name);
        break;
    case 2:
        write_pattern(x, type, depth, "%s_%s(%t, %u)", PICK(x, "shl", "shr", "rotate", "field"),
                      name);
        break;
    case 3:
    case 4:
        write_pattern(x, type, depth, "(%t %s %t)", PICK(x, "&", "|", "^"));
        break;
    case 5:
        write_pattern(x, type, depth, "(~%t)");
        break;
    case 6:
        write_pattern(x, type, depth, "(%s)(%s)%t", name,
                      PICK(x, "s8", "u8", "s16", "u16", "s32", "u32", "s64"));
        break;
    case 7: /* Any float will do, because the functions saturate. */
        write_pattern(x, type, depth,
                      wide ? PICK(x, "(%s)__float2ll_%s(%f)", "(%s)__float2ull_%s(%f)",
                                  "(%s)__double2ll_%s(%d)")
                           : PICK(x, "(%s)__float2int_%s(%f)", "(%s)__float2uint_%s(%f)",
                                  "(%s)__double2int_%s(%d)", "(%s)__double2uint_%s(%d)"),
                      name, PICK(x, "rn", "rz", "ru", "rd"));
        break;
    case 8: /* a C cast of a value in range */
        write_pattern(x, type, depth, PICK(x, "(%s)small_f32(%f, %s)", "(%s)small_f64(%d, %s)"),
                      name, PICK(x, "0x1p31f", "100.0f", "0x1p20f"));
        break;
    case 9:
        write_pattern(x, type, depth, PICK(x, "(%s)bits_f32(%f)", "(%s)bits_f64(%d)"), name);
        break;
    case 10:
        write_pattern(x, type, depth,
                      wide ? PICK(x, "(%s)__umul64hi(%U, %U)", "(%s)__mul64hi(%I, %I)",
                                  "(%s)__brevll(%U)", "(%s)__popcll(%U)", "(%s)__clzll(%I)",
                                  "(%s)__ffsll(%I)", "(%s)((u64)%u * %u)", "(%s)((s64)%i * %i)")
                           : PICK(x, "(%s)__umulhi(%u, %u)", "(%s)__mulhi(%i, %i)",
                                  "(%s)__brev(%u)", "(%s)__popc(%u)", "(%s)__clz(%i)",
                                  "(%s)__ffs(%i)", "(%s)__mul24(%i >> 17, %i >> 17)",
                                  "(%s)__umul24(%u >> 16, %u & 0xffff)"),
                      name);
        break;
    case 11:
        write_pattern(x, type, depth,
                      PICK(x, "(%s)__byte_perm(%u, %u, %u)", "(%s)__funnelshift_l(%u, %u, %u)",
                           "(%s)__funnelshift_r(%u, %u, %u)", "(%s)__funnelshift_lc(%u, %u, %u)",
                           "(%s)__funnelshift_rc(%u, %u, %u)", "(%s)__usad(%u, %u, %u)",
                           "(%s)__sad(%i, %i, %u)", "(%s)__hadd(%i, %i)", "(%s)__urhadd(%u, %u)",
                           "(%s)__dp4a(%i, %i, %i)"),
                      name);
        break;
    case 12:
        write_pattern(x, type, depth, "(%s)%c", name);
        break;
    default:
        write_pattern(x, type, depth, "(%s)%s", name, "");
        write_leaf(x, type);
    }
}

static void write_float(struct random_text *x, int type, int depth)
{
    bool wide = type == F64;
    const char *how = PICK(x, "rn", "rz", "ru", "rd");
    switch (pick(x, 11)) {
    case 0:
    case 1:
    case 2:
        write_pattern(x, type, depth, "(%t %s %t)", PICK(x, "+", "-", "*", "/"));
        break;
    case 3:
        write_pattern(
            x, type, depth, "%s%s(%t)",
            wide ? PICK(x, "sqrt", "fabs", "floor", "ceil", "trunc", "rint", "round")
                 : PICK(x, "sqrtf", "fabsf", "floorf", "ceilf", "truncf", "rintf", "roundf"),
            "");
        break;
    case 4:
        write_pattern(x, type, depth, wide ? "fma(%t, %t, %t)" : "fmaf(%t, %t, %t)");
        break;
    case 5:
        write_pattern(x, type, depth, "%s_%s(%t, %t)", PICK(x, "MIN", "MAX"), wide ? "F64" : "F32");
        break;
    case 6:
        write_pattern(x, type, depth,
                      wide
                          ? PICK(x, "__dadd_%s(%t, %t)", "__dmul_%s(%t, %t)", "__ddiv_%s(%t, %t)",
                                 "__fma_%s(%t, %t, %t)", "__ll2double_%s(%I)")
                          : PICK(x, "__fadd_%s(%t, %t)", "__fmul_%s(%t, %t)", "__fdiv_%s(%t, %t)",
                                 "__fsqrt_%s(%t)", "__fmaf_%s(%t, %t, %t)", "__double2float_%s(%d)",
                                 "__int2float_%s(%i)", "__uint2float_%s(%u)", "__ll2float_%s(%I)"),
                      how);
        break;
    case 7:
        write_pattern(x, type, depth, "sign_%s(%t, %t)", wide ? "f64" : "f32");
        break;
    case 8:
        write_pattern(x, type, depth, "(- %t)");
        break;
    case 9:
        write_pattern(x, type, depth,
                      wide ? PICK(x, "fmod(%t, %t)", "ldexp(%t, %i & 31)", "fdim(%t, %t)")
                           : PICK(x, "fmodf(%t, %t)", "ldexpf(%t, %i & 31)", "fdimf(%t, %t)"));
        break;
    default:
        write_leaf(x, type);
    }
}

static void write_value(struct random_text *x, int type, int depth)
{
    if (depth <= 0)
        write_leaf(x, type);
    else if (!write_common(x, type, depth))
        (type >= F32 ? write_float : write_integer)(x, type, depth);
}

static void write_assignment(struct random_text *x)
{
    unsigned which = pick(x, 10);
    if (which >= 8) {
        fprintf(x->to, which == 8 ? "p->h[%u] = (u16)" : "p->b[%u] = (s8)", pick(x, 2));
        write_value(x, pick(x, 2) ? U32 : S64, 2);
    } else {
        int type = (int)(which % TYPES_OF_VALUES);
        fprintf(x->to, "p->%s[%u] = ", variables[type].name, pick(x, variables[type].count));
        write_value(x, type, 2);
    }
    fputs(";\n", x->to);
}

static void write_statements(struct random_text *x, int depth);

/* Writes control flow in which the lanes diverge and reconverge. */
static void write_control(struct random_text *x, int depth)
{
    unsigned label;
    switch (pick(x, 7)) {
    case 0:
        write_pattern(x, 0, 3, "if (%c%s) {\n", "");
        write_statements(x, depth - 1);
        fputs("}\n", x->to);
        break;
    case 1:
        write_pattern(x, 0, 2, PICK(x, "if (%c && %c) {\n", "if (%c || (%c && %c)) {\n"));
        write_statements(x, depth - 1);
        fputs("} else {\n", x->to);
        write_statements(x, depth - 1);
        fputs("}\n", x->to);
        break;
    case 2:
        write_pattern(x, 0, 2, "for (u32 k = 0, m = %u & 7; k < m; k++) {\n");
        x->loops++;
        write_statements(x, depth - 1);
        write_pattern(
            x, 0, 1,
            PICK(x, "if (%c) continue;\n", "if (%c && k > 2) break;\n", "p->u[3] += k;\n"));
        write_statements(x, depth - 1);
        x->loops--;
        fputs("}\n", x->to);
        break;
    case 3:
        write_pattern(x, 0, 2, "switch (%u % 6) {\ncase 0:\n");
        write_statements(x, 0);
        fputs(PICK(x, "break;\ncase 1:\n", "case 1:\n"), x->to);
        write_statements(x, depth - 1);
        fputs(PICK(x, "break;\ncase 3:\ncase 4:\n", "case 3:\ncase 4:\n"), x->to);
        write_statements(x, 0);
        fputs("break;\ndefault:\n", x->to);
        write_statements(x, 0);
        fputs("}\n", x->to);
        break;
    case 4: /* This array's indices are computed at run time. */
        fputs("{ u32 a[8]; for (u32 k = 0; k < 8; k++) a[k] = ", x->to);
        write_pattern(x, 0, 2, "%u + k;\na[%u & 7] ^= a[%u & 7]; ");
        write_pattern(x, 0, 2, "a[%u & 7] += %u; p->u[%s] = a[%u & 7]; }\n",
                      PICK(x, "0", "1", "5"));
        break;
    case 5:
        label = x->labels++;
        write_pattern(x, 0, 2, "if (%c) {\n");
        write_statements(x, 0);
        write_pattern(x, 0, 2, "if (%c) goto ");
        fprintf(x->to, "there_%u;\n", label);
        write_statements(x, depth - 1);
        fprintf(x->to, "} else {\nthere_%u:\n", label);
        write_statements(x, 0);
        fputs("}\n", x->to);
        break;
    default:
        write_pattern(x, 0, 2, "{ u32 k = 0; do {\n");
        x->loops++;
        write_statements(x, 0);
        x->loops--;
        write_pattern(x, 0, 2, "} while (++k < 5 && %c); }\n");
    }
}

static void write_statements(struct random_text *x, int depth)
{
    for (unsigned k = 1 + pick(x, 3); k; k--) {
        if (depth > 0 && x->loops < 3 && pick(x, 3) == 0)
            write_control(x, depth);
        else if (x->functions && pick(x, 8) == 0) {
            fprintf(x->to, "p->U[%u] = function_%u(", pick(x, 4), pick(x, x->functions));
            write_pattern(x, 0, 2, "p, %u, %I, %f);\n");
        } else {
            write_assignment(x);
        }
    }
}

/* Writes a noinline function with several kinds of parameters, one of them a pointer. */
static void write_function(struct random_text *x)
{
    fprintf(
        x->to,
        "HD NOINLINE u64 function_%u(struct state *p, u32 x, s64 y, f32 z)\n{\nu32 t = x & 127;\n"
        "const u32 in[1] = {x};\nenum { INPUTS = 1 };\n(void)in, (void)t;\n",
        x->functions);
    unsigned functions = x->functions;
    x->functions = 0;
    write_statements(x, 1);
    fputs("if (y > (s64)x) z = -z;\nreturn (u64)y * 3 + bits_f32(z) + ", x->to);
    write_value(x, U64, 3);
    fputs(";\n}\n", x->to);
    x->functions = functions + 1;
}

static void write_place(struct random_text *x, int type)
{
    fprintf(x->to, "ME.%s[%u]", variables[type].name, pick(x, variables[type].count));
}

#define EXCHANGED(NAME, TYPE)                                                                      \
    fprintf(x->to, NAME "(%s, ", variables[TYPE].type), write_place(x, TYPE), fputs(", ", x->to)

/* Writes an exchange between all threads. */
static void write_exchange(struct random_text *x)
{
    int type = (int)pick(x, TYPES_OF_VALUES), narrow = (int)pick(x, 2);
    const char *const how = narrow == U32 ? PICK(x, "add", "min", "max", "and", "or", "xor")
                                          : PICK(x, "add", "min", "max");
    const char *const condition =
        PICK(x, "ME.u[0] & 1", "ME.i[1] > 5", "ME.f[0] < 1", "t % 3 == 0", "t & 16");
    switch (pick(x, 10)) {
    case 0:
    case 1:
        fprintf(x->to, "SHUFFLE(%s, %s, ", PICK(x, "_xor", "_up", "_down", ""),
                variables[type].type);
        write_place(x, type);
        fputs(", ", x->to);
        write_place(x, type);
        fprintf(x->to, ", %s, %s)\n", PICK(x, "1", "5", "16", "ME.u[1] & 31", "t * 7 & 31"),
                PICK(x, "32", "32", "16", "8", "2"));
        break;
    case 2:
        fprintf(x->to, "SHUFFLE_PART(%s, %s, ", variables[type].type, condition);
        write_place(x, type);
        fputs(", ", x->to);
        write_place(x, type);
        fputs(", ME.u[2])\n", x->to);
        break;
    case 3:
        fputs(PICK(x, "BALLOT(", "ANY_ALL(", "COUNT_BLOCK("), x->to);
        write_place(x, U32);
        fprintf(x->to, ", %s)\n", condition);
        break;
    case 4:
        type = (int)pick(x, F32);
        fputs(PICK(x, "MATCH_ANY(", "MATCH_ALL("), x->to);
        write_place(x, U32);
        fprintf(x->to, ", (%s)(", variables[type].type);
        write_place(x, type);
        fprintf(x->to, " & %s))\n", PICK(x, "0", "1", "7", "~0u"));
        break;
    case 5:
        fprintf(x->to, "REDUCE(%s, %s, ", how, variables[narrow].type);
        write_place(x, narrow);
        fputs(", ", x->to);
        write_place(x, narrow);
        fputs(")\n", x->to);
        break;
    case 6:
        fprintf(x->to, "REDUCE_PART(%s, %s, %s, ", how, variables[narrow].type, condition);
        write_place(x, narrow);
        fputs(", ", x->to);
        write_place(x, narrow);
        fputs(")\n", x->to);
        break;
    case 7:
        fprintf(x->to, "REDUCE_BY_KEY(%s, %s, ME.u[4] & %s, ", how, variables[narrow].type,
                PICK(x, "1u", "3u", "12u"));
        write_place(x, narrow);
        fputs(", ", x->to);
        write_place(x, narrow);
        fputs(")\n", x->to);
        break;
    case 8:
        EXCHANGED("EXCHANGE", type);
        write_place(x, type);
        fprintf(x->to, ", %s)\n", PICK(x, "t ^ 33", "127 - t", "ME.u[3]", "t * 5 + 1"));
        break;
    default:
        narrow = (int)pick(x, 3);
        fprintf(x->to, "GATHER(%s, %s, ",
                narrow == S32 ? PICK(x, "Add", "Min", "Max")
                              : PICK(x, "Add", "Min", "Max", "And", "Or", "Xor"),
                variables[narrow].type);
        write_place(x, narrow);
        fputs(", ", x->to);
        write_place(x, narrow);
        fprintf(x->to, ", %s)\n", PICK(x, "ME.u[3] % 5", "t / 3", "t * 7", "ME.u[1]"));
    }
}

static void write_program(struct random_text *x, const char *name)
{
    unsigned first = x->steps, steps = 1 + pick(x, 3);
    x->functions = x->labels = 0;
    fprintf(x->to, "#define function_0 %s_f0\n#define function_1 %s_f1\n", name, name);
    for (unsigned k = pick(x, 3); k; k--)
        write_function(x);
    for (unsigned k = 0; k < steps; k++) {
        fprintf(x->to, "HD void step_%u(struct state *p, const u32 *in, u32 t)\n{\n", x->steps++);
        write_statements(x, 2);
        fputs("(void)in, (void)t;\n}\n", x->to);
    }
    fprintf(x->to, "PROGRAM(%s)\n", name);
    for (unsigned k = 0; k < steps; k++) {
        fprintf(x->to, "EACH(step_%u)\n", first + k);
        bool repeated = pick(x, 5) == 0;
        if (repeated)
            fputs("for (u32 r = 0; r < (in[0] & 3); r++) {\n", x->to);
        for (unsigned exchanges = pick(x, 4); exchanges; exchanges--)
            write_exchange(x);
        if (repeated)
            fputs("}\n", x->to);
    }
    fputs("END\n#undef function_0\n#undef function_1\n", x->to);
}

#endif
