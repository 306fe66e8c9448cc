/*
 * Error messages that show the faulty line of a text, with a caret below the fault:
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
 * a caret. If the line is long, shows only the part around the offset. Control characters appear as
 * spaces, and each UTF-8 character is taken to be one column wide. Returns false.
 */
#define FAIL_AT(e, kind, source, at, ...)                                                          \
    caret_set((e), (kind), __FILE__, __LINE__, (source), (at), __VA_ARGS__)
#ifdef __clang_analyzer__ /* tells static analysis that FAIL_AT is false */
#undef FAIL_AT
#define FAIL_AT(e, kind, source, at, ...)                                                          \
    (caret_set((e), (kind), __FILE__, __LINE__, (source), (at), __VA_ARGS__) && false)
#endif
bool caret_set(struct error *e, enum error_kind kind, const char *file, int line,
               const char *source, size_t at, const char *format, ...)
    __attribute__((format(printf, 7, 8)));

/*
 * Finds the line and the column of the byte at offset `at`. Both count from 1, and columns count
 * characters, not bytes.
 */
void caret_position(const char *source, size_t at, size_t *line, size_t *column);

#endif
