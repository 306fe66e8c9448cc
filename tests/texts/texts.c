/*
 * Compares the messages of readers, expressions and commands with expected texts, which are stored
 * in the .txt files of this folder (cases.h describes their form). Messages that only a test in C
 * can cause are stored beside that test (see expected.h).
 *
 *   build/tests/texts/test_texts              compares the messages about mistakes
 *   build/tests/texts/test_outputs            compares the output of commands about runs (outputs.txt)
 *   build/tests/texts/test_choices            compares the configurations of a library (choices.txt)
 *   build/tests/texts/test_simulator          compares the simulator's messages about PTX (simulator.txt)
 *   UPDATE=1 build/tests/texts/test_…         writes the current answers, and git shows the changes
 *
 * In an input, ⟨c0 af⟩ stands for the two bytes c0 and af, and ⟨70 × [⟩ stands for 70 times "[".
 * The first lines of each file describe its inputs.
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
#include "cases.h"

static const char open_mark[] = "⟨", close_mark[] = "⟩", times_mark[] = " × ";

/* Appends the bytes that the text between two marks stands for: bytes in hexadecimal, or a count
 * and the text to repeat. */
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

static void append_input(const char *at, const char *end, struct text *input)
{
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

/* Decodes the input in a case's lines. */
static void append_inputs(const char *lines, struct text *input)
{
    for (const char *at = lines, *end; *at; at = end + 1) {
        end = strchr(at, '\n');
        text_append(input, "%s", at == lines ? "" : "\n");
        append_input(end - at > 1 ? at + strlen("< ") : end, end, input);
    }
}

/* Compares each case's current answer with the expected one or, if `update`, writes the current
 * answers to the file. Returns how many cases differ. */
static int compare_file(const char *path, give_answer *give, bool update)
{
    struct error e = {0};
    char *bytes;
    if (!file_read(path, CASES_MOST_BYTES, &bytes, NULL, &e))
        fail_msg("%s", e.text);
    struct text rewritten = {0};
    int cases = 0, differ = 0;
    const char *at = bytes;
    while (*at) {
        struct text input = {0}, shown = {0}, expected = {0}, answer = {0}, said = {0};
        if (!cases_next(path, &at, &shown, &expected)) {
            text_append_bytes(&rewritten, shown.bytes, shown.length);
            text_free(&shown);
            continue;
        }
        append_inputs(shown.bytes, &input);
        give(text_shown(&input), input.length, &answer);
        cases_append_answer(text_shown(&answer), &said);
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
        cases_write(path, &rewritten);
        printf("%s: %d of %d answers written anew\n", path, differ, cases);
        differ = 0;
    }
    text_free(&rewritten);
    free(bytes);
    return differ;
}

static const char *this_program;

static void answers_are_as_expected(void **state)
{
    const struct answers *kind = *state;
    char path[128];
    snprintf(path, sizeof path, "tests/texts/%s.txt", kind->file);
    int differ = compare_file(path, kind->give, cases_are_updated());
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
