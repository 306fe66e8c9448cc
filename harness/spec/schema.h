/*
 * A JSON Schema (2020-12) of configs, made from the tables that read them: for editors, and for programs that
 * write configs. It refuses what a schema can refuse; redsweep alone refuses mistakes that depend on several
 * values, on files or on expressions in texts.
 */
#ifndef REDSWEEP_SPEC_SCHEMA_H
#define REDSWEEP_SPEC_SCHEMA_H

#include "base/text.h"

/* Appends the schema as JSON with indentation. */
void config_append_schema(struct text *out);

#endif
