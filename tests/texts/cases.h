/*
 * A case in a file of expected texts begins with its input, in lines that begin with "< ". Its
 * whole answer follows, in lines that begin with "> ". Other lines are remarks.
 */
#ifndef REDSWEEP_TESTS_TEXTS_CASES_H
#define REDSWEEP_TESTS_TEXTS_CASES_H

#include "base/text.h"

#define CASES_MOST_BYTES (16u << 20)

/*
 * Reads the next part of a file of expected texts. If the part is a remark, appends its line to
 * `shown` and returns false. If it is a case, appends its input to `shown` and its answer to
 * `expected`, and returns true.
 */
bool cases_next(const char *path, const char **at, struct text *shown, struct text *expected);

/*
 * Appends an answer in the form in which a file contains it. If its last line has no line end, one
 * is added.
 */
void cases_append_answer(const char *answer, struct text *lines);

/*
 * Returns whether the environment contains UPDATE=1. If so, a test does not compare the answers but
 * writes the current ones to the file.
 */
bool cases_are_updated(void);
void cases_write(const char *path, const struct text *rewritten);

/* Appends the output `said`, in which each occurrence of `folder` is replaced by `name`. */
void text_append_renamed(struct text *to, const char *said, const char *folder, const char *name);

#endif
