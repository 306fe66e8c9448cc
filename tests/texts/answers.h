/*
 * The functions that give the answers in the .txt files of this folder, one per file.
 */
#ifndef REDSWEEP_TESTS_TEXTS_ANSWERS_H
#define REDSWEEP_TESTS_TEXTS_ANSWERS_H

#include "cases.h"

/* Appends the answer to an input of `length` bytes, which ends with a NUL. */
typedef void give_answer(const char *input, size_t length, struct text *answer);

/* The test program that asks. */
enum answers_part {
    ANSWERS_OF_MISTAKES,
    ANSWERS_OF_RUNS,
    ANSWERS_OF_CHARTS,
    ANSWERS_OF_CHOICES,
    ANSWERS_OF_PTX
};

struct answers {
    const char *file; /* tests/texts/FILE.txt */
    give_answer *give;
    enum answers_part part;
};

#define ANSWERS_MOST 16

/* Ends with an empty row. */
extern const struct answers answers[];

/* Compares the files of a part, and returns the exit code of that test program. */
int texts_compare(const char *program, enum answers_part part);

#endif
