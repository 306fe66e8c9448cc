/*
 * A phase is a long task whose progress is displayed while it runs. Each thread that works on it
 * adds what it has done to a count. Another process can read the count if it is in shared memory
 * (phase_share()).
 *
 * A process is in one phase at a time.
 */
#ifndef REDSWEEP_BASE_PHASE_H
#define REDSWEEP_BASE_PHASE_H

#include <stdint.h>

enum phase_kind {
    PHASE_NONE,
    PHASE_PLAN,      /* counts pairs of a kernel and an input */
    PHASE_CONTEXTS,  /* counts device contexts that were tried */
    PHASE_REFERENCE, /* counts elements reduced by the CPU */
    PHASE_ENERGY,    /* counts groups of launches whose energy was measured */
    PHASE_KINDS
};

struct phase {
    _Atomic unsigned kind; /* an enum phase_kind */
    _Atomic uint64_t done, total;
};

/*
 * Returns words for the user ("planning" …), or "" if `kind` is PHASE_NONE or not an enum
 * phase_kind.
 */
const char *phase_name(unsigned kind);

void phase_begin(enum phase_kind kind, uint64_t total);
void phase_add(uint64_t done);
void phase_end(void);

/*
 * Makes this process keep its counts in `shared` from now on. NULL selects the process's own
 * memory, as at the start of the program.
 */
void phase_share(struct phase *shared);

/*
 * From now on, phase_add() calls `watcher` with this process's phase, in the calling thread. NULL
 * ends this.
 */
void phase_watch(void (*watcher)(void *context, const struct phase *phase), void *context);

#endif
