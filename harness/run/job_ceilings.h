/*
 * The job in which a lane measures its device's ceilings, the achievable bandwidth of a streaming
 * read, copy and write (measure/ceilings.h). Self-checks of the device may follow.
 */
#ifndef REDSWEEP_RUN_JOB_CEILINGS_H
#define REDSWEEP_RUN_JOB_CEILINGS_H

#include "run/sweep_state.h"

#define CEILINGS_LIMIT_S 60.0

/* Asks the lane's worker to measure the ceilings. The caller sets the lane's state. */
void ceilings_request(struct lane *l, bool with_checks);

/*
 * ceilings_begin() begins the job. The ceilings will be stored in `out`, a member of the lane's
 * conditions. ceilings_hear() handles a message from the worker or its loss. A run can continue
 * without ceilings, so a worker that dies during this job is replaced only when the next batch
 * begins.
 */
void ceilings_begin(struct lane *l, struct ceilings *out, bool with_checks);
bool ceilings_hear(struct lane *l, enum received received, const struct message *m,
                   struct error *e);

/* Stores in out->missing why the ceilings could not be measured. */
void ceilings_note_missing(struct ceilings *out);

#endif
