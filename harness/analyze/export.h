/*
 * A run in the formats of other autotuners: one file for each problem.
 *
 *   kernel-tuner   a cache file of Kernel Tuner, which its simulation mode replays
 *   t4             results by the T4 schema of odgaard/TuningSchema, version 1.0.0
 *   t1             the space of a problem by the T1 schema: names and values, no results
 *
 * Kernels become the values of a parameter `kernel`. A parameter that a kernel does not have is −1,
 * since these formats have no missing values. Times are milliseconds there.
 */
#ifndef REDSWEEP_ANALYZE_EXPORT_H
#define REDSWEEP_ANALYZE_EXPORT_H

#include "analyze/results.h"

enum export_format { EXPORT_KERNEL_TUNER, EXPORT_T4, EXPORT_T1, EXPORT_FORMATS };
extern const char *const export_format_names[EXPORT_FORMATS];

/* Writes files into a folder that exists; *count becomes how many. ERROR_SYSTEM. */
bool export_run(const struct results *r, enum export_format format, const char *folder,
                size_t *count, struct error *e);

#endif
