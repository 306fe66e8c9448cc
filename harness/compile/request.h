/*
 * Writes and reads the request that is sent to a compiling process (limited.h): the kernel and the
 * command line.
 */
#ifndef REDSWEEP_COMPILE_REQUEST_H
#define REDSWEEP_COMPILE_REQUEST_H

#include <stdbool.h>

#include "base/text.h"
#include "compile/compile.h"

enum { MAX_OPTIONS = 24 };

/* A compilation's command line. */
struct options {
    const char *list[MAX_OPTIONS];
    char *bytes; /* what the list points into, or NULL if the list does not own it */
    int count;
    bool overflow; /* there were too many options, or one was too long */
};

/* Appends everything that the compilation needs. */
void request_write(const struct kernel *k, const struct compile_target *target,
                   const struct options *o, struct text *out);

/* Reads a request that request_write() wrote. The results point into the request. */
void request_read(char *request, struct kernel *k, struct compile_target *target,
                  struct options *o);

#endif
