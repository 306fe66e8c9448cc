/*
 * Writes and reads the request that is sent to a compiling process (limited.h). It contains the
 * kernel and the compiler's options.
 */
#ifndef REDSWEEP_COMPILE_REQUEST_H
#define REDSWEEP_COMPILE_REQUEST_H

#include <stdbool.h>

#include "base/text.h"
#include "compile/compile.h"

enum { MAX_OPTIONS = 24 };

/* The compiler's options for one compilation. */
struct options {
    const char *list[MAX_OPTIONS];
    char *bytes; /* the memory into which `list` points, or NULL if this struct does not own it */
    int count;
    bool overflow; /* true if there were too many options, or if one was too long */
};

/* Appends a request to compile the kernel `k` for `target` with the options `o`. */
void request_write(const struct kernel *k, const struct compile_target *target,
                   const struct options *o, struct text *out);

/* Reads a request that request_write() wrote. The results point into the request. */
void request_read(char *request, struct kernel *k, struct compile_target *target,
                  struct options *o);

#endif
