/*
 * Names and sizes of element types, operations, cache states and scopes: see element.h.
 */
#include "base/element.h"

#include <stdint.h>
#include <string.h>

static const struct {
    const char *name;
    size_t size;
    bool is_float;
} types[TYPE_COUNT] = {
    [TYPE_INT32] = {"int32", sizeof(int32_t), false},
    [TYPE_UINT32] = {"uint32", sizeof(uint32_t), false},
    [TYPE_INT64] = {"int64", sizeof(int64_t), false},
    [TYPE_FLOAT32] = {"float32", sizeof(float), true},
    [TYPE_FLOAT64] = {"float64", sizeof(double), true},
};

static const char *const operations[OP_COUNT] = {"sum", "max", "min", "prod"};
static const char *const caches[CACHE_COUNT] = {"cold", "warm"};
static const char *const scopes[SCOPE_COUNT] = {"kernel", "complete"};

static int find(const char *const *names, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

const char *element_type_name(enum element_type type)
{
    return types[type].name;
}

const char *operation_name(enum operation op)
{
    return operations[op];
}

const char *cache_state_name(enum cache_state cache)
{
    return caches[cache];
}

const char *scope_name(enum scope scope)
{
    return scopes[scope];
}

bool element_type_find(const char *name, enum element_type *type)
{
    for (int i = 0; i < TYPE_COUNT; i++)
        if (strcmp(types[i].name, name) == 0) {
            *type = (enum element_type)i;
            return true;
        }
    return false;
}

bool operation_find(const char *name, enum operation *op)
{
    int i = find(operations, OP_COUNT, name);
    if (i >= 0)
        *op = (enum operation)i;
    return i >= 0;
}

size_t element_size(enum element_type type)
{
    return types[type].size;
}

bool element_is_float(enum element_type type)
{
    return types[type].is_float;
}
