/*
 * Expected texts: what each reader, expression and command says, kept as data in the .txt files of this folder. A case
 * is lines that begin with "< ", the input, and after them lines that begin with "> ", the whole answer;
 * other lines are remarks and headings.
 *
 *   build/tests/texts/test_texts              compares what is said to mistakes
 *   build/tests/texts/test_outputs            compares what commands print of runs (outputs.txt)
 *   build/tests/texts/test_choices            compares which configurations a library gets (choices.txt)
 *   UPDATE=1 build/tests/texts/test_…         writes the answers of today; git shows what changed
 *
 * In an input ⟨c0 af⟩ stands for these bytes, and ⟨70 × [⟩ for a text that is repeated. The head of each
 * file says what its inputs are.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "answers.h"
#include "base/file.h"

#define MOST_BYTES (16u << 20)

struct line {
    const char *bytes;
    size_t length; /* without its end */
};

/* Takes the next line of a text, and moves on to the one after it. */
static bool next_line(const char **at, struct line *line)
{
    if (!**at)
        return false;
    *line = (struct line){*at, strcspn(*at, "\n")};
    *at += line->length + ((*at)[line->length] == '\n');
    return true;
}

/* The words of a line with this mark; false: it is another line. */
static bool marked(const struct line *line, char mark, struct line *words)
{
    if (line->length == 0 || line->bytes[0] != mark)
        return false;
    size_t skipped = line->length > 1 ? 2 : 1;
    if (line->length > 1 && line->bytes[1] != ' ')
        return false;
    *words = (struct line){line->bytes + skipped, line->length - skipped};
    return true;
}

static const char open_mark[] = "⟨", close_mark[] = "⟩", times_mark[] = " × ";

/* What stands between the marks: bytes in hexadecimal, or a number and a text to be repeated. */
static void append_marked(const char *inside, size_t length, struct text *input)
{
    char copy[256];
    assert_true(length < sizeof copy);
    memcpy(copy, inside, length);
    copy[length] = '\0';
    char *times = strstr(copy, times_mark), *end;
    if (times) {
        long count = strtol(copy, &end, 10);
        assert_ptr_equal(end, times);
        for (long i = 0; i < count; i++)
            text_append(input, "%s", times + strlen(times_mark));
        return;
    }
    for (char *at = copy; *at; at = *end ? end + 1 : end) {
        char byte = (char)strtol(at, &end, 16);
        assert_true(end == at + 2 && (*end == ' ' || *end == '\0'));
        text_append_bytes(input, &byte, 1);
    }
}

static void append_input(const struct line *words, struct text *input)
{
    const char *at = words->bytes, *end = at + words->length;
    while (at < end) {
        const char *mark = strstr(at, open_mark);
        if (!mark || mark >= end)
            mark = end;
        text_append_bytes(input, at, (size_t)(mark - at));
        if (mark == end)
            return;
        const char *inside = mark + strlen(open_mark), *close = strstr(inside, close_mark);
        assert_true(close && close < end);
        append_marked(inside, (size_t)(close - inside), input);
        at = close + strlen(close_mark);
    }
}

/* An answer as lines of a file; one that ends in the middle of a line is a line, too. */
static void append_answer(const struct text *answer, struct text *lines)
{
    const char *at = text_shown(answer);
    for (struct line line; next_line(&at, &line);) {
        text_append(lines, "%s", line.length ? "> " : ">");
        bool blank = line.length && line.bytes[line.length - 1] == ' ';
        text_append_printable(lines, line.bytes, line.length - blank);
        text_append(lines, "%s\n", blank ? "⟨20⟩" : "");
    }
}

/* Reads the input at `*at` and the answer below it. */
static void read_case(const char **at, struct text *input, struct text *shown,
                      struct text *expected)
{
    struct line line, words;
    const char *next = *at;
    for (bool first = true; next_line(&next, &line) && marked(&line, '<', &words); *at = next) {
        text_append(input, "%s", first ? "" : "\n");
        append_input(&words, input);
        text_append_bytes(shown, line.bytes, line.length);
        text_append(shown, "\n");
        first = false;
    }
    for (next = *at; next_line(&next, &line) && marked(&line, '>', &words); *at = next) {
        text_append_bytes(expected, line.bytes, line.length);
        text_append(expected, "\n");
    }
}

/* Compares all cases of a file, or writes it anew; returns the number of those that differ. */
static int compare_file(const char *path, give_answer *give, bool update)
{
    struct error e = {0};
    char *bytes;
    if (!file_read(path, MOST_BYTES, &bytes, NULL, &e))
        fail_msg("%s", e.text);
    struct text rewritten = {0};
    int cases = 0, differ = 0;
    const char *at = bytes;
    while (*at) {
        struct line line, words;
        const char *next = at;
        next_line(&next, &line);
        if (!marked(&line, '<', &words)) {
            if (marked(&line, '>', &words))
                fail_msg("%s: an answer without an input: %.*s", path, (int)line.length,
                         line.bytes);
            text_append_bytes(&rewritten, line.bytes, line.length);
            text_append(&rewritten, "\n");
            at = next;
            continue;
        }
        struct text input = {0}, shown = {0}, expected = {0}, answer = {0}, said = {0};
        read_case(&at, &input, &shown, &expected);
        give(text_shown(&input), input.length, &answer);
        append_answer(&answer, &said);
        cases++;
        if (strcmp(text_shown(&said), text_shown(&expected)) != 0) {
            differ++;
            if (!update)
                printf("%s:\n%sexpected\n%sbut the answer is\n%s\n", path, text_shown(&shown),
                       text_shown(&expected), text_shown(&said));
        }
        text_append(&rewritten, "%s%s", text_shown(&shown), text_shown(&said));
        text_free(&input), text_free(&shown), text_free(&expected);
        text_free(&answer), text_free(&said);
    }
    assert_true(cases > 0);
    if (update && differ > 0) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        assert_int_equal(fwrite(rewritten.bytes, 1, rewritten.length, file), rewritten.length);
        assert_int_equal(fclose(file), 0);
        printf("%s: %d of %d answers written anew\n", path, differ, cases);
        differ = 0;
    }
    text_free(&rewritten);
    free(bytes);
    return differ;
}

void text_append_renamed(struct text *to, const char *said, const char *folder, const char *name)
{
    for (const char *at; (at = strstr(said, folder)) != NULL; said = at + strlen(folder)) {
        text_append_bytes(to, said, (size_t)(at - said));
        text_append(to, "%s", name);
    }
    text_append(to, "%s", said);
}

static const char *this_program;

static void answers_are_as_expected(void **state)
{
    const struct answers *kind = *state;
    char path[128];
    snprintf(path, sizeof path, "tests/texts/%s.txt", kind->file);
    const char *wish = getenv("UPDATE");
    int differ = compare_file(path, kind->give, wish && strcmp(wish, "1") == 0);
    if (differ > 0)
        fail_msg("%d answers of %s differ; if they are meant to, run UPDATE=1 "
                 "build/tests/texts/%s and look at git diff",
                 differ, path, this_program);
}

int texts_compare(const char *program, enum answers_part part)
{
    struct CMUnitTest tests[ANSWERS_MOST];
    size_t count = 0;
    this_program = program;
    for (const struct answers *kind = answers; kind->file; kind++)
        if (kind->part == part)
            tests[count++] = (struct CMUnitTest){.name = kind->file,
                                                 .test_func = answers_are_as_expected,
                                                 .initial_state = (void *)(uintptr_t)kind};
    return _cmocka_run_group_tests("texts", tests, count, NULL, NULL);
}
