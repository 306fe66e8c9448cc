/*
 * The device part of a file as its author wrote it, which NVRTC compiles: without functions and variables
 * of the host, and without headers that only the host has. Everything else stays unchanged, on its line.
 *
 * These are kept: functions with __global__ or __device__ (also through a macro of the file), constexpr
 * functions, types, constants, using directives, preprocessor directives. A file that is included in
 * quotes and exists is inserted, again only its device part; <headers> are kept if the compiler finds
 * them, except those of host libraries. Nothing is compiled or evaluated here: code that is mistaken for
 * the host's is missing when the kernel is compiled, and the compiler reports it.
 */
#ifndef REDSWEEP_SPEC_DEVICE_PART_H
#define REDSWEEP_SPEC_DEVICE_PART_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

enum { DEVICE_PART_MAX_BYTES = 1 << 20 };

/*
 * Appends the device part of the file `path`, whose lines keep their numbers by #line directives that name
 * `shown`. ERROR_CONFIG if a file is too large or a brace is never closed; ERROR_SYSTEM if it cannot be
 * read.
 */
bool device_part(const char *path, const char *shown, struct text *out, struct error *e);

#endif
