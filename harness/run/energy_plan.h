/*
 * If a config requests energy (timing.energy_s), checks before the run whether energy can be
 * measured, and estimates how long measuring it takes.
 */
#ifndef REDSWEEP_RUN_ENERGY_PLAN_H
#define REDSWEEP_RUN_ENERGY_PLAN_H

#include "devices/device.h"
#include "plan/plan.h"

/*
 * Returns the approximate number of seconds for measuring energy, or 0 if no energy is requested.
 */
double energy_plan_s(const struct plan *plan);

/*
 * Checks a request for energy. Fails with ERROR_DEVICE and the reason if the device has no energy
 * counter. Fails with ERROR_CONFIG if the request exceeds the limits of measure/energy.h, or if a
 * search would choose the points.
 */
bool energy_plan_check(const struct plan *plan, const struct device_info *info, struct error *e);

#endif
