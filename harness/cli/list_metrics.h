/*
 * The metrics part of `redsweep list`.
 */
#ifndef REDSWEEP_CLI_LIST_METRICS_H
#define REDSWEEP_CLI_LIST_METRICS_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "base/error.h"

/*
 * Prints the table of metrics: name, unit, sentence. `array` not NULL: adds them to it instead,
 * with formulas and counters. `chip` not NULL: how that chip provides them, with passes, or why it
 * does not. `explain` not NULL: only that metric (or raw counter), with its formula and the maker's
 * description of its counters. No device is needed. ERROR_USAGE: no such chip; ERROR_CONFIG: no
 * such metric; ERROR_SYSTEM: the chip's tables are in a library that is not here.
 */
bool list_metrics(const char *chip, const char *explain, cJSON *array, struct error *e);

#endif
