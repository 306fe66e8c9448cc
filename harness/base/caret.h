/*
 * An error message about text shows the line at fault, with a caret below the place.
 *
 *     unexpected 'nad'; expected an operator or the end
 *         block > 512 nad n < 3
 *                     ^
 */
#ifndef REDSWEEP_BASE_CARET_H
#define REDSWEEP_BASE_CARET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * Fills `e` (which may be NULL) with the message, the line of `source` at the byte offset `at`, and
 * a caret. Of a long line, shows only the part around the offset. Shows control characters as
 * spaces; each UTF-8 character is one column. Returns false.
 */
#define FAIL_AT(e, kind, source, at, ...)                                                          \
    caret_set((e), (kind), __FILE__, __LINE__, (source), (at), __VA_ARGS__)
#ifdef __clang_analyzer__ /* as in error.h */
#undef FAIL_AT
#define FAIL_AT(e, kind, source, at, ...)                                                          \
    (caret_set((e), (kind), __FILE__, __LINE__, (source), (at), __VA_ARGS__) && false)
#endif
bool caret_set(struct error *e, enum error_kind kind, const char *file, int line,
               const char *source, size_t at, const char *format, ...)
    __attribute__((format(printf, 7, 8)));

/* Finds the line and column of a byte offset, both from 1. Columns count characters. */
void caret_position(const char *source, size_t at, size_t *line, size_t *column);

#endif
