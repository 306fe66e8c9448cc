/*
 * device_part() extracts the device part of an author's file, so that NVRTC can compile it. It
 * omits the functions and variables of the host, and the headers that only host compilers can read.
 * All other text remains unchanged and keeps its line number.
 *
 * The device part keeps functions with __global__ or __device__ (also if a macro of the file
 * supplies these words), constexpr functions, types, constants, using directives and preprocessor
 * directives. If an existing file is included in quotes, its device part is inserted. An #include
 * <header> is kept, and has an effect only if the compiler finds the header. Headers of host
 * libraries are removed.
 *
 * This code does not compile or evaluate anything. If it mistakes device code for host code, that
 * code is missing when the kernel is compiled, and the compiler reports an error.
 */
#ifndef REDSWEEP_SPEC_DEVICE_PART_H
#define REDSWEEP_SPEC_DEVICE_PART_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

enum { DEVICE_PART_MAX_BYTES = 1 << 20 };

/*
 * Appends the device part of the file `path`. Adds #line directives that name `shown`, so that
 * messages state the original line numbers. Returns ERROR_CONFIG if a file is too large or a
 * bracket is never closed, and ERROR_SYSTEM if a file cannot be read.
 */
bool device_part(const char *path, const char *shown, struct text *out, struct error *e);

#endif
