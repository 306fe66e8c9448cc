/*
 * JSON by cJSON, with what cJSON does not do and people need: where in the file an error is and
 * what usually causes it, valid UTF-8, and no key twice in one object.
 */
#ifndef REDSWEEP_SPEC_JSON_H
#define REDSWEEP_SPEC_JSON_H

#include <stdbool.h>

#include <cjson/cJSON.h>

#include "base/error.h"

/* A config with the ids of 400 000 points (`run --points FILE`) is shorter than that. */
enum { JSON_MAX_BYTES = 8 << 20, JSON_MAX_KEYS = 1000 /* of one object */ };

/*
 * Parses a text of at most JSON_MAX_BYTES. Anything that is refused is an ERROR_CONFIG that begins
 * with `path` and says line and column. Numbers that do not fit a double (1e400) come out infinite.
 * The tree is the caller's: cJSON_Delete().
 */
bool json_parse(const char *path, const char *text, cJSON **out, struct error *e);

#endif
