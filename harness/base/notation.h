/*
 * The notation of numbers in configs and options: 12, -1.5, 1e3, 2^20, 64Mi. For some other
 * notations, error messages suggest a valid one: 2**20, 1M, 2^14-2^20, 1_000_000, 0x100000.
 */
#ifndef REDSWEEP_BASE_NOTATION_H
#define REDSWEEP_BASE_NOTATION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/*
 * Reads a number. Returns false if `s` contains anything else, or if a 0 is followed by more
 * digits, as in 000, which probably is a part of 1,000,000 that was split at its commas.
 */
bool notation_number(const char *s, double *out);

/*
 * Returns "1000000" for 1_000_000 and other digits in groups of three that are separated by one of
 * "_ ',.". Returns NULL for other text. The caller frees the result.
 */
char *notation_digits(const char *s);

/*
 * Appends "; did you mean 2^20?" for text that is not a number, unless the suggested value is
 * outside [min, max].
 */
void notation_suggest(struct text *t, const char *s, double min, double max);

/*
 * Appends a suggestion for a comma-separated list whose entry `part` is not a number. If the
 * entries are the digits of one number in groups of three, this is "; did you mean 1000000? A comma
 * separates numbers". Otherwise appends nothing.
 */
void notation_suggest_joined(struct text *t, const char *const *list, size_t count,
                             const char *part);

#endif
