/*
 * The tables of a config's keys. They are used by config.c, by the readers of values that occur
 * only in configs, and by the test that compares configs/README.md with them.
 */
#ifndef REDSWEEP_SPEC_CONFIG_FIELDS_H
#define REDSWEEP_SPEC_CONFIG_FIELDS_H

#include "base/fields.h"
#include "spec/config.h"

enum { MAY_BE_EMPTY = FIELD_OWN }; /* allows an empty list of names */

enum {
    CONFIG_MAX_NAMES = 1000,
    CONFIG_LONGEST_NAME = 100, /* all lengths are in bytes */
    CONFIG_LONGEST_METRIC = 127,
    CONFIG_LONGEST_PATH = 4000,
    CONFIG_MAX_SHAPES = 10000,
    CONFIG_MAX_EXCLUDES = 1000
};

extern const struct field config_fields[]; /* each table ends with a row that has no name */
extern const struct field timing_fields[]; /* the keys of `timing` */
extern const struct field search_fields[]; /* the keys of `search` */

/* Readers of values that occur only in configs, from config_values.c. */
field_reader config_comment; /* checks the comment without storing it */
field_reader config_schema;  /* checks the address of an editor's schema without storing it */
field_reader config_name;
field_reader config_kernels;
field_reader config_metrics;
field_reader config_folders;
/* Reads words, or "supported", which selects all words and sets a flag in the config. */
field_reader config_supported;
field_reader config_choices; /* stores words as indices in a struct config_values */
/* Reads what field_uint64s() reads, or "all" for every integer in the range. */
field_reader config_integers_or_all;
field_reader config_shapes;
field_reader config_tunables;
field_reader config_points;

/* From exclude.c. */
field_reader config_excludes;
field_reader config_skips;
/* From config.c. */
field_reader config_timing;
field_reader config_search;

#endif
