/*
 * A number is sign + 2 * (decimals + 32 * digits): see decimal.h for the rule.
 */
#include "table/decimal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DIGITS = 17, MAX_DECIMALS = 31 };

/* "": no number has all bits set, as 17 digits take less than the 58 bits that are left. */
#define NOTHING UINT64_MAX

bool decimal_pack(const char *text, uint64_t *out)
{
    uint64_t digits = 0;
    unsigned decimals = 0, count = 0;
    bool negative = *text == '-', point = false;
    const char *s = text + negative;
    *out = NOTHING;
    if (!*text)
        return true;
    if (!(*s >= '0' && *s <= '9') || (*s == '0' && s[1] && s[1] != '.'))
        return false;
    for (; *s; s++) {
        if (*s == '.' && !point) {
            point = true;
            continue;
        }
        if (*s < '0' || *s > '9')
            return false;
        digits = 10 * digits + (uint64_t)(*s - '0');
        count += digits > 0;
        decimals += point;
        if (count > MAX_DIGITS || decimals > MAX_DECIMALS)
            return false;
    }
    *out = negative | (uint64_t)2 * (decimals + (uint64_t)32 * digits);
    return !point || decimals > 0;
}

void decimal_text(uint64_t packed, char out[DECIMAL_TEXT])
{
    char reversed[DECIMAL_TEXT], *to = out;
    unsigned decimals = packed >> 1 & MAX_DECIMALS, length = 0;
    uint64_t digits = packed >> 6;
    out[0] = '\0';
    if (packed == NOTHING)
        return;
    for (unsigned i = 0; digits > 0 || i <= decimals; i++, digits /= 10) {
        if (i == decimals && decimals > 0)
            reversed[length++] = '.';
        reversed[length++] = (char)('0' + digits % 10);
    }
    if (packed & 1)
        *to++ = '-';
    while (length > 0)
        *to++ = reversed[--length];
    *to = '\0';
}

double decimal_number(uint64_t packed)
{
    /* Powers of ten that a double holds exactly: the quotient of two exact numbers
     * is rounded once. */
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    unsigned decimals = packed >> 1 & MAX_DECIMALS;
    uint64_t digits = packed >> 6;
    char text[DECIMAL_TEXT];
    if (packed == NOTHING)
        return NAN;
    if (digits <= (uint64_t)1 << 53 && decimals < sizeof powers / sizeof *powers)
        return (packed & 1 ? -1.0 : 1.0) * ((double)digits / powers[decimals]);
    decimal_text(packed, text);
    return strtod(text, NULL);
}
