/* Makes a kernel's launch and the bytes of its arguments from its facts. */
#include "plan/arguments.h"

#include <string.h>

static uint64_t float_bits(double value)
{
    float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    return bits;
}

static uint64_t double_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t element_bits(enum element_type type, double value)
{
    if (!element_is_float(type))
        return (uint64_t)(int64_t)value;
    return element_size(type) == sizeof(float) ? float_bits(value) : double_bits(value);
}

static void add_parameter(struct launch *l, enum parameter_kind kind, double value,
                          const struct shape *shape, const struct kernel_arguments *a)
{
    switch (kind) {
    case PARAMETER_INPUT:
        add_argument(l, a->input, 8);
        break;
    case PARAMETER_OUTPUT:
        add_argument(l, a->output, 8);
        break;
    case PARAMETER_N:
        add_argument(l, a->n, a->wide ? 8 : 4);
        break;
    case PARAMETER_WORKSPACE:
        add_argument(l, a->workspace, 8);
        break;
    case PARAMETER_WORKSPACE_BYTES:
        add_argument(l, shape->workspace, 8);
        break;
    case PARAMETER_SECOND:
        add_argument(l, a->second, 8);
        break;
    case PARAMETER_INT:
    case PARAMETER_UNSIGNED:
        add_argument(l, (uint64_t)(int64_t)value, 4);
        break;
    case PARAMETER_LONG:
    case PARAMETER_SIZE_T:
        add_argument(l, (uint64_t)(int64_t)value, 8);
        break;
    case PARAMETER_FLOAT:
        add_argument(l, float_bits(value), 4);
        break;
    case PARAMETER_DOUBLE:
        add_argument(l, double_bits(value), 8);
        break;
    case PARAMETER_ELEMENT:
        add_argument(l, element_bits(a->type, value), (unsigned)element_size(a->type));
        break;
    case PARAMETER_KINDS:
        break;
    }
}

struct launch kernel_launch(struct module *module, const struct kernel *k,
                            const struct shape *shape, const struct kernel_arguments *a)
{
    static const enum parameter_kind usual[] = {PARAMETER_INPUT, PARAMETER_OUTPUT, PARAMETER_N,
                                                PARAMETER_WORKSPACE, PARAMETER_WORKSPACE_BYTES};
    struct launch l = {.module = module,
                       .dynamic_smem = shape->dynamic_smem,
                       .kind = k->launch == LAUNCH_DEPENDENT ? LAUNCH_PLAIN : k->launch,
                       .cluster = shape->cluster ? shape->cluster : 1};
    for (int i = 0; i < 3; i++) {
        l.grid[i] = (unsigned)shape->grid_size[i];
        l.block[i] = shape->block_size[i];
    }
    for (int i = 0; i < k->parameter_count; i++)
        add_parameter(&l, k->parameters[i].kind, shape->scalars[i], shape, a);
    for (size_t i = 0; k->parameter_count == 0 && i < sizeof usual / sizeof *usual; i++)
        add_parameter(&l, usual[i], 0, shape, a);
    return l;
}
