/*
 * UTF-8 (RFC 3629, section 4): no overlong forms, no surrogates, nothing beyond U+10FFFF.
 */
#ifndef REDSWEEP_BASE_UTF8_H
#define REDSWEEP_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* The number of bytes of the character at `s`, if `left` bytes remain; 0 if it is not valid. */
size_t utf8_length(const char *s, size_t left);

/* The offset of the first byte that is not valid UTF-8; `length` if all are. */
size_t utf8_invalid_at(const char *s, size_t length);

/* Columns on a terminal: characters, not bytes. */
size_t utf8_width(const char *s);

/* Length of the longest prefix of `s`, at most `max` bytes,
 * that does not end within a character. */
size_t utf8_cut(const char *s, size_t max);

#endif
