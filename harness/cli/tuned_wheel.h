#ifndef REDSWEEP_CLI_TUNED_WHEEL_H
#define REDSWEEP_CLI_TUNED_WHEEL_H

#include <stdbool.h>

#include "base/error.h"

/*
 * Compiles the library that `redsweep tuned` wrote to `folder`, and packs it as a Python package (a
 * wheel). Flushes standard output first, because Python writes to it, too.
 */
bool tuned_wheel(const char *folder, const char *prefix, struct error *e);

#endif
