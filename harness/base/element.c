/* Implements element.h. */
#include "base/element.h"

#include <stdint.h>
#include <string.h>

enum allowed_numbers { ALLOWS_ALL, ALLOWS_REAL };

const struct element_row element_rows[TYPE_COUNT] = {
#define TYPE(NAME, name, bytes, number, VALUE, significand, suffix, c_type)                        \
    [TYPE_##NAME] = {bytes, NUMBER_##number, TYPE_##VALUE, significand, suffix, c_type},
#include "base/element.def"
#undef TYPE
};

static const struct {
    enum accumulator_kind accumulator;
    enum lift lift;
    enum combining combining;
    enum finishing finishing;
    enum allowed_numbers allows;
    const char *none, *meaning;
} operations[OP_COUNT] = {
#define OPERATION(NAME, name, accumulator, lift, combine, finish, numbers, none, meaning)          \
    [OP_##NAME] = {ACCUMULATES_##accumulator,                                                      \
                   LIFTS_##lift,                                                                   \
                   COMBINES_##combine,                                                             \
                   FINISHES_##finish,                                                              \
                   ALLOWS_##numbers,                                                               \
                   none,                                                                           \
                   meaning},
#include "base/element.def"
#undef OPERATION
};

static const struct {
    int vectors, roundings;
} lifts[LIFT_COUNT] = {
#define LIFT(NAME, vectors, roundings) [LIFTS_##NAME] = {vectors, roundings},
#include "base/element.def"
#undef LIFT
};

#define TYPE(NAME, name, ...) #name,
const char *const element_type_names[TYPE_COUNT] = {
#include "base/element.def"
};
#undef TYPE
#define OPERATION(NAME, name, ...) #name,
const char *const operation_names[OP_COUNT] = {
#include "base/element.def"
};
#undef OPERATION

/* The names in rows of PLAIN_TYPE and PLAIN_OPERATION. All other rows expand to nothing here. */
#define TYPE(...)
#define OPERATION(...)
#define PLAIN_TYPE(NAME, name, ...) #name " "
#define PLAIN_OPERATION(...)
const char plain_types[] =
#include "base/element.def"
    ;
#undef PLAIN_TYPE
#undef PLAIN_OPERATION
#define PLAIN_TYPE(...)
#define PLAIN_OPERATION(NAME, name, ...) #name " "
const char plain_operations[] =
#include "base/element.def"
    ;
#undef PLAIN_TYPE
#undef PLAIN_OPERATION
#undef TYPE
#undef OPERATION

const char *const cache_state_names[CACHE_COUNT] = {"cold", "warm"};
const char *const scope_names[SCOPE_COUNT] = {"kernel", "complete"};

static int find(const char *const *names, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

const char *element_type_name(enum element_type type)
{
    return element_type_names[type];
}

const char *operation_name(enum operation op)
{
    return operation_names[op];
}

const char *cache_state_name(enum cache_state cache)
{
    return cache_state_names[cache];
}

const char *scope_name(enum scope scope)
{
    return scope_names[scope];
}

bool element_type_find(const char *name, enum element_type *type)
{
    int i = find(element_type_names, TYPE_COUNT, name);
    if (i >= 0)
        *type = (enum element_type)i;
    return i >= 0;
}

bool operation_find(const char *name, enum operation *op)
{
    int i = find(operation_names, OP_COUNT, name);
    if (i >= 0)
        *op = (enum operation)i;
    return i >= 0;
}

enum accumulator_kind operation_accumulator(enum operation op)
{
    return operations[op].accumulator;
}

enum lift operation_lift(enum operation op)
{
    return operations[op].lift;
}

enum combining operation_combining(enum operation op)
{
    return operations[op].combining;
}

enum finishing operation_finishing(enum operation op)
{
    return operations[op].finishing;
}

int operation_roundings(enum operation op)
{
    return lifts[operations[op].lift].roundings;
}

const char *operation_of_none(enum operation op)
{
    return operations[op].none;
}

const char *operation_meaning(enum operation op)
{
    return operations[op].meaning;
}

int operation_inputs(enum operation op)
{
    return lifts[operations[op].lift].vectors;
}

bool operation_allows(enum operation op, enum element_type type)
{
    return operations[op].allows == ALLOWS_ALL || element_is_float(type);
}

bool operation_is_plain(enum operation op, enum element_type type)
{
    static const bool plain[OP_COUNT] = {
#define OPERATION(...)
#define PLAIN_OPERATION(NAME, ...) [OP_##NAME] = true,
#include "base/element.def"
#undef PLAIN_OPERATION
#undef OPERATION
    };
    return plain[op] && element_value_type(type) == type;
}

size_t accumulator_size(enum operation op, enum element_type type)
{
    size_t value = element_size(element_value_type(type)), index = sizeof(uint64_t);
    switch (operation_accumulator(op)) {
    case ACCUMULATES_INDEXED: /* the value is padded to 8 bytes */
        return 2 * index;
    case ACCUMULATES_MOMENTS:
        return 2 * value + index;
    case ACCUMULATES_EXPONENTS:
        return 2 * value;
    case ACCUMULATES_VALUE:
        break;
    }
    return value;
}

bool accumulator_is_padded(enum operation op, enum element_type type)
{
    return operation_accumulator(op) == ACCUMULATES_INDEXED &&
           element_size(element_value_type(type)) < sizeof(uint64_t);
}

size_t result_size(enum operation op, enum element_type type)
{
    size_t value = element_size(element_value_type(type));
    switch (operation_accumulator(op)) {
    case ACCUMULATES_INDEXED:
        return sizeof(int64_t);
    case ACCUMULATES_MOMENTS:
        return 2 * value;
    case ACCUMULATES_EXPONENTS:
    case ACCUMULATES_VALUE:
        break;
    }
    return value;
}
