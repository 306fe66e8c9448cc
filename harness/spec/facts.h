/*
 * A kernel file's facts as written: keys, values and their lines.
 *
 * facts_split() knows the form of the lines, not the meaning of the keys, which the table in
 * kernel_facts.c defines.
 *
 *   // key: value        one fact; the key is what precedes the first colon
 *   //     more          two or more spaces after // continue the value above (joined by a space)
 *   //                   and empty lines are skipped
 *
 * The facts end at the first line that is neither empty nor begins with //.
 */
#ifndef REDSWEEP_SPEC_FACTS_H
#define REDSWEEP_SPEC_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/vec.h"

struct fact {
    char *key;   /* trimmed, not empty */
    char *value; /* trimmed, not empty */
    int line;    /* 1-based, of the key */
};

struct fact_list {
    VEC(struct fact) facts;
    size_t code_begins; /* offset of the first byte after the facts */
};

/*
 * Splits the top of a file into facts. The text must be UTF-8 without control characters; `path`
 * is for messages (ERROR_CONFIG). The list is the caller's: facts_free().
 */
bool facts_split(const char *path, const char *code, size_t length, struct fact_list *out,
                 struct error *e);
void facts_free(struct fact_list *list);

/* The i-th key that facts may have, in the manual's order; NULL after the last. */
const char *kernel_fact_key(int i);

#endif
