/*
 * The hash is the sum, modulo 2^64, of one hash per 32-bit word, each of which depends on the word
 * and its place. A sum can be formed in any order, so a GPU uses all its threads for it.
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
