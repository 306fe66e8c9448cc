/*
 * Names of a kernel file that must fit with names elsewhere. Private to this room.
 */
#ifndef REDSWEEP_SPEC_KERNEL_NAMES_H
#define REDSWEEP_SPEC_KERNEL_NAMES_H

#include <stdbool.h>

/* Whether a tunable of this name would be confused with one of redsweep's own names. */
bool tunable_name_is_taken(const char *name);

/*
 * Whether the code has `extern "C" … __global__ … NAME(` without a { or ; in between. A text check
 * only, so that the commonest slips get a better message than the linker's.
 */
bool code_has_entry(const char *code, const char *name);

/* The same for a host function: whether the code has void NAME( outside a word. */
bool code_has_host_entry(const char *code, const char *name);

/*
 * The names of functions that the fact `source` lists in parentheses, "… ch. 3 (reduceUnrolling2,
 * 4, 8)": those of one word in mixed case; a number alone stands for the name before it with that
 * number. Appends them to `names`, an array as of array_push(); they are the caller's.
 */
void source_names(const char *source, char ***names, int *count);

#endif
