/*
 * A vector is a growable array with items of any type. It starts zeroed, owns its items, and is
 * freed with vec_free(). memory.h says what happens when memory runs out.
 *
 *     VEC(int) numbers = {0};
 *     vec_push(&numbers, 7);
 *     for (size_t i = 0; i < numbers.count; i++) … numbers.items[i] …
 *
 * array_push() appends to an array whose struct has a pointer and an int count but no capacity.
 * Such an array has room for 16, 32, 64 … items, and is full when its count is one of these
 * numbers.
 */
#ifndef REDSWEEP_BASE_VEC_H
#define REDSWEEP_BASE_VEC_H

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define VEC(type)                                                                                  \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t count, capacity;                                                                    \
    }

/* Makes room for at least `total` items, including those that are already there. */
#define vec_reserve(v, total)                                                                      \
    ((v)->items = vec_grow_((v)->items, &(v)->capacity, (total), sizeof *(v)->items))
#define vec_push(v, ...)                                                                           \
    (vec_reserve((v), (v)->count + 1), (v)->items[(v)->count++] = (__VA_ARGS__))
#define vec_free(v) (free((v)->items), memset((v), 0, sizeof *(v)))

#define array_push(items, count, ...)                                                              \
    ((items) = array_grow_((items), (size_t)(count), sizeof *(items)),                             \
     (items)[(count)++] = (__VA_ARGS__))

static inline void *array_grow_(void *items, size_t count, size_t size)
{
    if (count != 0 && (count < 16 || (count & (count - 1)) != 0))
        return items;
    return xrealloc(items, (count == 0 ? 16 : count * 2) * size);
}

static inline void *vec_grow_(void *items, size_t *capacity, size_t wanted, size_t size)
{
    if (wanted <= *capacity)
        return items;
    *capacity = 2 * *capacity > wanted ? 2 * *capacity : wanted > 8 ? wanted : 8;
    return xrealloc(items, *capacity * size);
}

#endif
