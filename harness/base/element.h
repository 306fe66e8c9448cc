/*
 * Element types and operations: what a reduction reduces, and with what.
 *
 * The values of both enumerations are part of the file formats (point ids) and of the macros that
 * kernels are compiled with; append, never renumber.
 */
#ifndef REDSWEEP_BASE_ELEMENT_H
#define REDSWEEP_BASE_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>

enum element_type { TYPE_INT32, TYPE_UINT32, TYPE_INT64, TYPE_FLOAT32, TYPE_FLOAT64, TYPE_COUNT };
enum operation { OP_SUM, OP_MAX, OP_MIN, OP_PROD, OP_COUNT };

const char *element_type_name(enum element_type type); /* "int32" … */
const char *operation_name(enum operation op);         /* "sum" … */
extern const char *const element_type_names[];         /* all of them, for tables of choices */
extern const char *const operation_names[];

/* False for an unknown name. */
bool element_type_find(const char *name, enum element_type *type);
bool operation_find(const char *name, enum operation *op);

size_t element_size(enum element_type type); /* bytes */
bool element_is_float(enum element_type type);

/* A point's cache state before each timed launch, and what its time spans. */
enum cache_state { CACHE_COLD, CACHE_WARM, CACHE_COUNT };
enum scope { SCOPE_KERNEL, SCOPE_COMPLETE, SCOPE_COUNT };

/* How a grid is launched. */
enum launch_kind { LAUNCH_PLAIN, LAUNCH_COOPERATIVE, LAUNCH_CLUSTER, LAUNCH_DEPENDENT };

const char *cache_state_name(enum cache_state cache); /* "cold", "warm" */
const char *scope_name(enum scope scope);             /* "kernel", "complete" */
extern const char *const cache_state_names[];
extern const char *const scope_names[];

#endif
