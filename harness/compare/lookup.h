/*
 * From a text to the number of the row that bears it: a hash table with open addressing that
 * grows, and borrows its texts.
 */
#ifndef REDSWEEP_COMPARE_LOOKUP_H
#define REDSWEEP_COMPARE_LOOKUP_H

#include <stdbool.h>
#include <stddef.h>

#define LOOKUP_NONE ((size_t)-1)

struct lookup { /* starts zeroed */
    struct lookup_slot *slots;
    size_t capacity, count;
};

/* The value that goes with `key`, or LOOKUP_NONE. */
size_t lookup_find(const struct lookup *l, const char *key);
/* Adds `key`, which must outlive the table and must not be in it. False: memory ran out. */
bool lookup_add(struct lookup *l, const char *key, size_t value);
void lookup_free(struct lookup *l);

#endif
