/*
 * Splits the facts at the top of a kernel's file into keys and values, with their line numbers.
 * Checks only the form of the lines; the table in kernel_facts.c gives the keys their meaning.
 *
 *   // key: value        One fact. The key is the text before the first colon.
 *   //     more          Two or more spaces after // continue the value above, which is joined by
 *                        one space.
 *   //                   Skipped, like an empty line.
 *
 * The facts end at the first line that is not empty and does not begin with //.
 */
#ifndef REDSWEEP_SPEC_FACTS_H
#define REDSWEEP_SPEC_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/vec.h"

struct fact {
    char *key;   /* the key, trimmed and not empty */
    char *value; /* the value, trimmed and not empty */
    int line;    /* the line number of the key; the first line is 1 */
};

struct fact_list {
    VEC(struct fact) facts;
    size_t code_begins; /* the offset of the first byte after the facts */
};

/* Splits the top of a file into facts. The text must be UTF-8 without control characters. Messages
 * (ERROR_CONFIG) begin with `path`. The caller frees the list with facts_free(). */
bool facts_split(const char *path, const char *code, size_t length, struct fact_list *out,
                 struct error *e);
void facts_free(struct fact_list *list);

/* Returns the i-th of all keys that a fact can have, or NULL after the last one. */
const char *kernel_fact_key(int i);

#endif
