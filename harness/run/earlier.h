/*
 * An earlier run that is to be resumed: what its manifest says it was made with, and whether that
 * is still so.
 */
#ifndef REDSWEEP_RUN_EARLIER_H
#define REDSWEEP_RUN_EARLIER_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"
#include "plan/plan.h"
#include "record/manifest.h"

/*
 * Reads DIR/run.json. ERROR_CONFIG when the folder holds no run, or one of a redsweep that did not
 * store what resuming takes. The result is the caller's: manifest_free(), also when this fails.
 */
bool earlier_read(const char *folder, struct manifest *out, struct error *e);

/*
 * Appends one line "what: was …, is …" for each thing that has changed since: the config's file,
 * kernels and what they include, the device, its driver, the compiler, the number of points.
 */
void earlier_compare(const struct provenance *was, const struct provenance *now,
                     const struct plan *plan, struct text *differences);

#endif
