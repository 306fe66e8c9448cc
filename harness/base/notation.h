/*
 * Numbers in configs and options have this notation: 12, -1.5, 1e3, 2^20, 64Mi. For other notations
 * there are suggestions: 2**20, 1M, 2^14-2^20, 1_000_000, 0x100000.
 */
#ifndef REDSWEEP_BASE_NOTATION_H
#define REDSWEEP_BASE_NOTATION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/*
 * Reads a number that is the whole text. A leading 0 before other digits is rejected, because
 * splitting 1,000,000 at its commas produces such a number.
 */
bool notation_number(const char *s, double *out);

/*
 * Returns "1000000" for text that consists of digits in groups of three, which are separated by one
 * of "_ ',.". Returns NULL for other text. The caller frees the result.
 */
char *notation_digits(const char *s);

/*
 * Appends "; did you mean 2^20?" for text that is not a number. Appends nothing if the suggested
 * value is not in [min, max].
 */
void notation_suggest(struct text *t, const char *s, double min, double max);

/*
 * Helps with a comma-separated list in which the entry `part` is not a number. If the entries are
 * the digits of one number in groups of three, the function appends "; did you mean 1000000? A
 * comma separates numbers". Otherwise it appends nothing.
 */
void notation_suggest_joined(struct text *t, const char *const *list, size_t count,
                             const char *part);

#endif
