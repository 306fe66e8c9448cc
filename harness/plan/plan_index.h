/*
 * Finding equal things among many: a hash table of positions in somebody else's array.
 * Private to this room.
 *
 * It starts zeroed, holds hashes and positions only, and is given back with index_free().
 */
#ifndef REDSWEEP_PLAN_PLAN_INDEX_H
#define REDSWEEP_PLAN_PLAN_INDEX_H

#include <stdbool.h>
#include <stdint.h>

struct plan_index {
    struct index_slot {
        uint64_t hash;
        uint32_t position; /* plus 1; 0: free */
    } * slots;
    uint32_t capacity; /* a power of two */
    uint32_t count;
};

/* The position of a thing with this hash for which `same` says yes; UINT32_MAX for none. */
uint32_t index_find(const struct plan_index *x, uint64_t hash,
                    bool (*same)(const void *context, uint32_t position), const void *context);

/* Adds a position that index_find() did not find; false when memory runs out. */
bool index_add(struct plan_index *x, uint64_t hash, uint32_t position);

void index_free(struct plan_index *x);

#endif
