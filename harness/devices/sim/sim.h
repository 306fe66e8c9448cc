/* Declares the simulator's functions that are not in device.h, for its benchmark, its tests and
 * `redsweep racecheck`. */
#ifndef REDSWEEP_DEVICES_SIM_SIM_H
#define REDSWEEP_DEVICES_SIM_SIM_H

#include "devices/device.h"
#include "devices/sim/counts/sim_counts.h"

extern const struct device_driver sim_driver;

/*
 * Sets the number of host threads (≥ 1) that run blocks. The counts do not depend on this number.
 */
void sim_set_threads(struct device *d, int threads);

/*
 * Sets the number of warp instructions that a launch may execute before it is treated as endless.
 */
void sim_set_budget(struct device *d, uint64_t warp_instructions);
/*
 * Sets the number of instructions that one warp may execute, instead of
 * device_setup.instruction_limit.
 */
void sim_set_instruction_limit(struct device *d, uint64_t instructions);

/*
 * Sets the function that receives the lines that kernels print, each with its block and thread.
 * NULL, which is the default, drops the lines. The threads that run blocks call the function, but
 * never two of them at the same time.
 */
void sim_set_printer(struct device *d, void (*print)(void *context, const char *line),
                     void *context);

/* Sums the counts of all launches since the device was opened. */
void sim_counts(const struct device *d, struct counts *out);

/*
 * Works like the driver's check(), for grids of up to MAX_RACE_BLOCKS (race_report.h) blocks.
 */
bool sim_check_races(struct device *d, const struct trial *t, struct race_report *out,
                     struct error *e);

/* Copies host memory into a buffer. */
bool sim_write(struct device *d, struct buffer b, size_t offset, const void *host, size_t bytes,
               struct error *e);

#endif
