/*
 * Collects the provenance of a run, once at its start: the host, the device, the program and the
 * hashes of its sources.
 */
#ifndef REDSWEEP_RUN_PROVENANCE_H
#define REDSWEEP_RUN_PROVENANCE_H

#include "devices/device.h"
#include "plan/plan.h"
#include "record/manifest.h"
#include "run/worker.h"

/* Copies those properties of a device that results record. */
void provenance_device(const struct device_info *info, struct manifest_device *out);

/*
 * Fills in a zeroed provenance. The caller fills in the remaining members: the device that runs CPU
 * functions, the values of options, and everything that depends on the plan.
 */
void provenance_fill(struct provenance *p, const struct device_info *device, const char *compiler,
                     const struct config *config, const char *command);

/*
 * Stores in p->sources_hash a hash over the code and facts of all kernels of the plan, of the
 * harness's own kernels, and of the files that they include (sources_hash() with SOURCES_FOLDED,
 * compile/sources.h).
 */
bool provenance_hash_sources(struct provenance *p, const struct run_setup *setup,
                             const struct plan *plan, struct error *e);

/* Writes a description of this machine to `out`, such as "name, CPU, 16 cores, Linux 6.1". */
void provenance_host(char *out, size_t size);

/*
 * Fills in where this process runs: the host, the CPUs that the process may use, and its Slurm job.
 */
void provenance_site(struct site *out);

/* Returns the program's version and the commit it was built from: "0.1.0 (a1b2c3d)". */
const char *redsweep_version(void);

#endif
