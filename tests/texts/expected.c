#include "expected.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "cases.h"

enum { MOST_ANSWERS = 1000, MOST_NAMES = 8 };

struct expected_answer {
    struct text remarks;      /* lines above the case */
    struct text name, answer; /* name and answer as in the file */
    bool is_asked;
};

static struct {
    char *path; /* path of the file; NULL before the first question */
    pid_t owner;
    struct expected_answer answers[MOST_ANSWERS];
    size_t count, next;  /* where a new answer goes */
    struct text remarks; /* lines below the last case */
    bool changed, leaves_others;
    struct {
        char *said, *name;
    } names[MOST_NAMES];
    size_t name_count;
} state;

/* where the program started, because tests may change the folder */
static char started_in[4096];

__attribute__((constructor)) static void remember_folder(void)
{
    if (!getcwd(started_in, sizeof started_in))
        started_in[0] = '\0';
}

void texts_rename(const char *said, const char *name)
{
    size_t i = 0;
    while (i < state.name_count && strcmp(state.names[i].name, name) != 0)
        i++;
    assert_true(i < MOST_NAMES);
    if (i == state.name_count)
        state.names[state.name_count++].name = strdup(name);
    free(state.names[i].said);
    state.names[i].said = strdup(said);
}

void texts_leave_others(void)
{
    state.leaves_others = true;
}

static void write_anew(void)
{
    struct text rewritten = {0};
    for (size_t i = 0; i < state.count; i++) {
        const struct expected_answer *a = &state.answers[i];
        bool stays = a->is_asked || state.leaves_others;
        if (stays || strcmp(text_shown(&a->remarks), "\n") != 0)
            text_append(&rewritten, "%s", text_shown(&a->remarks));
        if (stays)
            text_append(&rewritten, "%s%s", text_shown(&a->name), text_shown(&a->answer));
        else
            state.changed = true;
    }
    text_append(&rewritten, "%s", text_shown(&state.remarks));
    if (state.changed) {
        cases_write(state.path, &rewritten);
        printf("%s: written anew\n", state.path);
    }
    text_free(&rewritten);
}

/* Runs at exit. A failed test may have ended before it used all of its answers, so unused ones
 * are not reported in that case. */
static void finish(int status, void *unused)
{
    (void)unused;
    size_t unasked = 0;
    if (getpid() != state.owner)
        return;
    state.leaves_others = state.leaves_others || status != 0;
    if (cases_are_updated()) {
        write_anew();
        return;
    }
    for (size_t i = 0; i < state.count && !state.leaves_others; i++)
        if (!state.answers[i].is_asked && ++unasked)
            fprintf(stderr, "%s: no test has asked for the answer of\n%s", state.path,
                    text_shown(&state.answers[i].name));
    if (unasked) {
        fflush(NULL);
        _exit(1);
    }
}

/* Reads a program's .txt file. If there is none, UPDATE=1 creates it. */
static void open_file(const char *program)
{
    struct text path = {0};
    text_append(&path, "%s/%.*stxt", program[0] == '/' ? "" : started_in,
                (int)(strlen(program) - 1), program);
    state.path = path.bytes;
    state.owner = getpid();
    assert_int_equal(on_exit(finish, NULL), 0);
    if (access(state.path, F_OK) != 0) {
        const char *slash = strrchr(program, '/');
        text_append(&state.remarks, "# What %s expects: see tests/texts/expected.h.\n",
                    slash ? slash + 1 : program);
        return;
    }
    struct error e = {0};
    char *bytes;
    if (!file_read(state.path, CASES_MOST_BYTES, &bytes, NULL, &e))
        fail_msg("%s", e.text);
    for (const char *at = bytes; *at;) {
        struct text shown = {0}, answer = {0};
        if (!cases_next(state.path, &at, &shown, &answer)) {
            text_append(&state.remarks, "%s", shown.bytes);
            text_free(&shown);
            continue;
        }
        assert_true(state.count < MOST_ANSWERS);
        state.answers[state.count++] =
            (struct expected_answer){state.remarks, shown, answer, false};
        state.remarks = (struct text){0};
    }
    free(bytes);
}

static struct expected_answer *find(const char *name)
{
    for (size_t i = 0; i < state.count; i++)
        if (strcmp(state.answers[i].name.bytes, name) == 0)
            return &state.answers[i];
    return NULL;
}

/* Inserts a new answer after the one that the test used last. */
static struct expected_answer *insert(const char *name)
{
    assert_true(state.count < MOST_ANSWERS);
    struct expected_answer *a = &state.answers[state.next];
    memmove(a + 1, a, (state.count - state.next) * sizeof *a);
    *a = (struct expected_answer){0};
    if (state.next == state.count++) {
        a->remarks = state.remarks;
        state.remarks = (struct text){0};
    }
    text_append(&a->remarks, "\n");
    text_append(&a->name, "%s", name);
    return a;
}

static void append_name(const char *name, struct text *lines)
{
    for (const char *at = name; at == name || at[-1] == '\n'; at += strcspn(at, "\n") + 1) {
        text_append(lines, "< ");
        text_append_printable(lines, at, strcspn(at, "\n"));
        text_append(lines, "\n");
        if (!at[strcspn(at, "\n")])
            return;
    }
}

static void append_renamed_answer(const char *answer, struct text *lines)
{
    struct text said = {0};
    text_append(&said, "%s", answer);
    for (size_t i = 0; i < state.name_count; i++) {
        struct text renamed = {0};
        text_append_renamed(&renamed, text_shown(&said), state.names[i].said, state.names[i].name);
        text_free(&said);
        said = renamed;
    }
    cases_append_answer(text_shown(&said), lines);
    text_free(&said);
}

void texts_expect_at(const char *program, const char *file, int line, const char *name,
                     const char *answer)
{
    struct text asked = {0}, said = {0};
    if (!state.path)
        open_file(program);
    append_name(name, &asked);
    append_renamed_answer(answer, &said);
    struct expected_answer *a = find(asked.bytes);
    bool is_same = a && strcmp(text_shown(&a->answer), text_shown(&said)) == 0;
    if (!is_same && cases_are_updated() && !(a && a->is_asked)) {
        a = a ? a : insert(asked.bytes);
        text_free(&a->answer);
        text_append(&a->answer, "%s", text_shown(&said));
        is_same = state.changed = true;
    }
    if (!is_same) {
        print_error("%s:\n%sexpected\n%sbut the answer is\n%s%s\n", state.path, asked.bytes,
                    a ? text_shown(&a->answer) : "nothing, as there is no such case\n",
                    text_shown(&said),
                    a && a->is_asked ? "" : "If it is meant to, run the test with UPDATE=1.");
        _fail(file, line);
    }
    a->is_asked = true;
    state.next = (size_t)(a - state.answers) + 1;
    text_free(&asked);
    text_free(&said);
}

void texts_expect_until_at(const char *program, const char *file, int line, const char *end,
                           const char *name, const char *answer)
{
    struct text before = {0};
    const char *at = strstr(answer, end);
    text_append_bytes(&before, answer, at ? (size_t)(at - answer) : strlen(answer));
    texts_expect_at(program, file, line, name, text_shown(&before));
    text_free(&before);
}
