/* Functions of the simulator that device.h does not offer, for its benchmark, its tests and
 * `redsweep racecheck`. */
#ifndef REDSWEEP_DEVICES_SIM_SIM_H
#define REDSWEEP_DEVICES_SIM_SIM_H

#include "devices/device.h"
#include "devices/sim/counts/sim_counts.h"

extern const struct device_driver sim_driver;

/* Sets how many host threads (at least 1) run blocks. Counts do not depend on this number. */
void sim_set_threads(struct device *d, int threads);

/* Sets how many warp instructions a launch may execute before it is considered endless. */
void sim_set_budget(struct device *d, uint64_t warp_instructions);
/* Overrides device_setup.instruction_limit, which limits the instructions per warp. */
void sim_set_instruction_limit(struct device *d, uint64_t instructions);

/*
 * Sets a function to call with each line that a kernel prints, including the printing block and
 * thread. If `print` is NULL, the default, printed lines are dropped. Any of the threads that run
 * blocks may call it, but only one at a time.
 */
void sim_set_printer(struct device *d, void (*print)(void *context, const char *line),
                     void *context);

/* Returns the total counts of all launches since the device was opened. */
void sim_counts(const struct device *d, struct counts *out);

/* Implements the driver's check(). A grid may have up to MAX_RACE_BLOCKS blocks (race_report.h). */
bool sim_check_races(struct device *d, const struct trial *t, struct race_report *out,
                     struct error *e);

/* Copies `bytes` bytes of host memory into a buffer, beginning at `offset`. */
bool sim_write(struct device *d, struct buffer b, size_t offset, const void *host, size_t bytes,
               struct error *e);

#endif
