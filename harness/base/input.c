/*
 * Inputs in host memory: the values of kernels/support/input.h, written out.
 */
#include "base/input.h"

#include "support/input.h"

void input_generate(const struct input *input, uint64_t first, uint64_t count, void *out)
{
    const uint64_t seed = input->seed, peak = input_peak(seed, input->n);
    const int op = (int)input->op;
    switch (input->type) {
    case TYPE_INT32:
        for (uint64_t i = 0; i < count; i++)
            ((int32_t *)out)[i] = input_int32(seed, first + i, op, peak);
        break;
    case TYPE_UINT32:
        for (uint64_t i = 0; i < count; i++)
            ((uint32_t *)out)[i] = input_uint32(seed, first + i, op, peak);
        break;
    case TYPE_INT64:
        for (uint64_t i = 0; i < count; i++)
            ((int64_t *)out)[i] = input_int64(seed, first + i, op, peak);
        break;
    case TYPE_FLOAT32:
        for (uint64_t i = 0; i < count; i++)
            ((float *)out)[i] = input_float32(seed, first + i, op, peak);
        break;
    case TYPE_FLOAT64:
        for (uint64_t i = 0; i < count; i++)
            ((double *)out)[i] = input_float64(seed, first + i, op, peak);
        break;
    case TYPE_COUNT:
        break;
    }
}

/*
 * Compared with the peaks and troughs of input.h: 0x7f7f7f7f > 0x7f000000, 0x80808080 <
 * -0x7f000000, 0xff… and 0 bound the unsigned ones, and 0x7f…, 0xfb… are floats beyond ±10^36.
 * For sums and products any large odd number will do.
 */
uint8_t input_poison(enum element_type type, enum operation op)
{
    if (op == OP_MAX)
        return type == TYPE_UINT32 ? 0xff : 0x7f;
    if (op == OP_MIN)
        return type == TYPE_UINT32 ? 0x00 : element_is_float(type) ? 0xfb : 0x80;
    return 0x7b;
}
