/*
 * JSON by cJSON, with additions for people: the place of an error and its usual cause, a check for
 * valid UTF-8, and no duplicate keys in an object.
 */
#ifndef REDSWEEP_SPEC_JSON_H
#define REDSWEEP_SPEC_JSON_H

#include <stdbool.h>

#include <cjson/cJSON.h>

#include "base/error.h"

/* A config with the ids of 400 000 points (`run --points FILE`) is shorter than that. */
enum { JSON_MAX_BYTES = 8 << 20, JSON_MAX_KEYS = 1000 /* of one object */ };

/*
 * Parses a text of at most JSON_MAX_BYTES. Every refusal is an ERROR_CONFIG that begins with `path`
 * and gives line and column. Numbers that do not fit a double (1e400) become infinite. The tree is
 * the caller's: cJSON_Delete().
 */
bool json_parse(const char *path, const char *text, cJSON **out, struct error *e);

#endif
