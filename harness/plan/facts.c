/*
 * Splitting the top of a kernel file into facts: see facts.h for the form of the lines.
 *
 * Nothing is guessed. A line that looks like a remark is refused rather than ignored, because an
 * ignored line may be a fact that somebody believes in.
 */
#include "plan/facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* How many bytes the UTF-8 sequence at `p` has; 0 when it is none (RFC 3629, table in §4). */
static size_t utf8_sequence(const unsigned char *p, size_t left)
{
    if (p[0] < 0x80)
        return 1;
    size_t length = p[0] >= 0xc2 && p[0] <= 0xdf   ? 2
                    : p[0] >= 0xe0 && p[0] <= 0xef ? 3
                    : p[0] >= 0xf0 && p[0] <= 0xf4 ? 4
                                                   : 0;
    if (length == 0 || length > left)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
    bool surrogate = p[0] == 0xed && p[1] > 0x9f;
    bool beyond = p[0] == 0xf4 && p[1] > 0x8f;
    return overlong || surrogate || beyond ? 0 : length;
}

/* The whole file must be text: a message about it, and the compiler, would garble it otherwise. */
static bool check_text(const char *path, const char *code, size_t length, struct error *e)
{
    int line = 1;
    for (size_t i = 0; i < length;) {
        unsigned char c = (unsigned char)code[i];
        size_t step = utf8_sequence((const unsigned char *)code + i, length - i);
        if (step == 0)
            return FAIL(e, ERROR_CONFIG,
                        "%s:%d: the byte 0x%02x is not UTF-8; save the file as UTF-8 text", path,
                        line, c);
        if ((c < 0x20 && c != '\n' && c != '\t' && c != '\r' && c != '\f') || c == 0x7f)
            return FAIL(e, ERROR_CONFIG,
                        "%s:%d: the control character 0x%02x does not belong into a source file; "
                        "remove it",
                        path, line, c);
        line += c == '\n';
        i += step;
    }
    return true;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f';
}

struct span {
    const char *begin, *end;
};

static struct span trim(struct span s)
{
    while (s.begin < s.end && is_space(s.begin[0]))
        s.begin++;
    while (s.begin < s.end && is_space(s.end[-1]))
        s.end--;
    return s;
}

static bool append_fact(struct fact_list *list, struct span key, struct span value, int line)
{
    struct fact *grown = realloc(list->facts, ((size_t)list->count + 1) * sizeof *grown);
    if (!grown)
        return false;
    list->facts = grown;
    struct fact *f = &grown[list->count];
    f->key = strndup(key.begin, (size_t)(key.end - key.begin));
    f->value = strndup(value.begin, (size_t)(value.end - value.begin));
    f->line = line;
    list->count++; /* also when a copy failed: facts_free() takes NULL */
    return f->key && f->value;
}

static bool continue_fact(struct fact *f, struct span more)
{
    struct text joined = {0};
    text_append(&joined, "%s%s%.*s", f->value, f->value[0] ? " " : "", (int)(more.end - more.begin),
                more.begin);
    if (joined.failed) {
        text_free(&joined);
        return false;
    }
    free(f->value);
    f->value = joined.bytes;
    return true;
}

static bool no_memory(const char *path, struct error *e)
{
    return FAIL(e, ERROR_MEMORY, "%s: no memory left to read the kernel's facts", path);
}

/* `line` is a line's text behind its //, up to the line's end. */
static bool take_line(const char *path, int number, struct span line, struct fact_list *list,
                      struct error *e)
{
    struct span text = trim(line);
    int length = (int)(text.end - text.begin);
    if (length == 0)
        return true;
    bool first_space = is_space(line.begin[0]);
    bool continues = line.begin[0] == '\t' || (first_space && is_space(line.begin[1]));
    if (continues) {
        if (list->count == 0)
            return FAIL(e, ERROR_CONFIG,
                        "%s:%d: this line continues a fact (two or more spaces after //), but no "
                        "fact stands above it",
                        path, number);
        return continue_fact(&list->facts[list->count - 1], text) || no_memory(path, e);
    }
    const char *colon = memchr(text.begin, ':', (size_t)length);
    if (!first_space || !colon || colon == text.begin)
        return FAIL(e, ERROR_CONFIG,
                    "%s:%d: \"//%.*s\" is not a fact. A fact is written \"// key: value\", with "
                    "one space after //; remarks belong into /* … */ below the facts",
                    path, number, (int)(line.end - line.begin > 80 ? 80 : line.end - line.begin),
                    line.begin);
    struct span key = trim((struct span){text.begin, colon});
    struct span value = trim((struct span){colon + 1, text.end});
    return append_fact(list, key, value, number) || no_memory(path, e);
}

static bool split_lines(const char *path, const char *code, size_t length, struct fact_list *list,
                        struct error *e)
{
    const char *p = code, *end = code + length;
    for (int number = 1; p < end; number++) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        struct span line = {p, newline ? newline : end};
        struct span text = trim(line);
        bool comment = line.end - line.begin >= 2 && line.begin[0] == '/' && line.begin[1] == '/';
        if (text.begin < text.end && !comment)
            break;
        if (comment && !take_line(path, number, (struct span){p + 2, line.end}, list, e))
            return false;
        p = newline ? newline + 1 : end;
    }
    list->code_begins = (size_t)(p - code);
    return true;
}

bool facts_split(const char *path, const char *code, size_t length, struct fact_list *out,
                 struct error *e)
{
    memset(out, 0, sizeof *out);
    if (!check_text(path, code, length, e))
        return false;
    if (!split_lines(path, code, length, out, e)) {
        facts_free(out);
        return false;
    }
    for (int i = 0; i < out->count; i++)
        if (out->facts[i].value[0] == '\0') {
            FAIL(e, ERROR_CONFIG, "%s:%d: %s: the value is missing", path, out->facts[i].line,
                 out->facts[i].key);
            facts_free(out);
            return false;
        }
    return true;
}

void facts_free(struct fact_list *list)
{
    for (int i = 0; i < list->count; i++) {
        free(list->facts[i].key);
        free(list->facts[i].value);
    }
    free(list->facts);
    memset(list, 0, sizeof *list);
}
