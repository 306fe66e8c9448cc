/*
 * Distinct texts, numbered 0, 1, 2 … in the order of their first occurrence. Starts zeroed, keeps
 * copies of the texts. Memory as in base/memory.h.
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

/* The text's number; NUMBERING_NONE if it is unknown. */
size_t numbering_find(const struct numbering *n, const char *text);

/* The text's number; for a new one the next number, and texts.count grows. */
size_t numbering_add(struct numbering *n, const char *text);

/*
 * Frees the memory for finding texts, when a list is assumed to be complete: numbering_add() creates
 * it again; until then numbering_find() finds nothing.
 */
void numbering_close(struct numbering *n);

void numbering_free(struct numbering *n);

#endif
