/* Makes, describes and closes the folders to which a sweep writes. */
#ifndef REDSWEEP_RUN_SIDES_H
#define REDSWEEP_RUN_SIDES_H

#include "run/sweep_state.h"

/* Makes the sides. Their manifests contain the sessions of the run so far, and for each lane a
 * session that begins now. */
void sweep_begin_session(struct sweep *s);

/* Fills in the origin of the run when the device and the plan are known. */
bool sweep_describe(struct sweep *s, struct error *e);

/* Makes the folders and their files, and locks the folders. */
bool sweep_create(struct sweep *s, struct error *e);

/* Ends the runs in the folders and frees the sides. `ok` is true if nothing has failed so far. */
bool sweep_close(struct sweep *s, bool ok, struct error *e);

/* Notes that the folder of the run exists, so that a message about exhausted memory can say how to
 * resume the run. */
void sweep_on_disk(struct sweep *s, const char *folder);

#endif
