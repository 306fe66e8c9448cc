/*
 * Cases of a file of expected texts: lines that begin with "< ", the input, and after them lines that begin with
 * "> ", the whole answer; other lines are remarks.
 */
#ifndef REDSWEEP_TESTS_TEXTS_CASES_H
#define REDSWEEP_TESTS_TEXTS_CASES_H

#include "base/text.h"

#define CASES_MOST_BYTES (16u << 20)

/* Reads the next part of such a file. False: a remark, whose line is in `shown`. True: a case, the lines of its input
 * in `shown` and those of its answer in `expected`. The texts are appended to. */
bool cases_next(const char *path, const char **at, struct text *shown, struct text *expected);

/* An answer as lines of a file; one that ends in the middle of a line is a line, too. */
void cases_append_answer(const char *answer, struct text *lines);

/* Whether the answers are to be written anew: UPDATE=1. */
bool cases_are_updated(void);
void cases_write(const char *path, const struct text *rewritten);

/* Appends the output, with another name in the place of a folder's name. */
void text_append_renamed(struct text *to, const char *said, const char *folder, const char *name);

#endif
