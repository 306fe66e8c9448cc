/*
 * Inputs in host memory: the values of kernels/support/input.h, written out.
 */
#include "plan/workload.h"

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
