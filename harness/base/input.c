/*
 * Inputs in host memory: the values of kernels/support/input.h, written out.
 */
#include "base/input.h"

#include "support/input.h"

const char *const input_kind_names[INPUT_KINDS] = {
    [INPUT_KIND_UNIFORM] = "uniform",       [INPUT_KIND_NORMAL] = "normal",
    [INPUT_KIND_SPAN60] = "span60",         [INPUT_KIND_WIDE] = "wide",
    [INPUT_KIND_CANCELLING] = "cancelling", [INPUT_KIND_SORTED] = "sorted",
    [INPUT_KIND_SPECIAL] = "special",       [INPUT_KIND_SUBNORMAL] = "subnormal",
};

_Static_assert(INPUT_KIND_SUBNORMAL == INPUT_SUBNORMAL && INPUT_KIND_SPECIAL == INPUT_SPECIAL &&
                   INPUT_KIND_SORTED == INPUT_SORTED && INPUT_KIND_CANCELLING == INPUT_CANCELLING &&
                   INPUT_KIND_WIDE == INPUT_WIDE && INPUT_KIND_SPAN60 == INPUT_SPAN60 &&
                   INPUT_KIND_NORMAL == INPUT_NORMAL && INPUT_KIND_UNIFORM == INPUT_UNIFORM,
               "kernels/support/input_kinds.h numbers them alike");

bool input_kind_allows(enum input_kind kind, enum element_type type, enum operation op)
{
    if (kind == INPUT_KIND_UNIFORM || !element_is_float(type))
        return kind == INPUT_KIND_UNIFORM;
    switch (operation_accumulator(op)) {
    case ACCUMULATES_MOMENTS: /* as products, nor is infinity - infinity on the way: a mean would be NaN */
        return kind != INPUT_KIND_WIDE && kind != INPUT_KIND_SUBNORMAL &&
               kind != INPUT_KIND_SPECIAL;
    case ACCUMULATES_EXPONENTS: /* no two differ by more than the bound of errors allows */
        return kind == INPUT_KIND_NORMAL || kind == INPUT_KIND_SPAN60 ||
               kind == INPUT_KIND_CANCELLING || kind == INPUT_KIND_SUBNORMAL;
    case ACCUMULATES_VALUE:
    case ACCUMULATES_INDEXED:
        break;
    }
    if (operation_combining(op) == COMBINES_PRODUCT)
        return false; /* it must be equal, so only powers of two are multiplied */
    return operation_roundings(op) == 0 || /* or products that neither overflow nor underflow */
           (kind != INPUT_KIND_WIDE && kind != INPUT_KIND_SUBNORMAL);
}

int input_values(enum operation op)
{
    const bool indexed = operation_accumulator(op) == ACCUMULATES_INDEXED;
    if (operation_accumulator(op) == ACCUMULATES_EXPONENTS)
        return INPUT_EXPONENTS;
    switch (operation_combining(op)) {
    case COMBINES_GREATEST:
        return indexed ? INPUT_PEAKS : INPUT_PEAK;
    case COMBINES_LEAST:
        return indexed ? INPUT_TROUGHS : INPUT_TROUGH;
    case COMBINES_PRODUCT:
        return INPUT_FACTORS;
    case COMBINES_SUM:
        break;
    }
    return INPUT_TERMS;
}

static void generate_kind(const struct input *input, uint64_t first, uint64_t count, void *out)
{
    const uint64_t seed = input->seed, peak = input_peak(seed, input->n);
    const int kind = (int)input->kind;
    switch (input->type) {
#define CASE(TYPE, c_type, generate)                                                               \
    case TYPE:                                                                                     \
        for (uint64_t i = 0; i < count; i++)                                                       \
            ((c_type *)out)[i] = generate(kind, seed, first + i, peak);                            \
        break;
        CASE(TYPE_FLOAT16, uint16_t, input_kind_float16)
        CASE(TYPE_BFLOAT16, uint16_t, input_kind_bfloat16)
        CASE(TYPE_FLOAT32, float, input_kind_float32)
        CASE(TYPE_FLOAT64, double, input_kind_float64)
#undef CASE
    default: /* input_kind_allows() */
        break;
    }
}

void input_generate(const struct input *input, uint64_t first, uint64_t count, void *out)
{
    if (input->kind != INPUT_KIND_UNIFORM) {
        generate_kind(input, first, count, out);
        return;
    }
    const uint64_t seed = input->seed, peak = input_peak(seed, input->n);
    const int values = input_values(input->op);
    switch (input->type) {
#define CASE(TYPE, c_type, generate)                                                               \
    case TYPE:                                                                                     \
        for (uint64_t i = 0; i < count; i++)                                                       \
            ((c_type *)out)[i] = generate(seed, first + i, values, peak);                          \
        break;
        CASE(TYPE_INT32, int32_t, input_int32)
        CASE(TYPE_UINT32, uint32_t, input_uint32)
        CASE(TYPE_INT64, int64_t, input_int64)
        CASE(TYPE_UINT64, uint64_t, input_uint64)
        CASE(TYPE_INT8, int8_t, input_int8)
        CASE(TYPE_UINT8, uint8_t, input_uint8)
        CASE(TYPE_FLOAT16, uint16_t, input_float16)
        CASE(TYPE_BFLOAT16, uint16_t, input_bfloat16)
        CASE(TYPE_FLOAT32, float, input_float32)
        CASE(TYPE_FLOAT64, double, input_float64)
#undef CASE
    case TYPE_COUNT:
        break;
    }
}

uint64_t input_vector(const struct input *input)
{
    return input->n - input->second;
}

/*
 * Compared with the peaks and troughs of input.h: 0x7f7f7f7f > 0x7f000000, 0x80808080 <
 * -0x7f000000, 0xff… and 0 bound the unsigned ones (and 0x01…, which is no index as 0 is, those of
 * argmin), and 0x7f…, 0xfb… are floats beyond ±10^36 (float16: 0x7b7b is 61280; 0x7f7f would be a
 * NaN). For sums and products any large odd number will do, for indices any that no input has.
 */
uint8_t input_poison(enum element_type type, enum operation op)
{
    bool integer = !element_is_float(type), is_signed = element_is_signed(type);
    switch (operation_combining(op)) {
    case COMBINES_GREATEST:
        return integer && !is_signed ? 0xff : type == TYPE_FLOAT16 ? 0x7b : 0x7f;
    case COMBINES_LEAST:
        if (!integer || is_signed)
            return integer ? 0x80 : 0xfb;
        return operation_accumulator(op) == ACCUMULATES_INDEXED ? 0x01 : 0x00;
    case COMBINES_SUM:
    case COMBINES_PRODUCT:
        break;
    }
    return 0x7b;
}
