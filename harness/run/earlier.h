/* Reads the provenance of a run to resume, and compares it with the current state. */
#ifndef REDSWEEP_RUN_EARLIER_H
#define REDSWEEP_RUN_EARLIER_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"
#include "plan/plan.h"
#include "record/manifest.h"

/*
 * Reads DIR/run.json. Fails with ERROR_CONFIG if the folder is not a run, or if the redsweep
 * version that made it did not store what resuming needs. Free the result with manifest_free(),
 * even on failure.
 */
bool earlier_read(const char *folder, struct manifest *out, struct error *e);

/*
 * Appends a line "what: was …, is …" for each change since the earlier session to the config's
 * file, the kernels and the files that they include, the device, its driver, the compiler, or the
 * number of points.
 */
void earlier_compare(const struct provenance *was, const struct provenance *now,
                     const struct plan *plan, struct text *differences);

#endif
