/*
 * Lists metrics for `redsweep list`.
 */
#ifndef REDSWEEP_CLI_LIST_METRICS_H
#define REDSWEEP_CLI_LIST_METRICS_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "base/error.h"

/*
 * Prints the table of metrics, each with its name, its unit and a sentence. If `array` is not NULL,
 * adds the metrics to it instead, with their formulas and counters.
 *
 * If `chip` is not NULL, each metric also shows in how many passes that chip provides it, or why it
 * does not. If `explain` is not NULL, only the metric (or raw counter) with this name is shown,
 * with its formula and the vendor's descriptions of its counters. No device is needed.
 *
 * Fails with ERROR_USAGE if there is no such chip, and with ERROR_CONFIG if there is no such
 * metric. Fails with ERROR_SYSTEM if the chip's tables are in a library that is not on this
 * machine.
 */
bool list_metrics(const char *chip, const char *explain, cJSON *array, struct error *e);

#endif
