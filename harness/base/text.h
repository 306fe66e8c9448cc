/*
 * Text that grows, and small questions about text.
 *
 * A `struct text` starts zeroed, owns its bytes, is always NUL-terminated once appended to, and
 * is given back with text_free(). When memory runs out it stops growing and remembers that in
 * `failed`; whoever hands the text on checks the flag once at the end.
 */
#ifndef REDSWEEP_BASE_TEXT_H
#define REDSWEEP_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
    char *bytes; /* NULL until something was appended */
    size_t length;
    size_t capacity;
    bool failed; /* memory ran out; the text is incomplete */
};

void text_append(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_append_bytes(struct text *t, const void *bytes, size_t length);
void text_free(struct text *t);

/* The text for people to read: "" when nothing was appended, "(out of memory)" when it failed. */
const char *text_shown(const struct text *t);

/*
 * The candidate with the least edit distance to `word`, or NULL when none is within a third of
 * the word's length (at least 2): what "did you mean" offers.
 */
const char *text_nearest(const char *word, const char *const *candidates, size_t count);

/* Shell-style match with * ? [ ]: fnmatch(3) without special characters for paths. */
bool text_glob_match(const char *pattern, const char *name);
bool text_is_glob(const char *pattern);

/* FNV-1a, 64 bits: a stable id, not a cryptographic one. Chain calls through `seed`. */
#define HASH_START 0xcbf29ce484222325u
uint64_t hash_bytes(uint64_t seed, const void *bytes, size_t length);
uint64_t hash_text(uint64_t seed, const char *s); /* includes the NUL, so "a","b" ≠ "ab","" */

#endif
