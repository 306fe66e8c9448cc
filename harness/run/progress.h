/*
 * Displays the progress of a sweep. On a terminal, a single line is redrawn; otherwise, a new line
 * is printed every two seconds. Everything goes to stderr, because stdout is for results.
 */
#ifndef REDSWEEP_RUN_PROGRESS_H
#define REDSWEEP_RUN_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/phase.h"

struct progress {
    const char *what; /* the current work, such as "compiling" or "measuring" */
    uint64_t done, total;
    double left_s; /* the caller's estimate of the time left; 0: extrapolate from `done` */
    double started_s, shown_s;
    bool terminal, drawn, quiet;
};

/*
 * Starts a progress line for the work `what`, which consists of `total` steps (0: unknown). If
 * `quiet` is set, the line is never shown.
 */
void progress_start(struct progress *p, const char *what, uint64_t total, bool quiet);
/* Returns whether it is time to redraw the line. */
bool progress_due(const struct progress *p);
/*
 * Sets p->done, and redraws the line if progress_due() returns true. `detail` describes the current
 * step and may be "".
 */
void progress_show(struct progress *p, uint64_t done, const char *detail);
/*
 * Erases the line from the terminal. Called before a message is printed, and at the end. The next
 * progress_show() draws the line again when it is due.
 */
void progress_clear(struct progress *p);

/*
 * Shows the progress of a phase (base/phase.h) once the phase has lasted a second. `p` is used for
 * all phases, one after another, and must be zeroed before the first call.
 */
void progress_phase(struct progress *p, const struct phase *phase, bool quiet);

#endif
