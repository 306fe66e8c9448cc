/* Checks the content of a cell; cell.h describes the ranges. */
#include "table/cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Returns whether a string is a decimal number within the range of a double:
 * [0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?. strtod() alone is not enough, because it also accepts
 * hexadecimal numbers, leading blanks, and names such as "nan".
 */
static bool is_finite_decimal(const char *s)
{
    static const char digits[] = "0123456789";
    const char *begin = s;
    size_t whole = strspn(s, digits);
    s += whole;
    if (whole && *s == '.')
        s += 1 + strspn(s + 1, digits);
    if (whole && (*s == 'e' || *s == 'E')) {
        s += 1 + (s[1] == '-' || s[1] == '+');
        size_t exponent = strspn(s, digits);
        whole = exponent ? whole : 0;
        s += exponent;
    }
    /* Fewer than 300 characters without an exponent cannot exceed the range of a double. */
    bool small = s - begin < 300 && !memchr(begin, 'e', (size_t)(s - begin)) &&
                 !memchr(begin, 'E', (size_t)(s - begin));
    return whole && !*s && (small || isfinite(strtod(begin, NULL)));
}

/*
 * Returns whether a string is a hash. Hashes are compared as strings, so there is only one valid
 * spelling.
 */
static bool is_hash(const char *s)
{
    return strspn(s, "0123456789abcdef") == 16 && !s[16];
}

static bool is_in_range(enum cell_range range, const char *cell)
{
    if (range == CELL_ANY || !*cell)
        return true;
    if (range == CELL_BITS)
        return is_hash(cell) || strcmp(cell, "varies") == 0;
    const char *unsigned_cell = cell + (range != CELL_POSITIVE && *cell == '-');
    return is_finite_decimal(unsigned_cell) ||
           (range == CELL_REAL &&
            (strcmp(unsigned_cell, "inf") == 0 || strcmp(unsigned_cell, "nan") == 0));
}

bool cell_check(enum cell_range range, const char *cell, const struct cell_place *place,
                struct error *e)
{
    static const char *const expected[] = {[CELL_POSITIVE] = "a finite number that is not negative",
                                           [CELL_SIGNED] = "a finite number",
                                           [CELL_REAL] = "a number, inf, nan",
                                           [CELL_BITS] = "16 lowercase hexadecimal digits, varies"};
    return is_in_range(range, cell) ||
           FAIL(e, ERROR_CONFIG,
                "%s, line %zu, column %s: redsweep did not write '%.60s'; restore the file, or "
                "write %s or an empty cell",
                place->path, place->line, place->column, cell, expected[range]);
}
