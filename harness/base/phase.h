/*
 * How far a long task has progressed, for a progress line. Each thread that works on the phase
 * counts what it has done. A watcher reads these counts, even from another process if they are in
 * shared memory.
 *
 * A process is in one phase at a time.
 */
#ifndef REDSWEEP_BASE_PHASE_H
#define REDSWEEP_BASE_PHASE_H

#include <stdint.h>

enum phase_kind {
    PHASE_NONE,
    PHASE_PLAN,      /* pairs of a kernel and an input */
    PHASE_CONTEXTS,  /* device contexts tried */
    PHASE_REFERENCE, /* elements reduced by the CPU */
    PHASE_ENERGY,    /* blocks of launches with measured energy */
    PHASE_KINDS
};

struct phase {
    _Atomic unsigned kind; /* an enum phase_kind */
    _Atomic uint64_t done, total;
};

/*
 * Returns a human-readable word ("planning" …), or "" for PHASE_NONE and values of PHASE_KINDS or
 * more.
 */
const char *phase_name(unsigned kind);

void phase_begin(enum phase_kind kind, uint64_t total);
void phase_add(uint64_t done);
void phase_end(void);

/*
 * Makes this process count in `shared` from now on, or, with NULL, in its own memory, as at the
 * start.
 */
void phase_share(struct phase *shared);

/*
 * Calls `watcher` with this process's phase at each phase_add(), in the thread that adds. NULL ends
 * the calls.
 */
void phase_watch(void (*watcher)(void *context, const struct phase *phase), void *context);

#endif
