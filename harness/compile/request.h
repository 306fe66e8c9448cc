/*
 * The request that is sent to the process that compiles (limited.h): the kernel and the command
 * line.
 */
#ifndef REDSWEEP_COMPILE_REQUEST_H
#define REDSWEEP_COMPILE_REQUEST_H

#include <stdbool.h>

#include "base/text.h"
#include "compile/compile.h"

enum { MAX_OPTIONS = 24 };

/* The command line of one compilation. */
struct options {
    const char *list[MAX_OPTIONS];
    char *bytes; /* memory that the list points into; NULL if the list does not own it */
    int count;
    bool overflow; /* one more, or longer, than fits */
};

/* Appends all that the compilation reads of them. */
void request_write(const struct kernel *k, const struct compile_target *target,
                   const struct options *o, struct text *out);

/* The request that request_write() wrote; the results point into it. */
void request_read(char *request, struct kernel *k, struct compile_target *target,
                  struct options *o);

#endif
