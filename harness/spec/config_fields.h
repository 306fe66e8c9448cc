/*
 * Declares the tables of a config's keys. The tables are used by config.c, by the readers of values
 * that occur only in configs, and by the test that compares configs/README.md with the tables.
 */
#ifndef REDSWEEP_SPEC_CONFIG_FIELDS_H
#define REDSWEEP_SPEC_CONFIG_FIELDS_H

#include "base/fields.h"
#include "spec/config.h"

enum { MAY_BE_EMPTY = FIELD_OWN }; /* this flag allows an empty list of names */

enum {
    CONFIG_MAX_NAMES = 1000,
    CONFIG_LONGEST_NAME = 100, /* all these lengths are in bytes */
    CONFIG_LONGEST_METRIC = 127,
    CONFIG_LONGEST_PATH = 4000,
    CONFIG_MAX_SHAPES = 10000,
    CONFIG_MAX_EXCLUDES = 1000
};

extern const struct field config_fields[]; /* each table ends with a row that has no name */
extern const struct field timing_fields[]; /* the keys of `timing` */
extern const struct field search_fields[]; /* the keys of `search` */

/* The following readers read values that occur only in configs. config_values.c defines them. */
field_reader config_comment; /* checks the comment but does not store it */
field_reader config_schema;  /* checks the address of an editor's schema but does not store it */
field_reader config_name;
field_reader config_kernels;
field_reader config_metrics;
field_reader config_folders;
/*
 * This reader accepts words, or "supported", which selects all words and sets a flag of the config.
 */
field_reader config_supported;
field_reader config_choices; /* stores the indices of words in a struct config_values */
/* Accepts the values of field_uint64s(), or "all" for every integer of the range. */
field_reader config_integers_or_all;
field_reader config_shapes;
field_reader config_tunables;
field_reader config_points;

/* exclude.c defines these two readers. */
field_reader config_excludes;
field_reader config_skips;
/* config.c defines these two readers. */
field_reader config_timing;
field_reader config_search;

#endif
