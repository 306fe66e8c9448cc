/* Produces the answers that are compared with those in the .txt files of this folder, with one
 * function per file. */
#ifndef REDSWEEP_TESTS_TEXTS_ANSWERS_H
#define REDSWEEP_TESTS_TEXTS_ANSWERS_H

#include "cases.h"

/* Appends the answer to an input of `length` bytes, followed by a NUL. */
typedef void give_answer(const char *input, size_t length, struct text *answer);

/* The test programs. Each program compares the answers of some of the files. */
enum answers_part {
    ANSWERS_OF_MISTAKES,
    ANSWERS_OF_RUNS,
    ANSWERS_OF_CHARTS,
    ANSWERS_OF_CHOICES,
    ANSWERS_OF_PTX
};

struct answers {
    const char *file; /* as in tests/texts/FILE.txt */
    give_answer *give;
    enum answers_part part;
};

#define ANSWERS_MOST 16

/* An empty row ends the list. */
extern const struct answers answers[];

/* Compares one test program's files, and returns its exit code. */
int texts_compare(const char *program, enum answers_part part);

#endif
