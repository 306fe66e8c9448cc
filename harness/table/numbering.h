/*
 * Numbers distinct strings 0, 1, 2 … in order of first occurrence. A struct numbering must be
 * zero-initialized, and owns copies of the strings. For out-of-memory behavior, see base/memory.h.
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

/* Returns the number of a string, or NUMBERING_NONE if the string has none. */
size_t numbering_find(const struct numbering *n, const char *text);

/* Returns the number of a string, adding it if it is new. */
size_t numbering_add(struct numbering *n, const char *text);

/*
 * Frees the map in which strings are looked up, when no more strings are expected. A later
 * numbering_add() builds the map again; until then, numbering_find() finds nothing.
 */
void numbering_close(struct numbering *n);

void numbering_free(struct numbering *n);

#endif
