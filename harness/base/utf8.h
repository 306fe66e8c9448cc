/*
 * Checks UTF-8 (RFC 3629, section 4): overlong forms, surrogates, and everything beyond U+10FFFF
 * are invalid.
 */
#ifndef REDSWEEP_BASE_UTF8_H
#define REDSWEEP_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Returns how many bytes the character at `s` has, or 0 if no valid character begins there and ends
 * within the next `left` bytes.
 */
size_t utf8_length(const char *s, size_t left);

/* Returns the offset of the first byte that is not valid UTF-8, or `length` if all bytes are. */
size_t utf8_invalid_at(const char *s, size_t length);

/* Returns how many columns the text takes on a terminal: one per character. */
size_t utf8_width(const char *s);

/*
 * Returns the length of the longest prefix of `s`, at most `max` bytes, that does not end within a
 * character.
 */
size_t utf8_cut(const char *s, size_t max);

#endif
