/*
 * The device part of a file as its author wrote it, which NVRTC compiles: without functions and variables
 * of the host, and without headers that only the host has. Everything else stays as it is, in its line.
 *
 * Kept: functions with __global__ or __device__ (also by a macro of the file), constexpr functions, types,
 * constants, using directives, directives of the preprocessor. What the file includes in quotes and is
 * there is inserted, its device part as well; <headers> are kept where the compiler finds them, except
 * those of host libraries. Nothing is compiled or evaluated here: what is taken for the host's wrongly is
 * missing when the kernel is compiled, and the compiler says so.
 */
#ifndef REDSWEEP_SPEC_DEVICE_PART_H
#define REDSWEEP_SPEC_DEVICE_PART_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

enum { DEVICE_PART_MAX_BYTES = 1 << 20 };

/*
 * Appends the device part of the file `path`, whose lines keep their numbers by #line directives that name
 * `shown`. ERROR_CONFIG when a file is too large or a brace is never closed; ERROR_SYSTEM when it cannot be
 * read.
 */
bool device_part(const char *path, const char *shown, struct text *out, struct error *e);

#endif
