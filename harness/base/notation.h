/*
 * The notation of numbers in configs and options: 12, -1.5, 1e3, 2^20, 64Mi; and suggestions for other
 * notations: 2**20, 1M, 2^14-2^20, 1_000_000, 0x100000.
 */
#ifndef REDSWEEP_BASE_NOTATION_H
#define REDSWEEP_BASE_NOTATION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* Reads a number that is the whole text. A 0 before other digits is refused, because it results from splitting
 * 1,000,000. */
bool notation_number(const char *s, double *out);

/* Returns "1000000", which the caller frees, for digits in groups of three separated by one of "_ ',.";
 * else NULL. */
char *notation_digits(const char *s);

/* Appends "; did you mean 2^20?" for a text that is not a number, or nothing if its value is not in [min, max]. */
void notation_suggest(struct text *t, const char *s, double min, double max);

/*
 * For a comma-separated list with an entry `part` that is not a number: appends "; did you mean 1000000? A comma
 * separates numbers" if the entries are one number's digits in groups of three, or nothing.
 */
void notation_suggest_joined(struct text *t, const char *const *list, size_t count,
                             const char *part);

#endif
