/*
 * The folders that a sweep writes: see sides.c.
 */
#ifndef REDSWEEP_RUN_SIDES_H
#define REDSWEEP_RUN_SIDES_H

#include "run/sweep_state.h"

/* The sides, whose manifests have the sessions of the run so far, and one that begins now. */
void sweep_begin_session(struct sweep *s);

/* Fills in the origin of the run, once the device and the plan are known. */
bool sweep_describe(struct sweep *s, struct error *e);

/* Makes and locks the folders and their files. */
bool sweep_create(struct sweep *s, struct error *e);

/* Ends the folders' runs; `ok`: nothing has failed so far. Frees the sides. */
bool sweep_close(struct sweep *s, bool ok, struct error *e);

/* The folder of the run exists: a message about exhausted memory can from now on say how to
 * resume. */
void sweep_on_disk(struct sweep *s, const char *folder);

#endif
