/*
 * Measures the whole sweep on each of several devices at the same time, for `redsweep run --each`.
 * Each device gets an ordinary run in a folder of its own.
 */
#ifndef REDSWEEP_RUN_EACH_H
#define REDSWEEP_RUN_EACH_H

#include "run/commands.h"
#include "run/device_names.h"
#include "run/sweep.h"

/*
 * Runs the sweep `common` on each device, on at most request->lanes devices at a time, and writes
 * each device's run to the folder OUT/UUID. Then passes the folders to request->compare. Returns
 * the highest exit code of the runs.
 */
int run_each(const struct sweep_options *common, const struct sweep_request *request,
             const struct device_names *devices, struct error *e);

#endif
