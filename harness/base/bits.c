/*
 * The hash is the sum, modulo 2^64, of one hash per 32-bit word. Each word's hash depends on the
 * word's value and position. Such a sum does not depend on the order of its terms, so a GPU can
 * compute it with all its threads.
 */
#include "base/bits.h"

#include <string.h>

#include "support/input.h"

uint64_t result_bits(const void *result, size_t bytes)
{
    const char *at = result;
    uint64_t sum = 0;
    for (size_t i = 0; i < bytes; i += 4) {
        uint32_t word = 0; /* little-endian; the last word is padded with zeros */
        memcpy(&word, at + i, bytes - i < 4 ? bytes - i : 4);
        sum += input_bits(word, i / 4);
    }
    return sum ? sum : 1;
}
