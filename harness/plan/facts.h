/*
 * A kernel file's facts as they are written: keys, values and the lines they stand on.
 *
 * facts_split() knows the form of the lines, not what the keys mean: that is kernel.c's table.
 *
 *   // key: value        one fact; the key is what stands before the first colon
 *   //     more          two or more spaces after // continue the value above (joined by a space)
 *   //                   and empty lines are skipped
 *
 * The facts end at the first line that is neither empty nor begins with //.
 */
#ifndef REDSWEEP_PLAN_FACTS_H
#define REDSWEEP_PLAN_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct fact {
    char *key;   /* trimmed, not empty */
    char *value; /* trimmed, not empty */
    int line;    /* 1-based, of the key */
};

struct fact_list {
    struct fact *facts;
    int count;
    size_t code_begins; /* offset of the first byte behind the facts */
};

/*
 * Splits the top of a file into facts. The text must be UTF-8 without control characters; `path`
 * is for messages (ERROR_CONFIG). The list is the caller's: facts_free().
 */
bool facts_split(const char *path, const char *code, size_t length, struct fact_list *out,
                 struct error *e);
void facts_free(struct fact_list *list);

/* Key number i that facts may have, in the manual's order; NULL past the last (see kernel.c). */
const char *kernel_fact_key(int i);

#endif
