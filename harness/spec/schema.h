/*
 * A JSON Schema (2020-12) of configs, made from the tables that read them: for editors, and for programs that
 * write configs. It refuses what a schema can refuse; what depends on several values, on files or on the
 * expressions in texts is refused by redsweep alone.
 */
#ifndef REDSWEEP_SPEC_SCHEMA_H
#define REDSWEEP_SPEC_SCHEMA_H

#include "base/text.h"

/* Appends the schema as JSON with indentation. */
void config_append_schema(struct text *out);

#endif
