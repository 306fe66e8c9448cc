/* Implements notation.h. */
#include "base/notation.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Returns k if `s` is the prefix for 1024^k (Ki, Mi, Gi or Ti; IEC 80000-13), and otherwise 0. */
static int binary_prefix(const char *s)
{
    static const char letters[] = "KMGT";
    const char *found = *s ? strchr(letters, *s) : NULL;
    return found && strcmp(s + 1, "i") == 0 ? (int)(found - letters) + 1 : 0;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool notation_number(const char *s, double *out)
{
    char *end;
    size_t length = strspn(s, "0123456789+-.eE^");
    int prefix = binary_prefix(s + length);
    if (s[length] && !prefix)
        return false; /* strtod() would also accept spaces, inf and 0x10. */
    if (s[0] == '0' && is_digit(s[1]))
        return false;
    *out = strtod(s, &end);
    const char *begin = s;
    if (end > s && *end == '^') {
        begin = end + 1;
        *out = pow(*out, strtod(begin, &end));
    }
    *out = ldexp(*out, 10 * prefix);
    return end > begin && end == s + length;
}

char *notation_digits(const char *s)
{
    struct text out = {0};
    size_t first = strspn(s, "0123456789");
    char separator = s[first];
    bool grouped = first >= 1 && first <= 3 && separator && strchr("_ ',.", separator);
    text_append(&out, "%.*s", (int)first, s);
    for (const char *at = s + first; grouped && *at; at += 4) {
        grouped = *at == separator && strspn(at + 1, "0123456789") == 3;
        if (grouped)
            text_append(&out, "%.3s", at + 1);
    }
    if (grouped)
        return out.bytes;
    text_free(&out);
    return NULL;
}

/*
 * Returns the decimal digits of a hexadecimal number such as 0x100000, or NULL for other text. The
 * caller frees the result.
 */
static char *without_base(const char *s)
{
    char *end;
    if (s[0] != '0' || (s[1] != 'x' && s[1] != 'X') || !isxdigit((unsigned char)s[2]))
        return NULL;
    errno = 0;
    unsigned long long value = strtoull(s, &end, 16);
    return *end || errno ? NULL : xasprintf("%llu", value);
}

static void suggest_number(struct text *t, char *number, double min, double max)
{
    double value;
    if (notation_number(number, &value) && value >= min && value <= max)
        text_append(t, "; did you mean %s?", number);
    free(number);
}

static void suggest_thousands(struct text *t, const char *s, int thousands)
{
    char *changed = xstrndup(s, strlen(s) - 1);
    double number;
    if (notation_number(changed, &number))
        text_append(t, "; did you mean %se%d, or %s%ci, which is %s * 2^%d?", changed,
                    3 * thousands, changed, "KMGT"[thousands - 1], changed, 10 * thousands);
    free(changed);
}

static void suggest_range(struct text *t, const char *s, const char *dash)
{
    char *from = xstrndup(s, (size_t)(dash - s));
    double begin, end;
    if (notation_number(from, &begin) && notation_number(dash + 1, &end))
        text_append(t, "; did you mean %s..%s?", from, dash + 1);
    free(from);
}

void notation_suggest(struct text *t, const char *s, double min, double max)
{
    static const char letters[] = "kKmMgGtT";
    size_t length = strlen(s);
    const char *power = strstr(s, "**"), *letter = length ? strchr(letters, s[length - 1]) : NULL;
    const char *dash = length > 1 ? strchr(s + 1, '-') : NULL;
    char *digits = notation_digits(s);
    digits = digits ? digits : without_base(s);
    if (digits)
        suggest_number(t, digits, min, max);
    else if (s[0] == '0' && is_digit(s[1]))
        suggest_number(t, xstrdup(s + strspn(s, "0")), min, max);
    else if (power)
        suggest_number(t, xasprintf("%.*s^%s", (int)(power - s), s, power + 2), min, max);
    else if (letter && length > 1)
        suggest_thousands(t, s, (int)(letter - letters) / 2 + 1);
    else if (dash)
        suggest_range(t, s, dash);
}

void notation_suggest_joined(struct text *t, const char *const *list, size_t count,
                             const char *part)
{
    struct text joined = {0};
    if (part[0] != '0' || strlen(part) != 3)
        return;
    for (size_t i = 0; i < count; i++)
        text_append(&joined, "%s%s", i ? "," : "", list[i]);
    char *digits = count > 1 ? notation_digits(joined.bytes) : NULL;
    if (digits)
        text_append(t, "; did you mean %s? A comma separates numbers", digits);
    free(digits);
    text_free(&joined);
}
