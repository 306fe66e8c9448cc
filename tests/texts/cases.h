/* A case in a file of expected texts starts with its input, in lines that begin with "< ". Its
 * whole answer follows, in lines that begin with "> ". All other lines are remarks. */
#ifndef REDSWEEP_TESTS_TEXTS_CASES_H
#define REDSWEEP_TESTS_TEXTS_CASES_H

#include "base/text.h"

#define CASES_MOST_BYTES (16u << 20)

/* Reads the next part of a file of expected texts. Appends a remark to `shown` and returns
 * false. For a case, appends its input to `shown` and its answer to `expected`, and returns
 * true. */
bool cases_next(const char *path, const char **at, struct text *shown, struct text *expected);

/* Appends an answer as it appears in a file, adding a missing line end. */
void cases_append_answer(const char *answer, struct text *lines);

/* Returns whether UPDATE=1 is set. If so, tests write the current answers to the file instead of
 * comparing them. */
bool cases_are_updated(void);
void cases_write(const char *path, const struct text *rewritten);

/* Appends the output `said`, with `name` in place of each `folder`. */
void text_append_renamed(struct text *to, const char *said, const char *folder, const char *name);

#endif
