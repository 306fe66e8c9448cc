/*
 * Whether the energy that a config asks for (timing.energy_s) can be measured, and how long that
 * takes; before anything is.
 */
#ifndef REDSWEEP_RUN_ENERGY_PLAN_H
#define REDSWEEP_RUN_ENERGY_PLAN_H

#include "devices/device.h"
#include "plan/plan.h"

/* About so many seconds; 0 where no energy is asked for. */
double energy_plan_s(const struct plan *plan);

/*
 * ERROR_DEVICE where the device has no counter of energy, with its reason; ERROR_CONFIG where more
 * is asked for than measure/energy.h allows.
 */
bool energy_plan_check(const struct plan *plan, const struct device_info *info, struct error *e);

#endif
