/* Implements input.h. */
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
               "enum input_kind and kernels/support/input_kinds.h have the same numbers");

bool input_kind_allows(enum input_kind kind, enum element_type type, enum operation op)
{
    if (kind == INPUT_KIND_UNIFORM || !element_is_float(type))
        return kind == INPUT_KIND_UNIFORM;
    switch (operation_accumulator(op)) {
    /*
     * The squares of deviations from the mean must not overflow or underflow, and infinities would
     * make the mean NaN.
     */
    case ACCUMULATES_MOMENTS:
        return kind != INPUT_KIND_WIDE && kind != INPUT_KIND_SUBNORMAL &&
               kind != INPUT_KIND_SPECIAL;
    /* the error bound holds only if the values do not differ too much */
    case ACCUMULATES_EXPONENTS:
        return kind == INPUT_KIND_NORMAL || kind == INPUT_KIND_SPAN60 ||
               kind == INPUT_KIND_CANCELLING || kind == INPUT_KIND_SUBNORMAL;
    case ACCUMULATES_VALUE:
    case ACCUMULATES_INDEXED:
        break;
    }
    if (operation_combining(op) == COMBINES_PRODUCT)
        /* the inputs of products are powers of two, so that products are exact */
        return false;
    /* squares and products of elements must not overflow or underflow */
    return operation_roundings(op) == 0 ||
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

/* Each common type has a loop of its own, in which the properties of the type are constants. */
void input_generate(const struct input *input, uint64_t first, uint64_t count, void *out)
{
    const uint64_t seed = input->seed, peak = input_peak(seed, input->n);
    const int values = input_values(input->op), kind = (int)input->kind;
    const int significand = element_significand(input->type);
    const bool is_signed = element_is_signed(input->type);
#define FILL(bits_type, has_sign, of_significand)                                                  \
    for (uint64_t i = 0; i < count; i++)                                                           \
        ((bits_type *)out)[i] = (bits_type)input_element(                                          \
            sizeof(bits_type), has_sign, of_significand, kind, values, seed, first + i, peak);
    switch (element_size(input->type)) {
    case 1:
        FILL(uint8_t, is_signed, significand)
        break;
    case 2:
        FILL(uint16_t, is_signed, significand)
        break;
    case 4:
        if (significand) {
            FILL(uint32_t, false, 24)
        } else if (is_signed) {
            FILL(uint32_t, true, 0)
        } else {
            FILL(uint32_t, false, 0)
        }
        break;
    default:
        if (significand) {
            FILL(uint64_t, false, 53)
        } else if (is_signed) {
            FILL(uint64_t, true, 0)
        } else {
            FILL(uint64_t, false, 0)
        }
    }
#undef FILL
}

uint64_t input_vector(const struct input *input)
{
    return input->n - input->second;
}

/*
 * For max and min, the byte gives elements beyond the peaks and troughs of input.h: 0x7f7f7f7f >
 * 0x7f000000 and 0x80808080 < -0x7f000000. For unsigned integers, it is 0xff or 0. For argmin it is
 * 0x01 instead of 0, because memory full of zeros could be taken for the index 0. As floats, 0x7f…
 * and 0xfb… are beyond ±10^36. (As float16, 0x7b7b is 61280; 0x7f7f would be a NaN.) For sums and
 * products, 0x7b gives a large odd number.
 */
uint8_t input_poison(enum element_type type, enum operation op)
{
    const bool integer = !element_is_float(type), is_signed = element_is_signed(type);
    const int exponent =
        /* how many bits the exponent has */
        integer ? 8 : (int)(8 * element_size(type)) - element_significand(type);
    switch (operation_combining(op)) {
    case COMBINES_GREATEST:
        return integer && !is_signed ? 0xff : exponent < 8 ? 0x7b : 0x7f;
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
