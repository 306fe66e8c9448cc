/*
 * Checks before a run whether the energy that its config requests (timing.energy_s) can be
 * measured, and estimates how long the measurement takes.
 */
#ifndef REDSWEEP_RUN_ENERGY_PLAN_H
#define REDSWEEP_RUN_ENERGY_PLAN_H

#include "devices/device.h"
#include "plan/plan.h"

/*
 * Returns roughly how many seconds it takes to measure the energy of the plan's points, or 0 if the
 * config does not request energy.
 */
double energy_plan_s(const struct plan *plan);

/*
 * If the config requests energy, checks that it can be measured. Fails with ERROR_DEVICE if the
 * device has no energy counter. Fails with ERROR_CONFIG if there are too many points, if the
 * measurement would take too long (measure/energy.h defines both limits), or if a search would
 * choose the points.
 */
bool energy_plan_check(const struct plan *plan, const struct device_info *info, struct error *e);

#endif
