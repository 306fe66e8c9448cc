/*
 * Displays the progress of a sweep: on a terminal as a line that is redrawn, elsewhere as a plain
 * line every few seconds. Everything goes to stderr, because stdout is for results.
 */
#ifndef REDSWEEP_RUN_PROGRESS_H
#define REDSWEEP_RUN_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/phase.h"

struct progress {
    const char *what; /* the current work, such as "compiling" or "measuring" */
    uint64_t done, total;
    double left_s; /* the caller's estimate of the time left; 0: extrapolate */
    double started_s, shown_s;
    bool terminal, drawn, quiet;
};

/* Starts a progress line. If `quiet` is set, it is never shown. A `total` of 0 is unknown. */
void progress_start(struct progress *p, const char *what, uint64_t total, bool quiet);
/* Returns whether it is time to redraw the line. */
bool progress_due(const struct progress *p);
/*
 * Sets `done`, and shows it if progress_due(). `detail` describes the current work and may be "".
 */
void progress_show(struct progress *p, uint64_t done, const char *detail);
/*
 * Clears the line on a terminal, before printing a message and at the end. The next progress_show()
 * that is due draws it again.
 */
void progress_clear(struct progress *p);

/*
 * Shows the progress of a phase once it has lasted a second. `p` serves for all phases, one after
 * another, and must be zeroed before the first call.
 */
void progress_phase(struct progress *p, const struct phase *phase, bool quiet);

#endif
