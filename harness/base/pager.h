/*
 * If standard output is a terminal, shows it in a pager: $PAGER, or else less, which exits at once
 * if everything fits on the screen.
 */
#ifndef REDSWEEP_BASE_PAGER_H
#define REDSWEEP_BASE_PAGER_H

#include <stdbool.h>

#include "base/error.h"

/*
 * Sends standard output through the pager from now on. Does nothing and returns true if standard
 * output is not a terminal, if $PAGER is empty or cat, or if less is not installed.
 */
bool pager_begin(struct error *e);

/*
 * Waits until the user has left the pager. Fails with ERROR_SYSTEM if the pager could not be run.
 */
bool pager_end(struct error *e);

#endif
