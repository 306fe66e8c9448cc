/*
 * Writes and reads the request that is sent to a compiling process (limited.h). The request
 * contains the kernel and the command line.
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
    char *bytes; /* the memory that the list points into, or NULL if the list does not own it */
    int count;
    bool overflow; /* This is true if there were too many options, or one that was too long. */
};

/* Appends everything from its arguments that the compilation needs. */
void request_write(const struct kernel *k, const struct compile_target *target,
                   const struct options *o, struct text *out);

/* Reads a request that request_write() wrote. The results point into the request. */
void request_read(char *request, struct kernel *k, struct compile_target *target,
                  struct options *o);

#endif
