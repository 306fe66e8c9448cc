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

/* Copies the values that identify a device in results. */
void provenance_device(const struct device_info *info, struct manifest_device *out);

/*
 * Fills in a zeroed provenance, except for the device of CPU functions, the options, and what
 * depends on the plan.
 */
void provenance_fill(struct provenance *p, const struct device_info *device, const char *compiler,
                     const struct config *config, const char *command);

/*
 * Hashes the plan's kernels and the harness's own, with the files that they include, into
 * p->sources_hash, which combines each kernel's kernel_hash() and a hash of its sources
 * (SOURCES_FOLDED, compile/sources.h).
 */
bool provenance_hash_sources(struct provenance *p, const struct run_setup *setup,
                             const struct plan *plan, struct error *e);

/* Describes this machine, such as "name, CPU, 16 cores, Linux 6.1". */
void provenance_host(char *out, size_t size);

/* Fills in where this process runs: the host, the CPUs it may use, and its Slurm job. */
void provenance_site(struct site *out);

/* Returns the program's version and the commit it was built from: "0.1.0 (a1b2c3d)". */
const char *redsweep_version(void);

#endif
