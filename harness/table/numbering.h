/*
 * Numbers distinct strings 0, 1, 2 … in the order of their first occurrence. A struct numbering
 * must be zero-initialized. It contains copies of the strings. If memory is exhausted, the program
 * ends as described in base/memory.h.
 */
#ifndef REDSWEEP_TABLE_NUMBERING_H
#define REDSWEEP_TABLE_NUMBERING_H

#include "base/map.h"
#include "base/vec.h"

struct numbering {
    struct map map;
    VEC(char *) texts;
};

#define NUMBERING_NONE ((size_t)-1)

/* Returns the number of a string, or NUMBERING_NONE if the string is unknown. */
size_t numbering_find(const struct numbering *n, const char *text);

/* Returns the number of a string. If the string is new, adds it with the next number. */
size_t numbering_add(struct numbering *n, const char *text);

/*
 * Frees the map that finds strings. The function is called when the list is probably complete. If
 * numbering_add() is called later, it builds the map again. Until then, numbering_find() finds
 * nothing.
 */
void numbering_close(struct numbering *n);

void numbering_free(struct numbering *n);

#endif
