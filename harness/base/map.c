/* A hash table with open addressing, at most half full. */
#include "base/map.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

uint32_t map_find(const struct map *m, uint64_t hash,
                  bool (*same)(const void *context, uint32_t position), const void *context)
{
    if (!m->capacity)
        return MAP_NONE;
    uint32_t mask = m->capacity - 1;
    for (uint32_t i = (uint32_t)(hash >> 32) & mask; m->slots[i].position; i = (i + 1) & mask)
        if (m->slots[i].hash == hash && same(context, m->slots[i].position - 1))
            return m->slots[i].position - 1;
    return MAP_NONE;
}

static void put(struct map_slot *slots, uint32_t capacity, struct map_slot slot)
{
    uint32_t i = (uint32_t)(slot.hash >> 32) & (capacity - 1);
    while (slots[i].position)
        i = (i + 1) & (capacity - 1);
    slots[i] = slot;
}

void map_add(struct map *m, uint64_t hash, uint32_t position)
{
    if (2 * (m->count + 1) > m->capacity) {
        uint32_t capacity = m->capacity ? 2 * m->capacity : 64;
        struct map_slot *slots = xcalloc(capacity, sizeof *slots);
        for (uint32_t i = 0; i < m->capacity; i++)
            if (m->slots[i].position)
                put(slots, capacity, m->slots[i]);
        free(m->slots);
        m->slots = slots;
        m->capacity = capacity;
    }
    put(m->slots, m->capacity, (struct map_slot){hash, position + 1});
    m->count++;
}

void map_free(struct map *m)
{
    free(m->slots);
    memset(m, 0, sizeof *m);
}
