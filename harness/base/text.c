/* Implements text.h. */
#include "base/text.h"

#include <fnmatch.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/terminal.h"
#include "base/utf8.h"

static void reserve(struct text *t, size_t more)
{
    size_t needed = t->length + more + 1;
    if (needed <= t->capacity)
        return;
    size_t capacity = t->capacity ? t->capacity : 128;
    while (capacity < needed)
        capacity *= 2;
    t->bytes = xrealloc(t->bytes, capacity);
    t->capacity = capacity;
}

void text_append_bytes(struct text *t, const void *bytes, size_t length)
{
    reserve(t, length);
    if (length)
        memcpy(t->bytes + t->length, bytes, length);
    t->length += length;
    t->bytes[t->length] = '\0';
}

__attribute__((format(printf, 2, 0))) static void append_list(struct text *t, const char *format,
                                                              va_list arguments)
{
    va_list again;
    reserve(t, 0);
    size_t room = t->capacity - t->length;
    va_copy(again, arguments);
    int wanted = vsnprintf(t->bytes + t->length, room, format, arguments);
    if (wanted >= 0 && (size_t)wanted >= room) {
        reserve(t, (size_t)wanted);
        vsnprintf(t->bytes + t->length, (size_t)wanted + 1, format, again);
    }
    if (wanted >= 0)
        t->length += (size_t)wanted;
    t->bytes[t->length] = '\0';
    va_end(again);
}

