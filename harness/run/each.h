/*
 * Makes runs on several devices at the same time, for `redsweep run --each`. Each of these runs is
 * an ordinary run in its own folder.
 */
#ifndef REDSWEEP_RUN_EACH_H
#define REDSWEEP_RUN_EACH_H

#include "run/commands.h"
#include "run/device_names.h"
#include "run/sweep.h"

/*
 * Runs the sweep `common` on each device, on at most request->lanes devices at a time. The folder
 * of each run is OUT/UUID. Then passes these folders to request->compare. Returns the highest exit
 * code of all runs.
 */
int run_each(const struct sweep_options *common, const struct sweep_request *request,
             const struct device_names *devices, struct error *e);

#endif
