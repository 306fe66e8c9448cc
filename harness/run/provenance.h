/*
 * Collects the origin of a run, once at its start: the host, the device, the program and the hashes
 * of its sources.
 */
#ifndef REDSWEEP_RUN_PROVENANCE_H
#define REDSWEEP_RUN_PROVENANCE_H

#include "devices/device.h"
#include "plan/plan.h"
#include "record/manifest.h"
#include "run/worker.h"

/*
 * Copies, from a device's description of itself, the values that identify the device in results.
 */
void provenance_device(const struct device_info *info, struct manifest_device *out);

/* Fills in a cleared provenance, except for the device of CPU functions, the options, and the
 * members that depend on the plan. */
void provenance_fill(struct provenance *p, const struct device_info *device, const char *compiler,
                     const struct config *config, const char *command);

/*
 * Hashes the plan's kernels and the harness's own kernels, with the files that they include, into
 * p->sources_hash. The hash combines, for each kernel, kernel_hash() and a hash of its sources
 * (SOURCES_FOLDED, compile/sources.h).
 */
bool provenance_hash_sources(struct provenance *p, const struct run_setup *setup,
                             const struct plan *plan, struct error *e);

/* Describes this machine, for example as "name, CPU, 16 cores, Linux 6.1". */
void provenance_host(char *out, size_t size);

/* Fills in where this process runs: the host, the CPUs that it may use, and its Slurm job. */
void provenance_site(struct site *out);

/* Returns the program's version and the commit from which it was built: "0.1.0 (a1b2c3d)". */
const char *redsweep_version(void);

#endif
