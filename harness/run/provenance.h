/*
 * The origin of a run, collected once at its start.
 */
#ifndef REDSWEEP_RUN_PROVENANCE_H
#define REDSWEEP_RUN_PROVENANCE_H

#include "devices/device.h"
#include "plan/plan.h"
#include "record/manifest.h"
#include "run/worker.h"

/* The identification of a device in results, from its own description. */
void provenance_device(const struct device_info *info, struct manifest_device *out);

/* Fills a cleared provenance, except for the CPU, the options, and members that depend on the
 * plan. */
void provenance_fill(struct provenance *p, const struct device_info *device, const char *compiler,
                     const struct config *config, const char *command);

/* Hashes the plan's kernels and the harness's own, with the files that they include, into
 * p->sources_hash: kernel_hash() of each and SOURCES_FOLDED of its text (compile/sources.h). */
bool provenance_hash_sources(struct provenance *p, const struct run_setup *setup,
                             const struct plan *plan, struct error *e);

/* "name, CPU, 16 cores, Linux 6.1": this machine. */
void provenance_host(char *out, size_t size);

/* The host of this process. */
void provenance_site(struct site *out);

/* "0.1.0 (a1b2c3d)": this program's version and the commit it was built from. */
const char *redsweep_version(void);

#endif
