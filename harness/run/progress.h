/*
 * Displays the progress of a sweep. On a terminal, one line is shown and redrawn. Elsewhere, a
 * plain line is written every few seconds. Everything is written to stderr, because stdout is for
 * results.
 */
#ifndef REDSWEEP_RUN_PROGRESS_H
#define REDSWEEP_RUN_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/phase.h"

struct progress {
    const char *what; /* the current work, such as "compiling" or "measuring" */
    uint64_t done, total;
    double left_s; /* the caller's estimate of the time left; 0: it is extrapolated from the rate
                      so far */
    double started_s, shown_s;
    bool terminal, drawn, quiet;
};

/* Starts a progress line. If `quiet` is set, the line is never shown. A `total` of 0 means that the
 * total is unknown. */
void progress_start(struct progress *p, const char *what, uint64_t total, bool quiet);
/* Returns whether it is time to show the line again. */
bool progress_due(const struct progress *p);
/*
 * Sets `done`, and shows it if progress_due() returns true. `detail` describes the current work and
 * may be "".
 */
void progress_show(struct progress *p, uint64_t done, const char *detail);
/*
 * Clears the line on a terminal, before a message is printed and at the end. The next call of
 * progress_show() that is due draws the line again.
 */
void progress_clear(struct progress *p);

/*
 * Shows the progress of a phase once it has lasted a second; shorter phases are not shown. `p` must
 * be zeroed before the first call. The same `p` is used for all phases, one after another.
 */
void progress_phase(struct progress *p, const struct phase *phase, bool quiet);

#endif
