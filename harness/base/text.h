/*
 * A string that grows as text is appended, and simple functions for text.
 *
 * A `struct text` starts zeroed, owns its bytes, is NUL-terminated once something has been
 * appended, and is freed with text_free(). memory.h says what happens when memory runs out.
 */
#ifndef REDSWEEP_BASE_TEXT_H
#define REDSWEEP_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct text {
    char *bytes; /* NULL until something was appended */
    size_t length;
    size_t capacity;
};

void text_append(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_append_bytes(struct text *t, const void *bytes, size_t length);
/*
 * Appends bytes. Escapes control characters except line end and tab as \x1b or \u009b, and bytes
 * that are not UTF-8 as \xff.
 */
void text_append_printable(struct text *t, const char *bytes, size_t length);
/*
 * Appends bytes. Escapes control characters, including line ends and tabs, as \n, \t, \r or \x1b,
 * so that the text stays on its line.
 */
void text_append_line(struct text *t, const char *bytes, size_t length);
/*
 * Like text_append(), but escapes control characters in the arguments as text_append_line() does.
 * Line ends and tabs in `format` are kept. So an argument that comes from a file cannot begin a
 * line that looks like redsweep's own.
 */
void text_append_safely(struct text *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void text_append_list_safely(struct text *t, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
/*
 * Formats text into `buffer`, which has `size` (at least 4) bytes. Text that does not fit is cut
 * and ends with "…".
 */
void text_fit(char *buffer, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void text_fit_list(char *buffer, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));
/* Appends `bytes` in Base64 (RFC 4648), with padding and without line ends. */
void text_append_base64(struct text *t, const void *bytes, size_t length);
/* Appends a JSON string. Bytes that are not UTF-8 become U+FFFD. */
void text_append_json(struct text *t, const char *s);
/*
 * Appends text, wrapped at its spaces. Every line begins at column `indent`, and none is wider than
 * `width` bytes, except for a single wider word.
 */
void text_append_wrapped(struct text *t, const char *words, size_t indent, size_t width);
void text_free(struct text *t);

/* Prints each of the `lines`, with "note: " before it. */
void text_print_notes(const char *lines, FILE *to);

/* Prints to `to` like printf(), with arguments escaped as in text_append_safely(). */
void print_safely(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns the text, or "" if nothing has been appended. */
const char *text_shown(const struct text *t);

/*
 * Returns the candidate with the smallest edit distance to `word`, for "did you mean". Returns NULL
 * if all distances are greater than a third of the word's length, and greater than 2.
 */
const char *text_nearest(const char *word, const char *const *candidates, size_t count);

/*
 * Writes the end of a message about an unknown name: "; did you mean 'x'?" with a candidate that
 * shares a word with it (sizes for array_sizes) or has a small edit distance to it, or "" if no
 * candidate does. Returns `buffer`.
 */
enum { SUGGESTION_SIZE = 160 };
const char *text_suggestion(const char *word, const char *const *candidates, size_t count,
                            char buffer[SUGGESTION_SIZE]);

/*
 * Appends the shortest decimal number that is converted back to the same double, or inf or -inf.
 * Appends nothing for NaN.
 */
void text_number(struct text *t, double value);

/*
 * Returns whether a comma-separated list without spaces contains the word. NULL is an empty list.
 */
bool text_list_has(const char *list, const char *word);

/*
 * Returns whether a name matches a pattern with *, ? and [ ] as in a shell. Slashes and leading
 * dots in the name are ordinary characters.
 */
bool text_glob_match(const char *pattern, const char *name);
bool text_is_glob(const char *pattern);

/*
 * Computes the 64-bit FNV-1a hash, which is the same on all machines, but not cryptographic. `seed`
 * is HASH_START or, to hash several pieces as if they were one, the hash of the previous pieces.
 */
#define HASH_START 0xcbf29ce484222325u
uint64_t hash_bytes(uint64_t seed, const void *bytes, size_t length);
/*
 * Hashes a string including its NUL, so that "a" followed by "b" has another hash than "ab"
 * followed by "".
 */
uint64_t hash_text(uint64_t seed, const char *s);

#endif
