/*
 * The simulator beyond device.h: what its benchmark, its tests and `redsweep check` use.
 */
#ifndef REDSWEEP_DEVICES_SIM_SIM_H
#define REDSWEEP_DEVICES_SIM_SIM_H

#include "devices/device.h"
#include "devices/sim/sim_counts.h"

extern const struct device_driver sim_driver;

/* Sets the number of host threads (≥ 1) that run blocks; the counts do not depend on it. */
void sim_set_threads(struct device *d, int threads);

/* Sets how many warp instructions a launch may execute before it counts as endless. */
void sim_set_budget(struct device *d, uint64_t warp_instructions);

/* What all launches since opening have counted. */
void sim_counts(const struct device *d, struct counts *out);

/* check() of the driver; grids of up to MOST_RACE_BLOCKS (races.h) blocks. */
bool sim_check_races(struct device *d, const struct trial *t, struct race_report *out,
                     struct error *e);

/* Copies host memory into a buffer. */
bool sim_write(struct device *d, struct buffer b, size_t offset, const void *host, size_t bytes,
               struct error *e);

#endif
