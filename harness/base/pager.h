/*
 * A pager between standard output and a terminal: $PAGER, by default less, which ends by itself if
 * everything fits on the screen.
 */
#ifndef REDSWEEP_BASE_PAGER_H
#define REDSWEEP_BASE_PAGER_H

#include <stdbool.h>

#include "base/error.h"

/*
 * Sends standard output through the pager from here on. Does nothing, and returns true, if standard
 * output is not a terminal, $PAGER is empty or cat, or less is not installed.
 */
bool pager_begin(struct error *e);

/* Waits until the user has left the pager. ERROR_SYSTEM if it could not be run. */
bool pager_end(struct error *e);

#endif
