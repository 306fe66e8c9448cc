/*
 * A pager between standard output and a terminal: $PAGER, by default less, which ends by itself
 * when all fits on the screen.
 */
#ifndef REDSWEEP_BASE_PAGER_H
#define REDSWEEP_BASE_PAGER_H

#include <stdbool.h>

#include "base/error.h"

/*
 * From here on standard output goes through the pager. Nothing happens where standard output is no
 * terminal, $PAGER is empty or cat, or there is no less; true also then.
 */
bool pager_begin(struct error *e);

/* Waits until the reader has ended the pager. ERROR_SYSTEM when it could not be run. */
bool pager_end(struct error *e);

#endif