void text_append(struct text *t, const char *format, ...)
{
    /* The usual case. Formatting would take ten times as long. */
    if (!strchr(format, '%')) {
        text_append_bytes(t, format, strlen(format));
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    append_list(t, format, arguments);
    va_end(arguments);
}

void text_append_printable(struct text *t, const char *bytes, size_t length)
{
    size_t plain = 0; /* where the examined bytes begin that will be appended unchanged */
    for (size_t i = 0; i < length;) {
        unsigned char c = (unsigned char)bytes[i];
        size_t width = c < 0x80 ? 1 : utf8_length(bytes + i, length - i);
        bool is_c0 = (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
        unsigned char next = width == 2 ? (unsigned char)bytes[i + 1] : 0;
        /* U+0080 to U+009F */
        bool is_c1 = c == 0xc2 && width == 2 && next < 0xa0;
        if (width && !is_c0 && !is_c1) {
            i += width;
            continue;
        }
        text_append_bytes(t, bytes + plain, i - plain);
        if (is_c1)
            text_append(t, "\\u%04x", next);
        else
            text_append(t, "\\x%02x", c);
        i += width ? width : 1;
        plain = i;
    }
    text_append_bytes(t, bytes + plain, length - plain);
}

static bool is_control(char c)
{
    return (unsigned char)c < 0x20 || c == 0x7f;
}

void text_append_line(struct text *t, const char *bytes, size_t length)
{
    size_t plain = 0; /* where the examined bytes begin that will be appended unchanged */
    for (size_t i = 0; i < length; i++) {
        if (!is_control(bytes[i]))
            continue;
        text_append_bytes(t, bytes + plain, i - plain);
        plain = i + 1;
        if (bytes[i] == '\n' || bytes[i] == '\t' || bytes[i] == '\r')
            text_append(t, "\\%c", bytes[i] == '\n' ? 'n' : bytes[i] == '\t' ? 't' : 'r');
        else
            text_append(t, "\\x%02x", (unsigned char)bytes[i]);
    }
    text_append_bytes(t, bytes + plain, length - plain);
}

/* Appends the text with each control character in the format replaced by `mark`. */
__attribute__((format(printf, 2, 0))) static void append_marked(struct text *t, const char *format,
                                                                char mark, va_list arguments)
{
    char *marked = xstrdup(format);
    va_list again;
    for (char *c = marked; *c; c++)
        if (is_control(*c))
            *c = mark;
    va_copy(again, arguments);
    append_list(t, marked, again);
    va_end(again);
    free(marked);
}

/*
 * Formats the text twice, with two different characters in place of the control characters of the
 * format. The two results differ only at these characters, whatever the arguments contain. All
 * other control characters come from arguments.
 */
void text_append_list_safely(struct text *t, const char *format, va_list arguments)
{
    struct text a = {0}, b = {0};
    append_marked(&a, format, 1, arguments);
    append_marked(&b, format, 2, arguments);
    size_t done = 0;
    for (size_t i = 0; i < a.length; i++) {
        if (a.bytes[i] == b.bytes[i])
            continue;
        text_append_line(t, a.bytes + done, i - done);
        while (!is_control(*format))
            format++;
        text_append_bytes(t, format++, 1);
        done = i + 1;
    }
    text_append_line(t, a.bytes + done, a.length - done);
    text_free(&a);
    text_free(&b);
}

void text_fit_list(char *buffer, size_t size, const char *format, va_list arguments)
{
    static const char cut[] = "…";
    const int wanted = vsnprintf(buffer, size, format, arguments);
    if (wanted < 0 || (size_t)wanted < size)
        return;
    size_t end = size - sizeof cut;
    while (end > 0 && ((unsigned char)buffer[end] & 0xc0) == 0x80)
        end--; /* a character of several bytes is left out as a whole */
    memcpy(buffer + end, cut, sizeof cut);
}

void text_fit(char *buffer, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text_fit_list(buffer, size, format, arguments);
    va_end(arguments);
}

void text_append_safely(struct text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text_append_list_safely(t, format, arguments);
    va_end(arguments);
}

void print_safely(FILE *to, const char *format, ...)
{
    struct text t = {0};
    va_list arguments;
    va_start(arguments, format);
    text_append_list_safely(&t, format, arguments);
    va_end(arguments);
    fputs(text_shown(&t), to);
    text_free(&t);
}

void text_append_base64(struct text *t, const void *bytes, size_t length)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint8_t *at = bytes;
    text_append_bytes(t, "", 0);
    for (size_t i = 0; i < length; i += 3) {
        size_t have = length - i < 3 ? length - i : 3;
        uint32_t three = (uint32_t)at[i] << 16 | (have > 1 ? (uint32_t)at[i + 1] << 8 : 0) |
                         (have > 2 ? at[i + 2] : 0);
        char four[4] = {digits[three >> 18], digits[three >> 12 & 63], '=', '='};
        if (have > 1)
            four[2] = digits[three >> 6 & 63];
        if (have > 2)
            four[3] = digits[three & 63];
        text_append_bytes(t, four, sizeof four);
    }
}

void text_print_notes(const char *lines, FILE *to)
{
    while (*lines) {
        size_t length = strcspn(lines, "\n");
        char *line = xstrndup(lines, length);
        int indent = fprintf(to, "note: ");
        terminal_print_words(to, line, (size_t)indent);
        free(line);
        lines += length + (lines[length] == '\n');
    }
}

const char *text_shown(const struct text *t)
{
    return t->bytes ? t->bytes : "";
}

void text_append_wrapped(struct text *t, const char *words, size_t indent, size_t width)
{
    size_t column = indent;
    while (*words) {
        size_t length = strcspn(words, " ");
        if (column > indent && column + 1 + length > width) {
            text_append(t, "\n%*s", (int)indent, "");
            column = indent;
        }
        text_append(t, "%s%.*s", column > indent ? " " : "", (int)length, words);
        column += length + (column > indent);
        words += length;
        words += strspn(words, " ");
    }
}

void text_free(struct text *t)
{
    free(t->bytes);
    memset(t, 0, sizeof *t);
}

/*
 * Returns the Levenshtein distance of two words, or SIZE_MAX if one of them has more than LONGEST
 * bytes. Keeps only one row of the table of distances.
 */
static size_t edit_distance(const char *a, const char *b)
{
    enum { LONGEST = 127 };
    size_t la = strlen(a), lb = strlen(b);
    if (la > LONGEST || lb > LONGEST)
        return SIZE_MAX;
    size_t row[LONGEST + 1];
    for (size_t j = 0; j <= lb; j++)
        row[j] = j;
    for (size_t i = 1; i <= la; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            size_t above = row[j];
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            if (above + 1 < best)
                best = above + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            row[j] = best;
            diagonal = above;
        }
    }
    return row[lb];
}

const char *text_nearest(const char *word, const char *const *candidates, size_t count)
{
    size_t limit = strlen(word) / 3;
    if (limit < 2)
        limit = 2;
    const char *nearest = NULL;
    for (size_t i = 0; i < count; i++) {
        size_t distance = edit_distance(word, candidates[i]);
        if (distance <= limit) {
            nearest = candidates[i];
            if (distance == 0)
                break;
            limit = distance - 1;
        }
    }
    return nearest;
}

static bool same_word(const char *a, size_t a_length, const char *b, size_t b_length)
{
    a_length -= a_length > 1 && a[a_length - 1] == 's'; /* so that "sizes" matches "size" */
    b_length -= b_length > 1 && b[b_length - 1] == 's';
    return a_length == b_length && strncmp(a, b, a_length) == 0;
}

