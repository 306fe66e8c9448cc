#ifndef REDSWEEP_CLI_TUNED_WHEEL_H
#define REDSWEEP_CLI_TUNED_WHEEL_H

#include <stdbool.h>

#include "base/error.h"

/* Compiles and packs what `redsweep tuned` wrote into `folder` as a Python package; flushes standard output. */
bool tuned_wheel(const char *folder, const char *prefix, struct error *e);

#endif
