/*
 * A hash table with open addressing, at most half full: see plan_index.h.
 */
#include "plan/plan_index.h"

#include <stdlib.h>
#include <string.h>

uint32_t index_find(const struct plan_index *x, uint64_t hash,
                    bool (*same)(const void *context, uint32_t position), const void *context)
{
    if (!x->capacity)
        return UINT32_MAX;
    uint32_t mask = x->capacity - 1;
    for (uint32_t i = (uint32_t)(hash >> 32) & mask; x->slots[i].position; i = (i + 1) & mask)
        if (x->slots[i].hash == hash && same(context, x->slots[i].position - 1))
            return x->slots[i].position - 1;
    return UINT32_MAX;
}

static void put(struct index_slot *slots, uint32_t capacity, struct index_slot slot)
{
    uint32_t i = (uint32_t)(slot.hash >> 32) & (capacity - 1);
    while (slots[i].position)
        i = (i + 1) & (capacity - 1);
    slots[i] = slot;
}

bool index_add(struct plan_index *x, uint64_t hash, uint32_t position)
{
    if (2 * (x->count + 1) > x->capacity) {
        uint32_t capacity = x->capacity ? 2 * x->capacity : 64;
        struct index_slot *slots = calloc(capacity, sizeof *slots);
        if (!slots)
            return false;
        for (uint32_t i = 0; i < x->capacity; i++)
            if (x->slots[i].position)
                put(slots, capacity, x->slots[i]);
        free(x->slots);
        x->slots = slots;
        x->capacity = capacity;
    }
    put(x->slots, x->capacity, (struct index_slot){hash, position + 1});
    x->count++;
    return true;
}

void index_free(struct plan_index *x)
{
    free(x->slots);
    memset(x, 0, sizeof *x);
}
