/*
 * Makes a JSON Schema (2020-12) of configs, for editors and for programs that write configs, from
 * the tables that read configs. A schema cannot express every check: only redsweep finds mistakes
 * that depend on several values, on files, or on expressions in strings.
 */
#ifndef REDSWEEP_SPEC_SCHEMA_H
#define REDSWEEP_SPEC_SCHEMA_H

#include "base/text.h"

/* Appends the schema as indented JSON. */
void config_append_schema(struct text *out);

#endif
