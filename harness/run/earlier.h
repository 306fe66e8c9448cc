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
 * Reads DIR/run.json. ERROR_CONFIG if the folder has no run, or one by a redsweep that did not
 * store what resuming needs. The result is the caller's: manifest_free(), even if this fails.
 */
bool earlier_read(const char *folder, struct manifest *out, struct error *e);

/*
 * Appends one line "what: was …, is …" for each change since then: the config's file, kernels and
 * the files that they include, the device, its driver, the compiler, the number of points.
 */
void earlier_compare(const struct provenance *was, const struct provenance *now,
                     const struct plan *plan, struct text *differences);

#endif
