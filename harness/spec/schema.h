/*
 * Makes a JSON Schema (2020-12) of configs for editors and for programs that write configs. The
 * schema is generated from the tables that read configs. A schema cannot express all checks: only
 * redsweep detects mistakes that depend on several values, on files, or on expressions in strings.
 */
#ifndef REDSWEEP_SPEC_SCHEMA_H
#define REDSWEEP_SPEC_SCHEMA_H

#include "base/text.h"

/* Appends the schema as indented JSON. */
void config_append_schema(struct text *out);

#endif
