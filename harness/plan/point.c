/* Finds the properties of a point in a plan: its kernel, shape, tunables, input and label. */
#include "plan/plan.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/text.h"
#include "plan/shape.h"
#include "support/input.h"

const struct kernel *plan_kernel(const struct plan *p, const struct point *point)
{
    return p->catalogue->kernels[point->kernel];
}

bool *plan_used_kernels(const struct plan *p)
{
    bool *used = xcalloc((size_t)p->catalogue->count + 1, sizeof *used);
    for (uint32_t i = 0; i < p->point_count; i++)
        used[p->points[i].kernel] = true;
    return used;
}

bool variant_same(const struct variant *a, const struct variant *b)
{
    return a->kernel == b->kernel && a->block == b->block && a->unroll == b->unroll &&
           a->type == b->type && a->op == b->op && a->wide == b->wide &&
           a->any_offset == b->any_offset && a->without_lines == b->without_lines &&
           memcmp(a->tunables, b->tunables, sizeof a->tunables) == 0;
}

struct combination combination_of(const struct kernel *k, const struct point *point, int sms)
{
    return (struct combination){.kernel = k,
                                .type = (enum element_type)point->type,
                                .op = (enum operation)point->op,
                                .n = point->n,
                                .block = point->block,
                                .unroll = point->unroll,
                                .tunables = point->tunables,
                                .point = point,
                                .sms = sms};
}

bool point_shape(const struct kernel *k, const struct point *point, int sms, struct shape *out,
                 struct error *e)
{
    struct combination c = combination_of(k, point, sms);
    return shape_evaluate(&c, out, NULL, e);
}

#define VALUE_AXIS_TEXT(v) ((struct expr_value){.text = (v)})
#define VALUE_AXIS_NUMBER(v) ((struct expr_value){.number = (double)(v)})

struct expr_value plan_axis_value(const struct plan *plan, const struct point *p,
                                  enum axis_index axis)
{
    switch (axis) {
#define AXIS(name, key, otherwise, values, kind, unit, meaning, value)                             \
    case AXIS_##name:                                                                              \
        return VALUE_##kind(value);
#include "base/axes.def"
#undef AXIS
    case AXIS_COUNT:
        break;
    }
    return (struct expr_value){.number = __builtin_nan("")};
}

uint64_t point_value(const struct point *p, enum axis_index axis)
{
    switch (axis) {
#define AXIS(name, key, otherwise, values, kind, unit, meaning, value)                             \
    case AXIS_##name:                                                                              \
        return p->name;
#include "base/axes.def"
#undef AXIS
    case AXIS_COUNT:
        break;
    }
    return 0;
}

void point_set(struct point *p, enum axis_index axis, uint64_t number)
{
    switch (axis) {
#define AXIS(name, key, otherwise, values, kind, unit, meaning, value)                             \
    case AXIS_##name:                                                                              \
        p->name = (__typeof__(p->name))number;                                                     \
        return;
#include "base/axes.def"
#undef AXIS
    case AXIS_COUNT:
        return;
    }
}

bool plan_has_axis(const struct plan *plan, enum axis_index axis)
{
    const struct config *config = plan->config;
    const struct config_values *v = &config->axis_values[axis];
    for (int i = 0; i < config->shape_count; i++)
        if (axis == AXIS_row_length || (axis == AXIS_inner && config->shapes[i].inner > 1))
            return true;
    return !axis_is_run_time(axis) ||
           (v->count > 0 &&
            (v->count > 1 || v->values[0] != (uint64_t)axis_table[axis].fallback_value));
}

bool plan_tunable(const struct plan *p, const struct point *point, const char *name, int *value)
{
    const struct kernel *k = plan_kernel(p, point);
    for (int i = 0; i < k->tunable_count; i++)
        if (strcasecmp(k->tunables[i].name, name) == 0) {
            *value = point->tunables[i];
            return true;
        }
    return false;
}

/*
 * The hash is mixed once more, because the lowest bit of an FNV-1a hash is just the parity of the
 * lowest bits of all bytes. Without that, if n is a power of two, nearly all seeds would be odd, or
 * nearly all even (see input_peak()).
 */
struct input plan_input(const struct plan *p, const struct point *point)
{
    struct input input =
        workload_input(plan_kernel(p, point)->workload, (enum element_type)point->type,
                       (enum operation)point->op, point->n);
    uint64_t hash = hash_text(HASH_START, element_type_name(input.type));
    hash = hash_text(hash, operation_name(input.op));
    for (int i = 0; i < 8; i++) {
        unsigned char bytes[2] = {(unsigned char)(point->n >> (8 * i)),
                                  (unsigned char)(p->config->seed >> (8 * i))};
        hash = hash_bytes(hash, bytes, sizeof bytes);
    }
    input.seed = input_bits(hash, 0);
    input.kind = (enum input_kind)point->inputs;
    return input;
}

/* Appends an axis's value, such as "int32" or "n=4096". Appends nothing for the unroll factor of a
 * kernel without one, or for a run-time axis at its default. */
static void append_axis(const struct plan *p, const struct point *point, enum axis_index axis,
                        struct text *out)
{
    struct expr_value value = plan_axis_value(p, point, axis);
    if ((axis == AXIS_unroll && plan_kernel(p, point)->unrolls.count == 0) ||
        (axis_is_run_time(axis) &&
         point_value(point, axis) == (uint64_t)axis_table[axis].fallback_value))
        return;
    text_append(out, "%s", axis > 0 ? " " : "");
    if (value.text)
        text_append(out, "%s", value.text);
    else
        text_append(out, "%s=%.0f", axis_table[axis].name, value.number);
}

static void append_tunables(const struct kernel *k, const int32_t *values, struct text *out)
{
    for (int i = 0; i < k->tunable_count; i++) {
        text_append(out, " ");
        for (const char *c = k->tunables[i].name; *c; c++) /* lower case, as in expressions */
            text_append(out, "%c", tolower((unsigned char)*c));
        text_append(out, "=%d", (int)values[i]);
    }
}

const char *plan_point_label(const struct plan *p, const struct point *point, char *buffer,
                             size_t size)
{
    struct text label = {0};
    for (enum axis_index i = 0; i < AXIS_COUNT; i++) {
        if (i == AXIS_AFTER_TUNABLES)
            append_tunables(plan_kernel(p, point), point->tunables, &label);
        append_axis(p, point, i, &label);
    }
    snprintf(buffer, size, "%s", label.bytes);
    text_free(&label);
    return buffer;
}
