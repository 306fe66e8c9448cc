/*
 * A config's keys as options of a command: `--sizes 2^20..2^24` overrides the key `sizes`,
 * `--timing.budget_s 1` one in `timing`, `--tunables.LOADS 1,2` one tunable. `--exclude` adds to
 * the config's entries. The options are made from the tables of keys.
 */
#ifndef REDSWEEP_SPEC_CONFIG_OPTIONS_H
#define REDSWEEP_SPEC_CONFIG_OPTIONS_H

#include <stddef.h>

#include <cjson/cJSON.h>

#include "base/fields.h"
#include "spec/config.h"

/*
 * The rows of `own` and one for each key of a config. Their values are collected in the member at
 * `offset`, a cJSON * that is NULL at first: an object as a config has it, each value checked
 * (ERROR_USAGE). The object is the caller's: cJSON_Delete(). The rows live as long as the program;
 * only one table per program.
 */
const struct field *config_options(const struct field *own, size_t offset);

/*
 * The config of a command line: a file (`path`, NULL for none) including the overrides (NULL for
 * none). ERROR_USAGE if there is neither; otherwise as config_read(). config_free().
 */
bool config_from_options(const char *command, const char *path, const cJSON *overrides,
                         struct config **out, struct error *e);

/* The names of these options, for --help: lines of at most 80 bytes. */
void config_options_print(void);

#endif
