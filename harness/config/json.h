/*
 * JSON as RFC 8259 has it, and nothing else: text in, cJSON's tree out.
 *
 * cJSON is lenient (it takes 01, raw line ends in strings, numbers cut at 63 characters) and says
 * little about what is wrong, so the text is checked here first, byte by byte, with messages that
 * name line and column; cJSON then only builds the tree.
 */
#ifndef REDSWEEP_CONFIG_JSON_H
#define REDSWEEP_CONFIG_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include <cjson/cJSON.h>

#include "base/error.h"

enum {
    JSON_MAX_BYTES = 1 << 20,
    JSON_MAX_DEPTH = 16,  /* objects and lists within each other */
    JSON_MAX_NUMBER = 63, /* characters: what cJSON keeps of a number */
};

/*
 * Parses `length` bytes; text[length] must be NUL. Refused (ERROR_CONFIG): more than 1 MiB, bytes
 * that are no UTF-8, NUL (raw or escaped), what is no JSON, deeper nesting than 16, anything after
 * the value. Numbers that no double holds (1e400) come out infinite. `path` is used in messages.
 * The tree is the caller's: cJSON_Delete().
 */
bool json_parse(const char *path, const char *text, size_t length, cJSON **out, struct error *e);

#endif
