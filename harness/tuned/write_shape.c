/*
 * Writes a kernel's facts as C for the library: whether it can run, its grid, its memory and its
 * scalars.
 *
 * Expressions are copied. The C function that contains them defines the names in them: the
 * configuration's constants, and values that depend on the call (struct place in
 * tuned/redsweep_tuned.c).
 */
#include "tuned/writing.h"

void append_setting(struct text *t, const struct tuned_range *range)
{
    text_append(t, "block %d", range->variant.block);
    for (int i = 0; i < range->kernel->tunable_count; i++)
        text_append(t, " %s %d", range->kernel->tunables[i].name, (int)range->variant.tunables[i]);
}

static bool append_value(struct text *t, const char *left, const struct expr *x,
                         const char *otherwise, struct error *e)
{
    text_append(t, "    %s = ", left);
    if (!x)
        text_append(t, "%s", otherwise);
    else if (!expr_write_c(x, t))
        return FAIL(e, ERROR_CONFIG, "cannot write \"%s\" as C", expr_source(x));
    text_append(t, ";\n");
    return true;
}

/*
 * Writes the names that the expressions use. For an unaligned whole array, a library uses code that
 * was compiled for any first element, so the offset in the kernel's requirements is always 0.
 */
static void append_names(struct text *t, const struct tuned_range *range)
{
    const struct kernel *k = range->kernel;
    const struct variant *v = &range->variant;
    const enum element_type type = (enum element_type)v->type;
    text_append(
        t,
        "    const double N = at->n, ROW_LENGTH = at->row_length, INNER = at->inner, OFFSET = %s;\n"
        "    const double SMS = at->multiprocessors, BLOCK = %d, UNROLL = %d;\n"
        "    const double SIZEOF = %zu, ACCUMULATOR = %zu",
        k->workload->by_rows ? "at->offset" : "0", v->block, v->unroll, element_size(type),
        accumulator_size((enum operation)v->op, type));
    for (int i = 0; i < k->tunable_count; i++)
        text_append(t, ", %s = %d", k->tunables[i].name, (int)v->tunables[i]);
    text_append(
        t, ";\n    (void)N, (void)ROW_LENGTH, (void)INNER, (void)OFFSET, (void)SMS, (void)BLOCK, "
           "(void)UNROLL, (void)SIZEOF, (void)ACCUMULATOR");
    for (int i = 0; i < k->tunable_count; i++)
        text_append(t, ", (void)%s", k->tunables[i].name);
    text_append(t, ";\n");
}

static bool append_requires(struct text *t, const struct kernel *k, struct error *e)
{
    for (int i = 0; i < k->requires_count; i++) {
        text_append(t, "    if (!(");
        if (!expr_write_c(k->requires[i], t))
            return FAIL(e, ERROR_CONFIG, "cannot write \"%s\" as C", expr_source(k->requires[i]));
        text_append(t, "))\n        return false;\n");
    }
    return true;
}

/* Returns the name of the sum that a term belongs to (model.h). */
static const char *sum_of(const struct kernel *k, int term)
{
    if (term == 0 || (term >= MODEL_COMMON && !k->costs[term - MODEL_COMMON].overlaps))
        return "added";
    return term < MODEL_COMMON ? "reading" : "overlapping";
}

