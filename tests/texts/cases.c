#include "cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Returns whether a line begins with this mark, followed by a blank or nothing. */
static bool marked(const char *line, char mark)
{
    return line[0] == mark && (line[1] == ' ' || line[1] == '\n' || line[1] == '\0');
}

/* Appends the line at `*at` with a line end, and moves `*at` to the next line. */
static void take_line(const char **at, struct text *to)
{
    size_t length = strcspn(*at, "\n");
    text_append_bytes(to, *at, length);
    text_append(to, "\n");
    *at += length + ((*at)[length] == '\n');
}

bool cases_next(const char *path, const char **at, struct text *shown, struct text *expected)
{
    if (marked(*at, '>'))
        fail_msg("%s: an answer without an input: %.*s", path, (int)strcspn(*at, "\n"), *at);
    if (!marked(*at, '<')) {
        take_line(at, shown);
        return false;
    }
    while (marked(*at, '<'))
        take_line(at, shown);
    while (marked(*at, '>'))
        take_line(at, expected);
    return true;
}

/* Returns whether a line shows progress (see run/progress.c). A command prints such lines only
 * if it takes longer than 2 s. */
static bool is_progress(const char *line, size_t length)
{
    char copy[256];
    unsigned long long done, total;
    int end = 0;
    snprintf(copy, sizeof copy, "%.*s", (int)length, line);
    return sscanf(copy, "%*[a-z] %llu/%llu  %*f/s%n", &done, &total, &end) == 2 && end > 0;
}

void cases_append_answer(const char *answer, struct text *lines)
{
    for (const char *at = answer, *next; *at; at = next) {
        size_t length = strcspn(at, "\n");
        next = at + length + (at[length] == '\n');
        if (is_progress(at, length))
            continue;
        bool blank = length && at[length - 1] == ' ';
        text_append(lines, "%s", length ? "> " : ">");
        text_append_printable(lines, at, length - blank);
        text_append(lines, "%s\n", blank ? "⟨20⟩" : "");
    }
}

bool cases_are_updated(void)
{
    const char *wish = getenv("UPDATE");
    return wish && strcmp(wish, "1") == 0;
}

void cases_write(const char *path, const struct text *rewritten)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(rewritten->bytes, 1, rewritten->length, file), rewritten->length);
    assert_int_equal(fclose(file), 0);
}

void text_append_renamed(struct text *to, const char *said, const char *folder, const char *name)
{
    for (const char *at; (at = strstr(said, folder)) != NULL; said = at + strlen(folder)) {
        text_append_bytes(to, said, (size_t)(at - said));
        text_append(to, "%s", name);
    }
    text_append(to, "%s", said);
}
