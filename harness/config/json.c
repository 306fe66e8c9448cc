/*
 * A strict check of JSON before cJSON sees it: see json.h. The grammar is that of RFC 8259, §2–7.
 */
#include "config/json.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/caret.h"

struct cursor {
    const char *path;
    const char *text;
    size_t at;
    int depth;
    struct error *e;
};

static bool check_value(struct cursor *c);

#define FAULT(c, ...) fault(c, __FILE__, __LINE__, __VA_ARGS__)
__attribute__((format(printf, 4, 5))) static bool fault(struct cursor *c, const char *file,
                                                        int line, const char *format, ...)
{
    char message[512];
    size_t row, column;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    caret_position(c->text, c->at, &row, &column);
    return caret_set(c->e, ERROR_CONFIG, file, line, c->text, c->at, "%s: line %zu, column %zu: %s",
                     c->path, row, column, message);
}

/* ---- UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing beyond U+10FFFF --------------
 */

/* The length of the character at `s`; 0 when it is none. */
static size_t utf8_length(const unsigned char *s)
{
    if (s[0] < 0x80)
        return 1;
    size_t length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool surrogate = s[0] == 0xed && s[1] > 0x9f;
    bool too_great = s[0] == 0xf4 && s[1] > 0x8f;
    return overlong || surrogate || too_great ? 0 : length;
}

static bool check_utf8(const char *path, const char *text, size_t length, struct error *e)
{
    size_t i = 0;
    while (i < length) {
        size_t step = utf8_length((const unsigned char *)text + i);
        if (step == 0 || text[i] == '\0') {
            size_t line, column;
            caret_position(text, i, &line, &column);
            return FAIL(e, ERROR_CONFIG,
                        "%s: line %zu, column %zu: the byte 0x%02x is not UTF-8 text; save the "
                        "file as UTF-8",
                        path, line, column, (unsigned char)text[i]);
        }
        i += step;
    }
    return true;
}

/* ---- The grammar ------------------------------------------------------------------------------
 */

static void skip_space(struct cursor *c)
{
    while (c->text[c->at] != '\0' && strchr(" \t\r\n", c->text[c->at]))
        c->at++;
}

/* What stands here instead of what was wanted, with the usual cause where there is one. */
static bool unexpected(struct cursor *c, const char *wanted)
{
    char found = c->text[c->at];
    if (found == '\0')
        return FAULT(c, "the text ends here, but %s is missing", wanted);
    if (found == '\'')
        return FAULT(c, "%s should stand here; JSON's strings have double quotes", wanted);
    if (found == '/' || found == '#')
        return FAULT(c, "%s should stand here; JSON has no comments (there is a key \"comment\")",
                     wanted);
    return FAULT(c, "%s should stand here", wanted);
}

static bool hex_digits(const char *s)
{
    for (int i = 0; i < 4; i++)
        if (s[i] == '\0' || !strchr("0123456789abcdefABCDEF", s[i]))
            return false;
    return true;
}

/* At a backslash. cJSON itself refuses surrogates that are no pair; see json_parse(). */
static bool check_escape(struct cursor *c)
{
    const char *s = c->text + c->at + 1;
    if (*s != '\0' && strchr("\"\\/bfnrt", *s)) {
        c->at += 2;
        return true;
    }
    if (*s != 'u' || !hex_digits(s + 1))
        return FAULT(c, "no such escape in a string; there are \\\" \\\\ \\/ \\b \\f \\n \\r \\t "
                        "and \\u with four hexadecimal digits");
    if (strncmp(s, "u0000", 5) == 0)
        return FAULT(c, "a string may not hold the character \\u0000");
    c->at += 6;
    return true;
}

static bool check_string(struct cursor *c)
{
    size_t start = c->at++;
    while (c->text[c->at] != '"') {
        unsigned char byte = (unsigned char)c->text[c->at];
        if (byte == '\0' || byte == '\n') {
            c->at = start;
            return FAULT(c, "this string is not closed on its line");
        }
        if (byte < 0x20)
            return FAULT(c, "a string may not hold the control character 0x%02x; write \\u%04x",
                         byte, byte);
        if (byte != '\\')
            c->at++;
        else if (!check_escape(c))
            return false;
    }
    c->at++;
    return true;
}

