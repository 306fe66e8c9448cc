/*
 * Distinct texts, numbered 0, 1, 2 … in the order in which they are first seen. Starts zeroed,
 * keeps copies of the texts. Memory as in base/memory.h.
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

/* The text's number; NUMBERING_NONE when it was not seen. */
size_t numbering_find(const struct numbering *n, const char *text);

/* The text's number; the next one when it is new: then texts.count has grown. */
size_t numbering_add(struct numbering *n, const char *text);

/*
 * Gives back the memory that finds a text, of a list that is thought to be complete: numbering_add()
 * makes it again, and numbering_find() finds nothing before that.
 */
void numbering_close(struct numbering *n);

void numbering_free(struct numbering *n);

#endif
