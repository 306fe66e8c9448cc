/*
 * The text of a decimal number in 64 bits, so that the same text comes out again: "-12.340" keeps
 * its zero. 10^6 different times take 8 MB instead of 20.
 *
 * Packed are texts of up to 17 digits and 31 decimals, as "%.17g" writes them without an exponent:
 * -?(0|[1-9][0-9]*)(\.[0-9]+)?, and "". Others are not packed.
 */
#ifndef REDSWEEP_TABLE_DECIMAL_H
#define REDSWEEP_TABLE_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

enum { DECIMAL_TEXT = 40 }; /* bytes of the longest text, with its NUL */

/* False for a text that is not packed. */
bool decimal_pack(const char *text, uint64_t *out);

void decimal_text(uint64_t packed, char out[DECIMAL_TEXT]);

/* As strtod() reads the text; NaN for "". */
double decimal_number(uint64_t packed);

#endif
