/*
 * Element types and operations: what a reduction reduces, and how it combines elements. element.def
 * lists them.
 *
 * The values of both enumerations are part of the file formats (point ids) and of the macros that
 * kernels are compiled with; append, never renumber.
 */
#ifndef REDSWEEP_BASE_ELEMENT_H
#define REDSWEEP_BASE_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>

#define TYPE(NAME, ...) TYPE_##NAME,
enum element_type {
#include "base/element.def"
    TYPE_COUNT
};
#undef TYPE
#define OPERATION(NAME, ...) OP_##NAME,
enum operation {
#include "base/element.def"
    OP_COUNT
};
#undef OPERATION
#define LIFT(NAME, ...) LIFTS_##NAME,
enum lift {
#include "base/element.def"
    LIFT_COUNT
};
#undef LIFT

const char *element_type_name(enum element_type type); /* "int32" … */
const char *operation_name(enum operation op);         /* "sum" … */
extern const char *const element_type_names[];         /* all of them, for tables of choices */
extern const char *const operation_names[];
extern const char plain_types[]; /* separated by blanks: defaults of facts */
extern const char plain_operations[];

/* False for an unknown name. */
bool element_type_find(const char *name, enum element_type *type);
bool operation_find(const char *name, enum operation *op);

/* The rows of element.def. */
enum number_kind { NUMBER_SIGNED, NUMBER_UNSIGNED, NUMBER_REAL };
extern const struct element_row {
    size_t bytes;
    enum number_kind number;
    enum element_type value;
    int significand;
    const char *suffix, *c_type;
} element_rows[];

static inline size_t element_size(enum element_type type) /* bytes */
{
    return element_rows[type].bytes;
}

static inline bool element_is_float(enum element_type type)
{
    return element_rows[type].number == NUMBER_REAL;
}

static inline bool element_is_signed(enum element_type type) /* an integer with a sign */
{
    return element_rows[type].number == NUMBER_SIGNED;
}

/* The type of sums, extremes and results: float32 for float16, int32 for int8, and for most types
 * the type itself. */
static inline enum element_type element_value_type(enum element_type type)
{
    return element_rows[type].value;
}

/* Bits of a float's significand, including the leading one; 0 for integers. */
static inline int element_significand(enum element_type type)
{
    return element_rows[type].significand;
}

static inline const char *element_suffix(enum element_type type) /* "f16": in names of functions */
{
    return element_rows[type].suffix;
}

static inline const char *
element_c_type(enum element_type type) /* "uint16_t" for types that C does not have */
{
    return element_rows[type].c_type;
}

/* The state that a thread keeps for the elements that it has seen: see
 * kernels/lib/operation.cuh. */
enum accumulator_kind {
    ACCUMULATES_VALUE,    /* a value */
    ACCUMULATES_INDEXED,  /* { value; uint64_t index; } */
    ACCUMULATES_MOMENTS,  /* { value mean, m2; uint64_t count; } */
    ACCUMULATES_EXPONENTS /* { value max, sum; } */
};

/* The combination of two lifted elements. */
enum combining { COMBINES_SUM, COMBINES_GREATEST, COMBINES_LEAST, COMBINES_PRODUCT };

/* How the last accumulator becomes the result. */
enum finishing { FINISHES_SAME, FINISHES_ROOT, FINISHES_OWN };

enum accumulator_kind operation_accumulator(enum operation op);
enum lift operation_lift(enum operation op);
enum combining operation_combining(enum operation op);
enum finishing operation_finishing(enum operation op);
int operation_roundings(enum operation op);       /* number of roundings in lifting an element */
const char *operation_meaning(enum operation op); /* half a sentence */
const char *operation_of_none(enum operation op); /* the result of no elements, in words */
int operation_inputs(enum operation op);          /* number of vectors that it reads: 1 or 2 */
/* Whether the operation is defined for elements of this type. */
bool operation_allows(enum operation op, enum element_type type);
/* Whether combining two elements gives an element, so that a kernel needs only `element`. */
bool operation_is_plain(enum operation op, enum element_type type);
/* Whether the result differs from the last accumulator. */
static inline bool operation_finishes(enum operation op)
{
    return operation_finishing(op) != FINISHES_SAME;
}

/* Bytes of an accumulator, as partial kernels write them, and of a result, as complete kernels
 * do. */
size_t accumulator_size(enum operation op, enum element_type type);
size_t result_size(enum operation op, enum element_type type);
/* Whether an accumulator has bytes that belong to none of its members (padding). */
bool accumulator_is_padded(enum operation op, enum element_type type);

enum { RESULT_TEXT = 64 }; /* bytes of a result as text: two doubles and a blank */

/* A point's cache state before each timed launch, and the scope of its time. */
enum cache_state { CACHE_COLD, CACHE_WARM, CACHE_COUNT };
enum scope { SCOPE_KERNEL, SCOPE_COMPLETE, SCOPE_COUNT };

/* How a grid is launched. */
enum launch_kind { LAUNCH_PLAIN, LAUNCH_COOPERATIVE, LAUNCH_CLUSTER, LAUNCH_DEPENDENT };

const char *cache_state_name(enum cache_state cache); /* "cold", "warm" */
const char *scope_name(enum scope scope);             /* "kernel", "complete" */
extern const char *const cache_state_names[];
extern const char *const scope_names[];

#endif
