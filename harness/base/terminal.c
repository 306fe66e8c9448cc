/* Replaces stdout and stderr with streams that escape control characters. */
#include "base/terminal.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"
#include "base/transfer.h"
#include "base/utf8.h"

enum { CHARACTER_MOST_BYTES = 4 };

struct filter {
    int file;
    char begun[CHARACTER_MOST_BYTES]; /* the bytes of a character that is not complete yet */
    size_t begun_count;
};

/* Returns whether these bytes can be the beginning, but not all, of a UTF-8 character. */
static bool can_begin(const char *bytes, size_t count)
{
    unsigned char first = (unsigned char)bytes[0];
    size_t length = first >= 0xf0 && first < 0xf5   ? 4
                    : first >= 0xe0 && first < 0xf0 ? 3
                    : first >= 0xc2 && first < 0xe0 ? 2
                                                    : 1;
    for (size_t i = 1; i < count; i++)
        if (((unsigned char)bytes[i] & 0xc0) != 0x80)
            return false;
    return count < length;
}

static ssize_t write_filtered(void *cookie, const char *bytes, size_t length)
{
    struct filter *f = cookie;
    struct text in = {0}, out = {0};
    text_append_bytes(&in, f->begun, f->begun_count);
    text_append_bytes(&in, bytes, length);
    size_t whole = in.length;
    for (size_t back = 1; back < CHARACTER_MOST_BYTES && back <= in.length; back++)
        if (can_begin(in.bytes + in.length - back, back))
            whole = in.length - back;
    text_append_printable(&out, in.bytes, whole);
    f->begun_count = in.length - whole;
    memcpy(f->begun, in.bytes + whole, f->begun_count);
    bool ok = !out.length || write_exactly(f->file, out.bytes, out.length, NO_DEADLINE);
    int why = errno;
    text_free(&in);
    text_free(&out);
    errno = why;
    return ok ? (ssize_t)length : 0; /* 0 means failure (fopencookie(3)) */
}

static FILE *protect(struct filter *filter, int file, int buffering)
{
    filter->file = file;
    FILE *stream = fopencookie(filter, "w", (cookie_io_functions_t){.write = write_filtered});
    if (stream)
        (void)setvbuf(stream, NULL, buffering, BUFSIZ);
    return stream;
}

bool terminal_protect(void)
{
    static struct filter filters[2];
    bool interactive = isatty(STDOUT_FILENO) == 1;
    FILE *out = protect(&filters[0], STDOUT_FILENO, interactive ? _IOLBF : _IOFBF);
    FILE *err = protect(&filters[1], STDERR_FILENO, _IOLBF);
    if (!out || !err)
        return false;
    stdout = out;
    stderr = err;
    return true;
}

size_t terminal_width(FILE *stream)
{
    int file = stream == stdout ? STDOUT_FILENO : stream == stderr ? STDERR_FILENO : -1;
    struct winsize size;
    return file >= 0 && isatty(file) && ioctl(file, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void terminal_print_words(FILE *stream, const char *words, size_t indent)
{
    size_t width = terminal_width(stream);
    struct text safe = {0}, wrapped = {0};
    text_append_safely(&safe, "%s", words);
    text_append_wrapped(&wrapped, text_shown(&safe), indent, width ? width : SIZE_MAX);
    fprintf(stream, "%s\n", text_shown(&wrapped));
    text_free(&safe);
    text_free(&wrapped);
}

/*
 * Returns where the last column of an indented line begins. Columns are separated by two or more
 * spaces.
 */
static size_t last_column(const char *line)
{
    size_t at = strspn(line, " ");
    for (const char *gap = line + at; (gap = strstr(gap, "  "));) {
        gap += strspn(gap, " ");
        at = *gap ? (size_t)(gap - line) : at;
    }
    return at;
}

static void fill(char *text, size_t width, struct text *out)
{
    struct text paragraph = {0};
    for (char *line; (line = strsep(&text, "\n"));) {
        bool joins = *line && *line != ' ';
        if (!joins && paragraph.length) {
            text_append_wrapped(out, paragraph.bytes, 0, width);
            text_append(out, "\n");
            paragraph.length = 0;
        }
        if (joins)
            text_append(&paragraph, "%s%s", paragraph.length ? " " : "", line);
        else if (strlen(line) > width) {
            size_t indent = last_column(line);
            text_append(out, "%.*s", (int)indent, line);
            text_append_wrapped(out, line + indent, indent, width);
            text_append(out, "\n");
        } else if (*line || text)
            text_append(out, "%s\n", line);
    }
    if (paragraph.length)
        text_append_wrapped(out, paragraph.bytes, 0, width);
    text_free(&paragraph);
}

void terminal_print_filled(void (*print)(void))
{
    size_t width = terminal_width(stdout), size = 0;
    char *text = NULL;
    FILE *terminal = stdout, *memory = width ? open_memstream(&text, &size) : NULL;
    if (memory)
        stdout = memory;
    print();
    stdout = terminal;
    if (!memory)
        return;
    struct text filled = {0};
    if (fclose(memory) == 0)
        fill(text, width, &filled);
    fputs(text_shown(&filled), stdout);
    text_free(&filled);
    free(text);
}
