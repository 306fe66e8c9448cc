/*
 * A side is one run of a sweep: an ordinary sweep has one, and a gate has two, baseline and
 * candidate. This file makes, describes and closes the folders of the sides.
 */
#ifndef REDSWEEP_RUN_SIDES_H
#define REDSWEEP_RUN_SIDES_H

#include "run/sweep_state.h"

/*
 * Makes the sides of a sweep. Their manifests list the earlier sessions of the run, followed by a
 * new session for each lane.
 */
void sweep_begin_session(struct sweep *s);

/* Fills in the provenance of each side. The device and the plan must be known. */
bool sweep_describe(struct sweep *s, struct error *e);

/* Makes the folders of the sides and the files in them, and locks the folders. */
bool sweep_create(struct sweep *s, struct error *e);

/*
 * Records the final status of each run, unlocks the folders and frees the sides. `ok` tells whether
 * nothing has failed so far.
 */
bool sweep_close(struct sweep *s, bool ok, struct error *e);

/*
 * Notes that the run's folder exists, so that the message after running out of memory can say how
 * to resume the run.
 */
void sweep_on_disk(struct sweep *s, const char *folder);

#endif
