/*
 * Splits the top of a kernel's file into facts. facts.h describes the form of the lines.
 *
 * A comment line that is not a fact is an error even if it looks like a remark, because its author
 * may have meant it as a fact.
 */
#include "spec/facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

/* Checks that the whole file is UTF-8 text without control characters. These would garble all
 * messages that quote the file, including the compiler's. */
static bool check_text(const char *path, const char *code, size_t length, struct error *e)
{
    size_t valid = utf8_invalid_at(code, length);
    int line = 1;
    for (size_t i = 0; i < valid; i++) {
        unsigned char c = (unsigned char)code[i];
        if ((c < 0x20 && c != '\n' && c != '\t' && c != '\r' && c != '\f') || c == 0x7f)
            return FAIL(e, ERROR_CONFIG,
                        "%s:%d: the control character 0x%02x is not allowed in a source file; "
                        "remove it",
                        path, line, c);
        line += c == '\n';
    }
    return valid == length ||
           FAIL(e, ERROR_CONFIG, "%s:%d: the byte 0x%02x is not UTF-8; save the file as UTF-8 text",
                path, line, (unsigned char)code[valid]);
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

static void append_fact(struct fact_list *list, struct span key, struct span value, int line)
{
    vec_push(&list->facts,
             (struct fact){xstrndup(key.begin, (size_t)(key.end - key.begin)),
                           xstrndup(value.begin, (size_t)(value.end - value.begin)), line});
}

static void continue_fact(struct fact *f, struct span more)
{
    char *joined = xasprintf("%s%s%.*s", f->value, f->value[0] ? " " : "",
                             (int)(more.end - more.begin), more.begin);
    free(f->value);
    f->value = joined;
}

/* Handles one line. `line` is the text after //, up to the end of the line. */
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
        if (list->facts.count == 0)
            return FAIL(e, ERROR_CONFIG,
                        "%s:%d: this line has two or more spaces after // and so continues a fact, "
                        "but no fact precedes it; write one space, or move the line below a fact",
                        path, number);
        continue_fact(&list->facts.items[list->facts.count - 1], text);
        return true;
    }
    const char *colon = memchr(text.begin, ':', (size_t)length);
    if (!first_space || !colon || colon == text.begin)
        return FAIL(e, ERROR_CONFIG,
                    "%s:%d: \"//%.*s\" is not a fact; write \"// key: value\" with one space after "
                    "//, or move a remark into /* … */ below the facts",
                    path, number, (int)(line.end - line.begin > 80 ? 80 : line.end - line.begin),
                    line.begin);
    struct span key = trim((struct span){text.begin, colon});
    struct span value = trim((struct span){colon + 1, text.end});
    append_fact(list, key, value, number);
    return true;
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
    bool ok = check_text(path, code, length, e) && split_lines(path, code, length, out, e);
    for (size_t i = 0; ok && i < out->facts.count; i++) {
        const struct fact *f = &out->facts.items[i];
        ok = f->value[0] ||
             FAIL(e, ERROR_CONFIG, "%s:%d: the fact \"%s\" has no value; write one after the colon",
                  path, f->line, f->key);
    }
    if (!ok)
        facts_free(out);
    return ok;
}

void facts_free(struct fact_list *list)
{
    for (size_t i = 0; i < list->facts.count; i++) {
        free(list->facts.items[i].key);
        free(list->facts.items[i].value);
    }
    vec_free(&list->facts);
}
