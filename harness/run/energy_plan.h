/*
 * For configs that request energy (timing.energy_s): checks before the run whether it can be
 * measured, and estimates how long that takes.
 */
#ifndef REDSWEEP_RUN_ENERGY_PLAN_H
#define REDSWEEP_RUN_ENERGY_PLAN_H

#include "devices/device.h"
#include "plan/plan.h"

/* Returns roughly how many seconds measuring energy takes, or 0 if none is requested. */
double energy_plan_s(const struct plan *plan);

/*
 * Checks a request for energy. Fails with ERROR_DEVICE if the device has no energy counter, and
 * with ERROR_CONFIG if the request exceeds the limits in measure/energy.h, or if a search would
 * choose the points.
 */
bool energy_plan_check(const struct plan *plan, const struct device_info *info, struct error *e);

#endif
