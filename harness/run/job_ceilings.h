/*
 * A lane's job: measure the achievable bandwidth of its device, with or without self-checks
 * (measure/ceilings.h).
 */
#ifndef REDSWEEP_RUN_JOB_CEILINGS_H
#define REDSWEEP_RUN_JOB_CEILINGS_H

#include "run/sweep_state.h"

#define CEILINGS_LIMIT_S 60.0

/* Requests the ceilings. The caller sets the lane's state. */
void ceilings_request(struct lane *l, bool with_checks);

/*
 * Begins the job. `out` is part of the lane's conditions. A run can continue without ceilings, so a
 * worker that dies during the job is replaced only when the next batch begins.
 */
void ceilings_begin(struct lane *l, struct ceilings *out, bool with_checks);
bool ceilings_hear(struct lane *l, enum received received, const struct message *m,
                   struct error *e);

/* Records why the ceilings could not be measured. */
void ceilings_note_missing(struct ceilings *out);

#endif
