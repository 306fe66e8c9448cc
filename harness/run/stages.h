/*
 * What a sweep's lanes do, from compiling to the last ceilings: see stages.c.
 */
#ifndef REDSWEEP_RUN_STAGES_H
#define REDSWEEP_RUN_STAGES_H

#include "run/sweep_state.h"

/* False when nothing can be recorded any more; devices that keep failing set result->stopped. */
bool stages_run(struct sweep *s, struct error *e);

#endif
