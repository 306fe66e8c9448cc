/*
 * Texts that a test in C provokes, compared with those in the .txt file beside its source: test_lock.c has
 * test_lock.txt.
 *
 *   build/tests/record/test_lock             compares
 *   UPDATE=1 build/tests/record/test_lock    writes the current answers; git shows the changes
 *
 * The lines "< NAME" and "> ANSWER" of such a file are a case, as in the files of this folder. An answer of the file that
 * the test never asks for makes the program fail, and UPDATE=1 removes it.
 */
#ifndef REDSWEEP_TESTS_TEXTS_EXPECTED_H
#define REDSWEEP_TESTS_TEXTS_EXPECTED_H

/* Fails unless `answer` is the one of this name. A name may be used several times with the same answer. */
#define texts_expect(name, answer)                                                                 \
    texts_expect_at(__BASE_FILE__, __FILE__, __LINE__, (name), (answer))
void texts_expect_at(const char *program, const char *file, int line, const char *name,
                     const char *answer);

/* Compares only the part of an answer before `end`, or only its first line: the rest is another program's output,
 * such as a compiler's, or depends on the machine. */
#define texts_expect_until(end, name, answer)                                                      \
    texts_expect_until_at(__BASE_FILE__, __FILE__, __LINE__, (end), (name), (answer))
#define texts_expect_line(name, answer) texts_expect_until("\n", name, answer)
void texts_expect_until_at(const char *program, const char *file, int line, const char *end,
                           const char *name, const char *answer);

/* From now on every answer has `name` instead of `said`, such as "$work" for a scratch folder. */
void texts_rename(const char *said, const char *name);

/* For a test that cannot ask all its questions on this machine: the other answers stay unchanged. */
void texts_leave_others(void);

#endif
