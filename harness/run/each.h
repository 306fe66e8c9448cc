/*
 * Runs of several devices at the same time, `redsweep run --each`: each is an ordinary run in its
 * own folder.
 */
#ifndef REDSWEEP_RUN_EACH_H
#define REDSWEEP_RUN_EACH_H

#include "run/commands.h"
#include "run/device_names.h"
#include "run/sweep.h"

/*
 * Runs `common` on each device, at most request->lanes at a time, into OUT/UUID; then passes the
 * folders of the runs to request->compare. Returns the highest exit code of all runs.
 */
int run_each(const struct sweep_options *common, const struct sweep_request *request,
             const struct device_names *devices, struct error *e);

#endif
