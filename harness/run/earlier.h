/* Reads the provenance of a run that is to be resumed, and compares it with the current state. */
#ifndef REDSWEEP_RUN_EARLIER_H
#define REDSWEEP_RUN_EARLIER_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"
#include "plan/plan.h"
#include "record/manifest.h"

/*
 * Reads run.json in `folder`. Fails with ERROR_CONFIG if the folder does not contain a run, or if
 * run.json lacks the config or the device's name, which some older versions of redsweep did not
 * store. Free `out` with manifest_free(), even on failure.
 */
bool earlier_read(const char *folder, struct manifest *out, struct error *e);

/*
 * Compares two provenances, and appends a line "what: was …, is now …" to `differences` for each
 * value that has changed. The values are the config's file, the kernels and the files that they
 * include, the device, its driver, the compiler, and the number of points.
 */
void earlier_compare(const struct provenance *was, const struct provenance *now,
                     const struct plan *plan, struct text *differences);

#endif
