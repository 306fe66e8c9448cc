/* Simulator functions beyond device.h, for its benchmark, its tests and `redsweep racecheck`. */
#ifndef REDSWEEP_DEVICES_SIM_SIM_H
#define REDSWEEP_DEVICES_SIM_SIM_H

#include "devices/device.h"
#include "devices/sim/counts/sim_counts.h"

extern const struct device_driver sim_driver;

/* Sets how many host threads (≥ 1) run blocks. Counts do not depend on it. */
void sim_set_threads(struct device *d, int threads);

/* Sets how many warp instructions a launch may execute before it is considered endless. */
void sim_set_budget(struct device *d, uint64_t warp_instructions);
/* Overrides device_setup.instruction_limit, which limits the instructions per warp. */
void sim_set_instruction_limit(struct device *d, uint64_t instructions);

/*
 * Sets a callback for lines that kernels print, each with its block and thread. NULL, the default,
 * drops them. Any thread that runs blocks may make the call, but never two at once.
 */
void sim_set_printer(struct device *d, void (*print)(void *context, const char *line),
                     void *context);

/* Returns the total counts of all launches since the device was opened. */
void sim_counts(const struct device *d, struct counts *out);

/* Like the driver's check(), for grids of up to MAX_RACE_BLOCKS (race_report.h) blocks. */
bool sim_check_races(struct device *d, const struct trial *t, struct race_report *out,
                     struct error *e);

/* Copies host memory into a buffer. */
bool sim_write(struct device *d, struct buffer b, size_t offset, const void *host, size_t bytes,
               struct error *e);

#endif
