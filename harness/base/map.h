/*
 * A hash table for the items of an array, which finds the position of an item that equals a given
 * one.
 *
 * The array belongs to the caller; the table contains only hashes and positions. It starts zeroed
 * and is freed with map_free(). memory.h says what happens when memory runs out.
 */
#ifndef REDSWEEP_BASE_MAP_H
#define REDSWEEP_BASE_MAP_H

#include <stdbool.h>
#include <stdint.h>

struct map {
    struct map_slot {
        uint64_t hash;
        uint32_t position; /* position plus 1; 0 if the place is free */
    } * slots;
    uint32_t capacity; /* a power of two */
    uint32_t count;
};

#define MAP_NONE UINT32_MAX

/* Returns the position of an item with this hash for which `same` returns true, or MAP_NONE. */
uint32_t map_find(const struct map *m, uint64_t hash,
                  bool (*same)(const void *context, uint32_t position), const void *context);

/* Adds a position that map_find() did not find. */
void map_add(struct map *m, uint64_t hash, uint32_t position);

void map_free(struct map *m);

#endif
