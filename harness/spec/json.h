/*
 * Parses JSON with cJSON, with checks for JSON that people write. Reports the position of an error
 * and its usual cause, requires valid UTF-8, and rejects duplicate keys in an object.
 */
#ifndef REDSWEEP_SPEC_JSON_H
#define REDSWEEP_SPEC_JSON_H

#include <stdbool.h>

#include <cjson/cJSON.h>

#include "base/error.h"

/* Large enough for a config with the ids of 400 000 points (`run --points FILE`). */
enum { JSON_MAX_BYTES = 8 << 20, JSON_MAX_KEYS = 1000 /* per object */ };

/*
 * Parses JSON of at most JSON_MAX_BYTES. Errors are ERROR_CONFIG, begin with `path` and give line
 * and column. Numbers too large for a double (1e400) become infinite. The caller frees the tree
 * with cJSON_Delete().
 */
bool json_parse(const char *path, const char *text, cJSON **out, struct error *e);

#endif
