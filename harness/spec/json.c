/* Parses JSON with cJSON and explains errors. */
#include "spec/json.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/caret.h"
#include "base/fields.h"
#include "base/utf8.h"

struct json_text {
    const char *path, *text;
    struct error *e;
};

__attribute__((format(printf, 3, 4))) static bool invalid_at(const struct json_text *j, size_t at,
                                                             const char *format, ...)
{
    char message[256];
    size_t line, column;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    caret_position(j->text, at, &line, &column);
    return FAIL_AT(j->e, ERROR_CONFIG, j->text, at, "%s, line %zu, column %zu: %s", j->path, line,
                   column, message);
}

/*
 * Returns the end of the string that begins with the quote at `s`: its closing quote, or the end of
 * the line if there is none.
 */
static const char *string_end(const char *s)
{
    do
        s += *s == '\\' && s[1] ? 2 : 1;
    while (*s && *s != '"' && *s != '\n');
    return s;
}

static const char invalid_escape[] =
    "the string contains an invalid escape sequence or half of a surrogate pair";

static bool check_text(const struct json_text *j)
{
    size_t length = strlen(j->text), wrong = utf8_invalid_at(j->text, length);
    if (length > JSON_MAX_BYTES)
        return FAIL(j->e, ERROR_CONFIG, "%s is longer than %d MiB; is this the right file?",
                    j->path, JSON_MAX_BYTES >> 20);
    if (wrong < length)
        return invalid_at(j, wrong, "the byte 0x%02x is not UTF-8; save the file as UTF-8",
                          (unsigned char)j->text[wrong]);
    for (const char *p = strchr(j->text, '"'); p; p = strchr(p + 1, '"')) {
        const char *end = string_end(p);
        if (*end != '"')
            return invalid_at(j, (size_t)(p - j->text),
                              "the string that begins here has no closing quote on its line");
        /* The escape \u0000 is refused, because cJSON would end the string there. */
        for (; p < end; p += *p == '\\' ? 2 : 1)
            if (p[0] == '\\' && p[1] == 'u' &&
                (strspn(p + 2, "0123456789abcdefABCDEF") < 4 || strncmp(p + 2, "0000", 4) == 0))
                return invalid_at(j, (size_t)(p - j->text), invalid_escape);
        p = end;
    }
    return true;
}

/* Returns the last non-blank character before `at`, or NUL if there is none. */
static char before(const char *text, size_t at)
{
    while (at > 0 && isspace((unsigned char)text[at - 1]))
        at--;
    return at > 0 ? text[at - 1] : '\0';
}

/* Reports the syntax error at which cJSON stopped, with its usual cause if there is one. */
static bool refuse_syntax(const struct json_text *j, size_t at)
{
    /* When cJSON expects a key but finds something else, it stops one byte into that text. */
    char last = at > 0 ? j->text[at - 1] : '\0', earlier = at > 0 ? before(j->text, at - 1) : '\0';
    if (last && !isspace((unsigned char)last) &&
        (earlier == '{' || (earlier == ',' && !isdigit((unsigned char)last) && last != '[')))
        at--;
    const char *here = j->text + at;
    if (*here == '\0')
        return invalid_at(j, at, "the file ends too early; is something missing?");
    if (*here == '\\')
        return invalid_at(j, at, invalid_escape);
    if (*here == '\'')
        return invalid_at(j, at, "' is not allowed here; JSON encloses strings in double quotes");
    if (*here == '/' || *here == '#')
        return invalid_at(j, at, "JSON does not allow comments; use the key \"comment\"");
    if ((*here == '}' || *here == ']') && before(j->text, at) == ',')
        return invalid_at(j, at, "'%c' follows a comma; remove the comma", *here);
    if (strncmp(here, "NaN", 3) == 0 || strncmp(here, "Infinity", 8) == 0)
        return invalid_at(j, at, "JSON does not allow NaN and Infinity; write a finite number");
    return invalid_at(j, at, "'%.*s' is not allowed here", (int)utf8_length(here, strlen(here)),
                      here);
}

/* Rejects duplicate keys. cJSON keeps both members, and it would be unclear which one counts. */
static bool check_duplicates(const struct reading *r, const struct field_path *at,
                             const cJSON *value)
{
    int index = 0;
    const cJSON *entry, *other;
    if (cJSON_IsObject(value) && cJSON_GetArraySize(value) > JSON_MAX_KEYS)
        return REFUSE(r, at, "the object has more than %d keys; remove some of them",
                      JSON_MAX_KEYS);
    cJSON_ArrayForEach(entry, value)
    {
        struct field_path here = {at, entry->string, index++};
        for (other = value->child; entry->string && other != entry; other = other->next)
            if (strcmp(other->string, entry->string) == 0)
                return REFUSE(r, &here, "duplicate key");
        if (!check_duplicates(r, &here, entry))
            return false;
    }
    return true;
}

bool json_parse(const char *path, const char *text, cJSON **out, struct error *e)
{
    const struct json_text j = {path, text, e};
    const struct reading r = {.prefix = path, .kind = ERROR_CONFIG, .e = e};
    const char *end = text;
    if (!check_text(&j))
        return false;
    *out = cJSON_ParseWithOpts(text, &end, true);
    if (!*out)
        return refuse_syntax(&j, (size_t)(end - text));
    if (check_duplicates(&r, NULL, *out))
        return true;
    cJSON_Delete(*out);
    return false;
}
