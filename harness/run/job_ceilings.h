/*
 * The job of measuring a lane's achievable bandwidth, with or without self-checks: see
 * measure/ceilings.h.
 */
#ifndef REDSWEEP_RUN_JOB_CEILINGS_H
#define REDSWEEP_RUN_JOB_CEILINGS_H

#include "run/sweep_state.h"

#define CEILINGS_LIMIT_S 60.0

/* Asks for them: the caller says what the lane is at. */
void ceilings_request(struct lane *l, bool with_checks);

/* Begins the job; the ceilings go to `out`, of the lane's conditions. A run goes on without them:
 * a worker that dies of it is replaced when a batch comes. */
void ceilings_begin(struct lane *l, struct ceilings *out, bool with_checks);
bool ceilings_hear(struct lane *l, enum received received, const struct message *m,
                   struct error *e);

/* Says of ceilings that could not be measured why. */
void ceilings_note_missing(struct ceilings *out);

#endif