static size_t skip_digits(struct cursor *c)
{
    size_t start = c->at;
    while (c->text[c->at] >= '0' && c->text[c->at] <= '9')
        c->at++;
    return c->at - start;
}

static bool check_number(struct cursor *c)
{
    size_t start = c->at;
    if (c->text[c->at] == '-')
        c->at++;
    bool zero = c->text[c->at] == '0';
    size_t digits = skip_digits(c);
    if (digits == 0)
        return FAULT(c, "a digit should stand here");
    if (zero && digits > 1) {
        c->at = start;
        return FAULT(c, "a number may not begin with a superfluous 0");
    }
    if (c->text[c->at] == '.') {
        c->at++;
        if (skip_digits(c) == 0)
            return FAULT(c, "a digit should stand here");
    }
    if (c->text[c->at] == 'e' || c->text[c->at] == 'E') {
        c->at++;
        if (c->text[c->at] == '+' || c->text[c->at] == '-')
            c->at++;
        if (skip_digits(c) == 0)
            return FAULT(c, "a digit should stand here");
    }
    if (c->at - start > JSON_MAX_NUMBER) {
        c->at = start;
        return FAULT(c, "this number has more than %d characters", JSON_MAX_NUMBER);
    }
    return true;
}

static bool check_word(struct cursor *c)
{
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t length = strlen(words[i]);
        if (strncmp(c->text + c->at, words[i], length) == 0) {
            c->at += length;
            return true;
        }
    }
    if (strncmp(c->text + c->at, "NaN", 3) == 0 || strncmp(c->text + c->at, "Infinity", 8) == 0)
        return FAULT(c, "NaN and Infinity are no numbers in JSON");
    return unexpected(c, "a value (a number, \"text\", a list or an object)");
}

/* "key": in an object. */
static bool check_key(struct cursor *c)
{
    if (c->text[c->at] != '"')
        return unexpected(c, "a key in double quotes");
    if (!check_string(c))
        return false;
    skip_space(c);
    if (c->text[c->at] != ':')
        return unexpected(c, "':'");
    c->at++;
    return true;
}

/* A list or an object, at its opening bracket. */
static bool check_container(struct cursor *c)
{
    bool object = c->text[c->at] == '{';
    char close = object ? '}' : ']';
    if (++c->depth > JSON_MAX_DEPTH)
        return FAULT(c, "lists and objects are nested deeper than %d levels", JSON_MAX_DEPTH);
    c->at++;
    skip_space(c);
    while (c->text[c->at] != close) {
        if (object && !check_key(c))
            return false;
        if (!check_value(c))
            return false;
        if (c->text[c->at] == close)
            break;
        if (c->text[c->at] != ',')
            return unexpected(c, object ? "a comma or '}'" : "a comma or ']'");
        c->at++;
        skip_space(c);
        if (c->text[c->at] == close)
            return FAULT(c, "'%c' follows a comma; remove the comma", close);
    }
    c->at++;
    c->depth--;
    return true;
}

/* A value with the space around it. */
static bool check_value(struct cursor *c)
{
    skip_space(c);
    char first = c->text[c->at];
    bool ok;
    if (first == '{' || first == '[')
        ok = check_container(c);
    else if (first == '"')
        ok = check_string(c);
    else if (first == '-' || (first >= '0' && first <= '9'))
        ok = check_number(c);
    else
        ok = check_word(c);
    skip_space(c);
    return ok;
}

bool json_parse(const char *path, const char *text, size_t length, cJSON **out, struct error *e)
{
    static const char mark[] = "\xef\xbb\xbf"; /* that some editors put before UTF-8 */
    if (length > JSON_MAX_BYTES)
        return FAIL(e, ERROR_CONFIG, "%s: the text is longer than 1 MiB", path);
    if (!check_utf8(path, text, length, e))
        return false;
    if (strncmp(text, mark, 3) == 0)
        text += 3;
    struct cursor c = {.path = path, .text = text, .e = e};
    if (!check_value(&c))
        return false;
    if (text[c.at] != '\0')
        return FAULT(&c, "the JSON value ended before this; remove the rest");
    const char *end = NULL;
    *out = cJSON_ParseWithOpts(text, &end, true);
    if (*out)
        return true;
    c.at = end ? (size_t)(end - text) : 0;
    return FAULT(&c,
                 "a string is broken here (is a \\u escape half of a pair?), or memory ran out");
}
