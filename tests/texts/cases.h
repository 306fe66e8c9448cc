/*
 * A case in a file of expected texts has lines that begin with "< ", its input, and after them lines that begin with
 * "> ", its whole answer; other lines are remarks.
 */
#ifndef REDSWEEP_TESTS_TEXTS_CASES_H
#define REDSWEEP_TESTS_TEXTS_CASES_H

#include "base/text.h"

#define CASES_MOST_BYTES (16u << 20)

/* Reads the next part of such a file. False means a remark, whose line is in `shown`. True means a case, with its input
 * in `shown` and its answer in `expected`. Both are appended to. */
bool cases_next(const char *path, const char **at, struct text *shown, struct text *expected);

/* Appends an answer as lines of a file; an incomplete last line becomes a line, too. */
void cases_append_answer(const char *answer, struct text *lines);

/* Returns whether UPDATE=1 asks for the answers to be rewritten. */
bool cases_are_updated(void);
void cases_write(const char *path, const struct text *rewritten);

/* Appends the output, with a folder's name replaced by another name. */
void text_append_renamed(struct text *to, const char *said, const char *folder, const char *name);

#endif
