/*
 * An earlier run that is to be gone on with: what its results.json says it was made with, and
 * whether that is still so.
 */
#ifndef REDSWEEP_RUN_EARLIER_H
#define REDSWEEP_RUN_EARLIER_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"
#include "plan/plan.h"
#include "record/record.h"

struct cJSON;

struct earlier {
    struct cJSON *document; /* what follows points into it */
    const char *status;     /* "running" (or killed), "stopped", "failed", "complete" */
    const char *config_text, *config_path, *device_option;
    const char *more_kernels; /* NULL: none */
    const char *command, *started;
    struct resumption *sessions; /* with one free place at the end */
    int session_count;
};

/*
 * Reads the head of DIR/results.json (its rows are not looked at). ERROR_CONFIG when the folder
 * holds no run, or one of a redsweep that did not store what resuming takes. The result is the
 * caller's: earlier_free(), also when this fails.
 */
bool earlier_read(const char *folder, struct earlier *out, struct error *e);
void earlier_free(struct earlier *earlier);

/*
 * Appends one line "what: was …, is …" for each thing that has changed since: the config's file,
 * kernels and what they include, the device, its driver, the compiler, the number of points.
 */
void earlier_compare(const struct earlier *earlier, const struct provenance *now,
                     const struct plan *plan, struct text *differences);

/*
 * Appends the conditions of the earlier sessions, one JSON object each with commas between them.
 * False when memory ran out.
 */
bool earlier_conditions(const struct earlier *earlier, struct text *out);

#endif
