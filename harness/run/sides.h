/* Makes, describes and closes the folders to which a sweep writes. */
#ifndef REDSWEEP_RUN_SIDES_H
#define REDSWEEP_RUN_SIDES_H

#include "run/sweep_state.h"

/* Makes the sides. Their manifests have the sessions so far, and a new one for each lane. */
void sweep_begin_session(struct sweep *s);

/* Fills in the provenance of the run when the device and the plan are known. */
bool sweep_describe(struct sweep *s, struct error *e);

/* Makes the folders and their files, and locks the folders. */
bool sweep_create(struct sweep *s, struct error *e);

/* Ends the runs in the folders and frees the sides. `ok` is true if nothing has failed so far. */
bool sweep_close(struct sweep *s, bool ok, struct error *e);

/* Notes that the run's folder exists, so that an out-of-memory message can say how to resume. */
void sweep_on_disk(struct sweep *s, const char *folder);

#endif
