/* Lists metrics for `redsweep list`. */
#ifndef REDSWEEP_CLI_LIST_METRICS_H
#define REDSWEEP_CLI_LIST_METRICS_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "base/error.h"

/*
 * Prints each metric's name, its unit and a sentence that explains it. If `array` is not NULL, adds
 * the metrics to `array` instead, with their formulas and counters.
 *
 * If `chip` is not NULL, also prints for each metric how many passes the chip needs to measure it,
 * or why the chip cannot measure it. If `explain` is not NULL, shows only the metric or counter
 * with this name, with the metric's formula and NVIDIA's descriptions of the counters. No device is
 * needed.
 *
 * Fails with ERROR_USAGE if there is no such chip, with ERROR_CONFIG if there is no such metric,
 * and with ERROR_SYSTEM if the chip's tables are in a library that is not on this machine.
 */
bool list_metrics(const char *chip, const char *explain, cJSON *array, struct error *e);

#endif
