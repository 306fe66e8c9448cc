/*
 * Extracts the device part of a CUDA source file, which NVRTC can compile. Leaves out host
 * functions and variables, and headers that only host compilers can read. All other text stays as
 * it is, on the same line.
 *
 * The device part keeps functions with __global__ or __device__ (even if one of the file's macros
 * supplies these words), constexpr functions, types, constants, using directives and preprocessor
 * directives. For an #include in quotes, the device part of that file is inserted if the file
 * exists. An #include <header> stays, and has an effect only if the compiler finds the header.
 * Headers of host libraries are removed.
 *
 * Nothing is compiled or evaluated here. If device code is mistaken for host code, it is missing
 * when the kernel is compiled, and the compiler reports an error.
 */
#ifndef REDSWEEP_SPEC_DEVICE_PART_H
#define REDSWEEP_SPEC_DEVICE_PART_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

enum { DEVICE_PART_MAX_BYTES = 1 << 20 };

/*
 * Appends the device part of the file `path`. Adds #line directives that name the file `shown`, so
 * that compilers give the original line numbers in messages. Returns ERROR_CONFIG if a file is too
 * large or a bracket is never closed, and ERROR_SYSTEM if a file cannot be read.
 */
bool device_part(const char *path, const char *shown, struct text *out, struct error *e);

#endif
