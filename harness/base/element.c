/*
 * Names and sizes of element types, operations, cache states and scopes: see element.h.
 */
#include "base/element.h"

#include <string.h>

const char *const element_type_names[TYPE_COUNT] = {"int32", "uint32", "int64", "float32",
                                                    "float64"};
const char *const operation_names[OP_COUNT] = {"sum", "max", "min", "prod"};
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

size_t element_size(enum element_type type)
{
    static const size_t sizes[TYPE_COUNT] = {4, 4, 8, 4, 8};
    return sizes[type];
}

bool element_is_float(enum element_type type)
{
    return type == TYPE_FLOAT32 || type == TYPE_FLOAT64;
}
