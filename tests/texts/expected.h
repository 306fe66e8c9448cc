/*
 * Texts that a test in C provokes, compared with those in the .txt file beside its source: test_lock.c has
 * test_lock.txt.
 *
 *   build/tests/record/test_lock             compares
 *   UPDATE=1 build/tests/record/test_lock    writes the answers of today; git shows what changed
 *
 * The lines "< NAME" and "> ANSWER" of such a file are a case, as in the files of this folder. An answer of the file that
 * the test never asks for makes the program fail, and UPDATE=1 removes it.
 */
#ifndef REDSWEEP_TESTS_TEXTS_EXPECTED_H
#define REDSWEEP_TESTS_TEXTS_EXPECTED_H

/* Fails unless `answer` is the one of this name. A name may be asked for several times, for equal answers. */
#define texts_expect(name, answer)                                                                 \
    texts_expect_at(__BASE_FILE__, __FILE__, __LINE__, (name), (answer))
void texts_expect_at(const char *program, const char *file, int line, const char *name,
                     const char *answer);

/* The same for what stands before `end` in an answer, and for its first line: what follows is another program's, such as a
 * compiler's, or depends on the machine. */
#define texts_expect_until(end, name, answer)                                                      \
    texts_expect_until_at(__BASE_FILE__, __FILE__, __LINE__, (end), (name), (answer))
#define texts_expect_line(name, answer) texts_expect_until("\n", name, answer)
void texts_expect_until_at(const char *program, const char *file, int line, const char *end,
                           const char *name, const char *answer);

/* From now on every answer has `name` in the place of `said`: "$work" for a scratch folder. */
void texts_rename(const char *said, const char *name);

/* For a test that cannot ask for all its answers on this machine: those that are not asked for stay as they are. */
void texts_leave_others(void);

#endif
