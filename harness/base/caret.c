/* Implements caret.h. */
#include "base/caret.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { SHOWN_BYTES = 100 }; /* bytes of a long line shown around the caret */

static bool continues_character(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

bool caret_set(struct error *e, enum error_kind kind, const char *file, int line,
               const char *source, size_t at, const char *format, ...)
{
    struct text message = {0}, shown = {0}, caret = {0};
    va_list arguments;
    va_start(arguments, format);
    text_append_list_safely(&message, format, arguments);
    va_end(arguments);
    size_t first = at, end = at;
    while (first > 0 && source[first - 1] != '\n')
        first--;
    while (source[end] != '\0' && source[end] != '\n')
        end++;
    size_t from = at - first > SHOWN_BYTES / 2 ? at - SHOWN_BYTES / 2 : first;
    size_t to = end - from > SHOWN_BYTES ? from + SHOWN_BYTES : end;
    while (from > first && continues_character(source[from]))
        from--;
    while (to < end && continues_character(source[to]))
        to++;
    text_append(&shown, "%s", from > first ? "…" : "");
    text_append(&caret, "%s", from > first ? " " : "");
    for (size_t i = from; i < to; i++) {
        char c = source[i];
        text_append(&shown, "%c", iscntrl((unsigned char)c) ? ' ' : c);
        if (i < at && !continues_character(c))
            text_append(&caret, " ");
    }
    text_append(&shown, "%s", to < end ? "…" : "");
    error_set_lines(e, kind, file, line, "%s\n    %s\n    %s^", message.bytes, shown.bytes,
                    caret.bytes);
    text_free(&message);
    text_free(&shown);
    text_free(&caret);
    return false;
}

void caret_position(const char *source, size_t at, size_t *line, size_t *column)
{
    *line = *column = 1;
    for (size_t i = 0; i < at; i++) {
        if (source[i] == '\n') {
            ++*line;
            *column = 1;
        } else if (!continues_character(source[i])) {
            ++*column;
        }
    }
}
