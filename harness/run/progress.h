/*
 * What a person sees while a sweep runs: one line that is redrawn on a terminal, a plain line
 * every few seconds elsewhere. Everything goes to stderr; stdout is for results.
 */
#ifndef REDSWEEP_RUN_PROGRESS_H
#define REDSWEEP_RUN_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/phase.h"

struct progress {
    const char *what; /* "compiling", "measuring" */
    uint64_t done, total;
    double left_s; /* as its owner knows it; 0: as the rate so far says */
    double started_s, shown_s;
    bool terminal, drawn, quiet;
};

/* `quiet`: nothing is ever shown. `total` 0: nobody knows how many there will be. */
void progress_start(struct progress *p, const char *what, uint64_t total, bool quiet);
/* Whether it is time to show something. */
bool progress_due(const struct progress *p);
/* Shows `done` when it is time to; `detail` (may be "") is what is being worked on. */
void progress_show(struct progress *p, uint64_t done, const char *detail);
/* Clears the line on a terminal, at the end and so that a message can be printed; the next show draws it
 * again. */
void progress_clear(struct progress *p);

/*
 * Shows how far a phase is once it has lasted a second; short ones are not shown. `p` is of all
 * phases, one after the other, and zero at first.
 */
void progress_phase(struct progress *p, const struct phase *phase, bool quiet);

#endif
