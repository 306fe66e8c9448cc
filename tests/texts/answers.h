/*
 * These functions produce the answers that are compared with those in the .txt files of this
 * folder. There is one function for each file.
 */
#ifndef REDSWEEP_TESTS_TEXTS_ANSWERS_H
#define REDSWEEP_TESTS_TEXTS_ANSWERS_H

#include "cases.h"

/* Appends the answer to an input of `length` bytes, which a NUL follows. */
typedef void give_answer(const char *input, size_t length, struct text *answer);

/*
 * These constants name the test programs. Each of them compares the answers of some of the files.
 */
enum answers_part {
    ANSWERS_OF_MISTAKES,
    ANSWERS_OF_RUNS,
    ANSWERS_OF_CHARTS,
    ANSWERS_OF_CHOICES,
    ANSWERS_OF_PTX
};

struct answers {
    const char *file; /* the name in tests/texts/FILE.txt */
    give_answer *give;
    enum answers_part part;
};

#define ANSWERS_MOST 16

/* The list ends with an empty row. */
extern const struct answers answers[];

/* Compares the files that belong to one test program, and returns the program's exit code. */
int texts_compare(const char *program, enum answers_part part);

#endif
