/*
 * Lets a C test compare the texts that it gets, such as messages, with the expected ones in the
 * .txt file next to its source. For example, test_lock.c has test_lock.txt.
 *
 *   build/tests/record/test_lock             compares
 *   UPDATE=1 build/tests/record/test_lock    writes the current answers, and git shows the changes
 *
 * In such a file, the lines "< NAME" and "> ANSWER" are a case, as in the files of this folder. If
 * the file contains an answer that no test uses, the program fails, and UPDATE=1 removes the
 * answer.
 */
#ifndef REDSWEEP_TESTS_TEXTS_EXPECTED_H
#define REDSWEEP_TESTS_TEXTS_EXPECTED_H

/* Fails unless the file has exactly `answer` under this name. A test may use a name several
 * times, but always with the same answer. */
#define texts_expect(name, answer)                                                                 \
    texts_expect_at(__BASE_FILE__, __FILE__, __LINE__, (name), (answer))
void texts_expect_at(const char *program, const char *file, int line, const char *name,
                     const char *answer);

/* Compares only the part of an answer before `end`, or its first line. The rest comes from
 * another program, such as a compiler, or depends on the machine. */
#define texts_expect_until(end, name, answer)                                                      \
    texts_expect_until_at(__BASE_FILE__, __FILE__, __LINE__, (end), (name), (answer))
#define texts_expect_line(name, answer) texts_expect_until("\n", name, answer)
void texts_expect_until_at(const char *program, const char *file, int line, const char *end,
                           const char *name, const char *answer);

/* From now on, puts `name` in place of `said` in every answer, such as "$work" in place of a
 * scratch folder. */
void texts_rename(const char *said, const char *name);

/* Call this if some checks are impossible on this machine. Answers that the test does not use
 * stay in the file without being reported. */
void texts_leave_others(void);

#endif
