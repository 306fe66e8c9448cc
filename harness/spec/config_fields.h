/*
 * The table of a config's keys, for config.c, its own kinds of values, and the test that compares
 * configs/README.md with it.
 */
#ifndef REDSWEEP_SPEC_CONFIG_FIELDS_H
#define REDSWEEP_SPEC_CONFIG_FIELDS_H

#include "base/fields.h"
#include "spec/config.h"

enum { MAY_BE_EMPTY = FIELD_OWN }; /* a flag for lists of names */

enum {
    CONFIG_MAX_NAMES = 1000,
    CONFIG_LONGEST_NAME = 100, /* bytes */
    CONFIG_LONGEST_METRIC = 127,
    CONFIG_LONGEST_PATH = 4000,
    CONFIG_MAX_SHAPES = 10000,
    CONFIG_MAX_EXCLUDES = 1000
};

extern const struct field config_fields[]; /* ends with a row without a name */
extern const struct field timing_fields[]; /* of the key `timing` */
extern const struct field search_fields[]; /* of the key `search` */

/* Readers of values that only a config has: config_values.c. */
field_reader config_comment; /* kept nowhere */
field_reader config_schema;  /* the same: an editor's schema */
field_reader config_name;
field_reader config_kernels;
field_reader config_metrics;
field_reader config_folders;
field_reader config_supported;       /* the same; "supported" is all, and a flag of the config */
field_reader config_choices;         /* numbers of words, as struct config_values */
field_reader config_integers_or_all; /* field_uint64s(), or "all" numbers of the range */
field_reader config_shapes;
field_reader config_tunables;
field_reader config_points;

field_reader config_excludes; /* exclude.c */
field_reader config_skips;    /* the same */
field_reader config_timing;   /* config.c */
field_reader config_search;

#endif
