/*
 * A table of texts: see lookup.h.
 */
#include "compare/lookup.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

struct lookup_slot {
    const char *key; /* NULL: free */
    size_t value;
};

/* The slot of `key`, or the free one where it belongs. At least a quarter of the slots is free. */
static struct lookup_slot *slot_of(const struct lookup *l, const char *key)
{
    size_t at = (size_t)hash_text(HASH_START, key) & (l->capacity - 1);
    while (l->slots[at].key && strcmp(l->slots[at].key, key) != 0)
        at = (at + 1) & (l->capacity - 1);
    return &l->slots[at];
}

size_t lookup_find(const struct lookup *l, const char *key)
{
    if (!l->capacity)
        return LOOKUP_NONE;
    const struct lookup_slot *slot = slot_of(l, key);
    return slot->key ? slot->value : LOOKUP_NONE;
}

static bool grow(struct lookup *l)
{
    struct lookup larger = {.capacity = l->capacity ? 2 * l->capacity : 64, .count = l->count};
    larger.slots = calloc(larger.capacity, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < l->capacity; i++)
        if (l->slots[i].key)
            *slot_of(&larger, l->slots[i].key) = l->slots[i];
    free(l->slots);
    *l = larger;
    return true;
}

bool lookup_add(struct lookup *l, const char *key, size_t value)
{
    if (4 * (l->count + 1) > 3 * l->capacity && !grow(l))
        return false;
    *slot_of(l, key) = (struct lookup_slot){key, value};
    l->count++;
    return true;
}

void lookup_free(struct lookup *l)
{
    free(l->slots);
    memset(l, 0, sizeof *l);
}
