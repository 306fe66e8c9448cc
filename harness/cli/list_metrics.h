/* Lists metrics for `redsweep list`. */
#ifndef REDSWEEP_CLI_LIST_METRICS_H
#define REDSWEEP_CLI_LIST_METRICS_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "base/error.h"

/*
 * Prints the metrics with their names, units and a sentence each. If `array` is not NULL, adds them
 * to it instead, with their formulas and counters.
 *
 * If `chip` is not NULL, also prints the number of passes in which that chip measures each metric,
 * or why it cannot. If `explain` is not NULL, shows only the metric (or raw counter) with this name,
 * with its formula and the vendor's descriptions of its counters. No device is needed.
 *
 * Fails with ERROR_USAGE if there is no such chip, with ERROR_CONFIG if there is no such metric,
 * and with ERROR_SYSTEM if the chip's tables are in a library that is not on this machine.
 */
bool list_metrics(const char *chip, const char *explain, cJSON *array, struct error *e);

#endif
