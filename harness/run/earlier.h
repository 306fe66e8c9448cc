/*
 * An earlier run to be resumed: its stored origin, and whether that is still valid.
 */
#ifndef REDSWEEP_RUN_EARLIER_H
#define REDSWEEP_RUN_EARLIER_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"
#include "plan/plan.h"
#include "record/manifest.h"

/*
 * Reads DIR/run.json. Returns ERROR_CONFIG if the folder has no run, or if the redsweep that made it
 * did not store what resuming needs. The caller frees the result: manifest_free(), even on failure.
 */
bool earlier_read(const char *folder, struct manifest *out, struct error *e);

/*
 * Appends one line "what: was …, is …" for each change since then: in the config's file, kernels
 * and the files that they include, the device, its driver, the compiler, the number of points.
 */
void earlier_compare(const struct provenance *was, const struct provenance *now,
                     const struct plan *plan, struct text *differences);

#endif
