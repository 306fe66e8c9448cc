/*
 * The types of the elements that a reduction reads, and the operations with which it combines them.
 * element.def lists both.
 *
 * The values of enum element_type and enum operation are part of the file formats (point ids) and
 * of the macros that kernels are compiled with. Append new values; never renumber existing ones.
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
extern const char *const element_type_names[];         /* all names, in the order of the enum */
extern const char *const operation_names[];
/* the default of the fact `types`: names, separated by spaces */
extern const char plain_types[];
extern const char plain_operations[];

/* Find the type or operation with this name. Return false if there is none. */
bool element_type_find(const char *name, enum element_type *type);
bool operation_find(const char *name, enum operation *op);

/* The rows of element.def that declare types, by enum element_type. */
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

static inline bool element_is_signed(enum element_type type) /* true for int8, int32 and int64 */
{
    return element_rows[type].number == NUMBER_SIGNED;
}

/*
 * Returns the type in which elements are combined, which is also the type of the result: float32
 * for float16, int32 for int8, and for most types the type itself.
 */
static inline enum element_type element_value_type(enum element_type type)
{
    return element_rows[type].value;
}

/* Returns how many bits a float's significand has, including the leading one, or 0 for integers. */
static inline int element_significand(enum element_type type)
{
    return element_rows[type].significand;
}

static inline const char *element_suffix(enum element_type type) /* "f16", as in function names */
{
    return element_rows[type].suffix;
}

static inline const char *
element_c_type(enum element_type type) /* "uint16_t" for types that C lacks */
{
    return element_rows[type].c_type;
}

/* What a thread keeps for the elements that it has seen: see kernels/lib/operation.cuh. */
enum accumulator_kind {
    ACCUMULATES_VALUE,    /* a value */
    ACCUMULATES_INDEXED,  /* { value; uint64_t index; } */
    ACCUMULATES_MOMENTS,  /* { value mean, m2; uint64_t count; } */
    ACCUMULATES_EXPONENTS /* { value max, sum; } */
};

/* How two lifted elements are combined. */
enum combining { COMBINES_SUM, COMBINES_GREATEST, COMBINES_LEAST, COMBINES_PRODUCT };

/*
 * How the accumulator becomes the result after all elements have been combined: unchanged, by a
 * square root, or in a way that depends on the kind of the accumulator.
 */
enum finishing { FINISHES_SAME, FINISHES_ROOT, FINISHES_OWN };

enum accumulator_kind operation_accumulator(enum operation op);
enum lift operation_lift(enum operation op);
enum combining operation_combining(enum operation op);
enum finishing operation_finishing(enum operation op);
/* Returns how many roundings lifting an element takes. */
int operation_roundings(enum operation op);
const char *operation_meaning(enum operation op); /* such as "the sum" */
/* the result for an input without elements, in words */
const char *operation_of_none(enum operation op);
int operation_inputs(enum operation op); /* how many vectors it reads: 1 or 2 */
/* Returns whether the operation is defined for elements of this type. */
bool operation_allows(enum operation op, enum element_type type);
/*
 * Returns whether combining two elements gives a value of the same type, so that a kernel needs no
 * type other than `element`.
 */
bool operation_is_plain(enum operation op, enum element_type type);
/* Returns whether the accumulator has to be converted into the result (see enum finishing). */
static inline bool operation_finishes(enum operation op)
{
    return operation_finishing(op) != FINISHES_SAME;
}

/*
 * Return the size in bytes of an accumulator and of a result. A kernel that leaves the last step to
 * a second pass writes accumulators, and a complete one writes results.
 */
size_t accumulator_size(enum operation op, enum element_type type);
size_t result_size(enum operation op, enum element_type type);
/* Returns whether an accumulator has padding: bytes that belong to none of its members. */
bool accumulator_is_padded(enum operation op, enum element_type type);

enum { RESULT_TEXT = 64 }; /* buffer size for a result as text: two doubles and a space */

/* A point's cache state before each timed launch, and what its time includes. */
enum cache_state { CACHE_COLD, CACHE_WARM, CACHE_COUNT };
enum scope { SCOPE_KERNEL, SCOPE_COMPLETE, SCOPE_COUNT };

/* How a grid is launched. */
enum launch_kind { LAUNCH_PLAIN, LAUNCH_COOPERATIVE, LAUNCH_CLUSTER, LAUNCH_DEPENDENT };

const char *cache_state_name(enum cache_state cache); /* "cold", "warm" */
const char *scope_name(enum scope scope);             /* "kernel", "complete" */
extern const char *const cache_state_names[];
extern const char *const scope_names[];

#endif