/* Writes the computation of the fitted time (model.h), without terms whose coefficient is zero. */
static bool append_time(struct text *t, const struct tuned_range *range, struct error *e)
{
    static const char *const common[MODEL_COMMON] = {"1", "N * SIZEOF", "N / ROW_LENGTH"};
    const struct kernel *k = range->kernel;
    double highest = 0;
    for (int i = 0; i < MODEL_TERMS; i++)
        highest = range->model[i] > highest ? range->model[i] : highest;
    if (highest == 0)
        return true; /* nothing was measured: the time stays infinite */
    for (int i = 0; i < k->where_count; i++) {
        text_append(t, "    const double %s", k->wheres[i].name);
        if (!append_value(t, "", k->wheres[i].value, "0", e))
            return false;
        text_append(t, "    (void)%s;\n", k->wheres[i].name);
    }
    text_append(t, "    double added = 0, reading = 0, overlapping = 0;\n");
    for (int i = 0; i < MODEL_COMMON + k->cost_count; i++) {
        const struct expr *cost = i < MODEL_COMMON ? NULL : k->costs[i - MODEL_COMMON].value;
        if (range->model[i] == 0)
            continue;
        text_append(t, "    %s += %.17g * (", sum_of(k, i), range->model[i]);
        if (!cost)
            text_append(t, "%s", common[i]);
        else if (!expr_write_c(cost, t))
            return FAIL(e, ERROR_CONFIG, "cannot write \"%s\" as C", expr_source(cost));
        text_append(t, ");\n");
    }
    text_append(t, "    shape->us = added + together(reading, overlapping);\n");
    return true;
}

bool append_shape(struct text *t, size_t number, const struct tuned_range *range, struct error *e)
{
    const struct kernel *k = range->kernel;
    text_append(t, "static bool shape_%zu(const struct place *at, struct shape *shape)\n{\n",
                number);
    append_names(t, range);
    bool ok =
        append_value(t, "const double COVERS", k->covers, "0", e) && append_requires(t, k, e) &&
        append_value(t, "const double GRID", k->grid[0], "ceil_div(N, COVERS)", e) &&
        append_value(t, "shape->shared", k->shared, "0", e) &&
        append_value(t, "shape->workspace", k->workspace, "0", e) &&
        append_value(t, "shape->cluster", k->cluster, "1", e) &&
        append_value(t, "shape->depth", k->depth, "ceil(log2(BLOCK)) + ceil(COVERS / BLOCK)", e);
    for (int i = 0; ok && i < k->parameter_count; i++) {
        char left[32];
        snprintf(left, sizeof left, "shape->scalars[%d]", i);
        ok = !k->parameters[i].value || append_value(t, left, k->parameters[i].value, "0", e);
    }
    ok = ok && append_time(t, range, e);
    text_append(t, "    shape->grid = GRID;\n    (void)COVERS;\n    return true;\n}\n\n");
    return ok;
}

void append_residuals(struct text *t, size_t number, const struct tuned_range *range)
{
    const struct residuals *r = &range->residuals;
    if (!(r->step > 0))
        return;
    text_append(t, "static const signed char off_%zu[] = {", number);
    for (int packs = 0; packs < 2; packs++)
        for (int row = 0; row < RESIDUAL_ROWS; row++)
            for (int k = 0; k < RESIDUAL_LENGTHS; k++)
                text_append(t, "%s%d,", k ? " " : "\n    ", r->off[packs][row][k]);
    text_append(t, "\n};\n\n");
}

void append_parameter_letters(struct text *out, const struct kernel *k)
{
    static const char letters[PARAMETER_KINDS] = {
        [PARAMETER_INPUT] = 'i',     [PARAMETER_OUTPUT] = 'o',   [PARAMETER_N] = 'n',
        [PARAMETER_WORKSPACE] = 'w', [PARAMETER_SECOND] = 's',   [PARAMETER_WORKSPACE_BYTES] = 'b',
        [PARAMETER_INT] = 'd',       [PARAMETER_UNSIGNED] = 'u', [PARAMETER_LONG] = 'l',
        [PARAMETER_SIZE_T] = 'z',    [PARAMETER_FLOAT] = 'f',    [PARAMETER_DOUBLE] = 'g',
        [PARAMETER_ELEMENT] = '?', /* choose.c chooses no such kernels */
    };
    if (k->parameter_count == 0)
        text_append(out, "ionw");
    for (int i = 0; i < k->parameter_count; i++)
        text_append(out, "%c", letters[k->parameters[i].kind]);
}
