/*
 * The progress display of a sweep: one line that is redrawn on a terminal, a plain line every few
 * seconds elsewhere. Everything goes to stderr; stdout is for results.
 */
#ifndef REDSWEEP_RUN_PROGRESS_H
#define REDSWEEP_RUN_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/phase.h"

struct progress {
    const char *what; /* "compiling", "measuring" */
    uint64_t done, total;
    double left_s; /* known to its owner; 0: extrapolate from the rate so far */
    double started_s, shown_s;
    bool terminal, drawn, quiet;
};

/* `quiet`: nothing is ever shown. `total` 0: the total is unknown. */
void progress_start(struct progress *p, const char *what, uint64_t total, bool quiet);
/* Whether it is time to show something. */
bool progress_due(const struct progress *p);
/* Shows `done` when it is time to; `detail` (may be "") is the current work. */
void progress_show(struct progress *p, uint64_t done, const char *detail);
/* Clears the line on a terminal, at the end and before a message is printed; the next call draws it
 * again. */
void progress_clear(struct progress *p);

/*
 * Shows the progress of a phase once it has lasted a second; shorter ones are not shown. `p` is
 * used for all phases, one after another, and is zero at first.
 */
void progress_phase(struct progress *p, const struct phase *phase, bool quiet);

#endif
