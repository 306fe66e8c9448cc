/*
 * Checks the names of tunables and functions in a kernel's file. Private to this folder.
 */
#ifndef REDSWEEP_SPEC_KERNEL_NAMES_H
#define REDSWEEP_SPEC_KERNEL_NAMES_H

#include <stdbool.h>

/* Returns whether a tunable with this name would collide with one of redsweep's names. */
bool tunable_name_is_taken(const char *name);

/*
 * Returns whether the code contains `extern "C" … __global__ … NAME(` without { or ; in between.
 * This is only a text search. It finds the most common mistakes, for which redsweep's message is
 * clearer than the linker's.
 */
bool code_has_entry(const char *code, const char *name);

/* Returns whether the code contains a host function `void NAME(`. */
bool code_has_host_entry(const char *code, const char *name);

/*
 * Finds the function names that the fact `source` lists in parentheses, such as "… ch. 3
 * (reduceUnrolling2, 4, 8)". A name is one word in mixed case. In this example, 4 stands for
 * reduceUnrolling4. Appends the names to `names`, an array for array_push(); the caller frees them.
 */
void source_names(const char *source, char ***names, int *count);

#endif
