/*
 * Turns the keys of a config into options of a command. `--sizes 2^20..2^24` overrides the key
 * `sizes`, `--timing.budget_s 1` one key of `timing`, and `--tunables.LOADS 1,2` one tunable.
 * `--exclude` adds to the config's entries. The options are generated from the tables of keys.
 */
#ifndef REDSWEEP_SPEC_CONFIG_OPTIONS_H
#define REDSWEEP_SPEC_CONFIG_OPTIONS_H

#include <stddef.h>

#include <cjson/cJSON.h>

#include "base/fields.h"
#include "spec/config.h"

/*
 * Returns a table with the rows of `own` and a row for each key of a config. Values are checked
 * (ERROR_USAGE) and collected in a JSON object that looks like a config. The struct that receives
 * the options has a cJSON * at `offset`, initially NULL, which is set to this object; the caller
 * frees it with cJSON_Delete(). The table is never freed, so a program can have only one.
 */
const struct field *config_options(const struct field *own, size_t offset);

/*
 * Reads the config that a command line names from the file `path` (NULL if there is none) and
 * applies the overrides (NULL if there are none). Returns ERROR_USAGE if both are NULL; other
 * errors are those of config_read(). The caller frees the config with config_free().
 */
bool config_from_options(const char *command, const char *path, const cJSON *overrides,
                         struct config **out, struct error *e);

/* Prints the names of the options for a config's keys for --help, in lines of at most 80 bytes. */
void config_options_print(void);

#endif
