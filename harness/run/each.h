/*
 * Makes runs on several devices at the same time, for `redsweep run --each`. Each of them is an
 * ordinary run in its own folder.
 */
#ifndef REDSWEEP_RUN_EACH_H
#define REDSWEEP_RUN_EACH_H

#include "run/commands.h"
#include "run/device_names.h"
#include "run/sweep.h"

/*
 * Runs the sweep `common` on each device, on at most request->lanes devices at a time. Each run has
 * the folder OUT/UUID. Then passes the folders to request->compare. Returns the highest exit code.
 */
int run_each(const struct sweep_options *common, const struct sweep_request *request,
             const struct device_names *devices, struct error *e);

#endif
