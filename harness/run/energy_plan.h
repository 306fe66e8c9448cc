/*
 * Whether the energy that a config requests (timing.energy_s) can be measured, and how long that
 * takes. Both are decided before anything is measured.
 */
#ifndef REDSWEEP_RUN_ENERGY_PLAN_H
#define REDSWEEP_RUN_ENERGY_PLAN_H

#include "devices/device.h"
#include "plan/plan.h"

/* The approximate number of seconds; 0 if no energy is requested. */
double energy_plan_s(const struct plan *plan);

/*
 * Returns ERROR_DEVICE, with the reason, if the device has no energy counter, and ERROR_CONFIG if
 * the request exceeds the limits of measure/energy.h.
 */
bool energy_plan_check(const struct plan *plan, const struct device_info *info, struct error *e);

#endif