/*
 * Returns the first candidate whose first word is `word`, ignoring a plural s. Words end at `_`.
 * Dashes at the beginning of an option are skipped.
 */
static const char *find_by_word(const char *word, size_t length, const char *const *candidates,
                                size_t count)
{
    for (size_t i = 0; length > 1 && i < count; i++) {
        const char *c = candidates[i] + strspn(candidates[i], "-");
        if (same_word(word, length, c, strcspn(c, "_")))
            return candidates[i];
    }
    return NULL;
}

/*
 * Returns the candidate whose first word is one of `words`: blocks for block_sizes, sizes for
 * array_sizes.
 */
static const char *find_by_words(const char *words, const char *const *candidates, size_t count)
{
    const char *found = NULL;
    while (*words && !found) {
        size_t length = strcspn(words, "_");
        found = find_by_word(words, length, candidates, count);
        words += length + (words[length] == '_');
    }
    return found;
}

/*
 * Returns the first candidate that begins with `word` and ends with _median: of the columns that
 * summarize a quantity, the median is the usual one (time_us_median for time_us and for time).
 */
static const char *find_median(const char *word, const char *const *candidates, size_t count)
{
    static const char median[] = "_median";
    size_t length = strlen(word);
    for (size_t i = 0; i < count && length >= 3; i++) {
        size_t rest = strlen(candidates[i]);
        if (rest >= length + sizeof median - 1 && strncmp(candidates[i], word, length) == 0 &&
            strcmp(candidates[i] + rest - (sizeof median - 1), median) == 0)
            return candidates[i];
    }
    return NULL;
}

const char *text_suggestion(const char *word, const char *const *candidates, size_t count,
                            char buffer[SUGGESTION_SIZE])
{
    const char *words = word + strspn(word, "-");
    const char *nearest = find_median(word, candidates, count);
    if (!nearest)
        nearest = find_by_word(words, strlen(words), candidates, count);
    if (!nearest)
        nearest = text_nearest(word, candidates, count);
    if (!nearest)
        nearest = find_by_words(words, candidates, count);
    buffer[0] = '\0';
    if (nearest)
        snprintf(buffer, SUGGESTION_SIZE, "; did you mean '%.*s'?",
                 (int)utf8_cut(nearest, SUGGESTION_SIZE - 24), nearest);
    return buffer;
}

/*
 * A number with 15 digits always survives conversion to double and back, and a double always
 * survives conversion to 17 digits and back. So the shortest text has 15, 16 or 17 digits: the
 * first of these that is converted back to the same double. (Denormals would be an exception, but
 * do not occur here.) %g drops trailing zeros.
 */
void text_number(struct text *t, double value)
{
    if (isnan(value))
        return;
    char digits[40];
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value)
            break;
    }
    text_append(t, "%s", digits);
}

bool text_list_has(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, word, length) == 0 && (at[length] == '\0' || at[length] == ','))
            return true;
    return false;
}

bool text_glob_match(const char *pattern, const char *name)
{
    return fnmatch(pattern, name, 0) == 0;
}

bool text_is_glob(const char *pattern)
{
    return strpbrk(pattern, "*?[") != NULL;
}

uint64_t hash_bytes(uint64_t seed, const void *bytes, size_t length)
{
    const unsigned char *p = bytes;
    for (size_t i = 0; i < length; i++)
        seed = (seed ^ p[i]) * 0x100000001b3u;
    return seed;
}

uint64_t hash_text(uint64_t seed, const char *s)
{
    return hash_bytes(seed, s, strlen(s) + 1);
}

/* Returns whether the byte is an ASCII character that a JSON string may contain unescaped. */
static bool is_plain_json(unsigned char c)
{
    return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

void text_append_json(struct text *t, const char *s)
{
    text_append(t, "\"");
    for (size_t left = strlen(s), length; left > 0; s += length, left -= length) {
        for (length = 0; length < left && is_plain_json((unsigned char)s[length]);)
            length++;
        text_append_bytes(t, s, length);
        if (length)
            continue;
        size_t width = utf8_length(s, left);
        length = width ? width : 1;
        if (*s == '"' || *s == '\\')
            text_append(t, "\\%c", *s);
        else if (*s == '\n')
            text_append(t, "\\n");
        else if (*s == '\t')
            text_append(t, "\\t");
        else if ((unsigned char)*s < 0x20)
            text_append(t, "\\u%04x", (unsigned char)*s);
        else if (width)
            text_append_bytes(t, s, width);
        else
            text_append_bytes(t, "\xef\xbf\xbd", 3);
    }
    text_append(t, "\"");
}
