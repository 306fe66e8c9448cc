/*
 * A kernel's fault: the first one ends the launch, and says which thread met it and where.
 */
#include "devices/sim/machine/machine.h"

#include <stdarg.h>
#include <stdio.h>

bool fault_set(struct worker *w, const struct warp *warp, int lane, enum fault_kind kind,
               const char *format, ...)
{
    struct launch_state *l = w->launch;
    pthread_mutex_lock(&l->lock);
    if (l->fault == FAULT_NONE) {
        char what[640], place[200];
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(what, sizeof what, format, arguments);
        va_end(arguments);
        const struct block *b = warp->block;
        unsigned thread = (unsigned)warp->index * LANES + (lane < 0 ? 0 : (unsigned)lane);
        unsigned x = thread % l->threads[0], y = thread / l->threads[0] % l->threads[1],
                 z = thread / l->threads[0] / l->threads[1];
        snprintf(l->fault_text, sizeof l->fault_text,
                 "kernel %s, block (%u,%u,%u), %s (%u,%u,%u), %s: %s", l->p->name, b->index[0],
                 b->index[1], b->index[2], lane < 0 ? "warp of thread" : "thread", x, y, z,
                 program_place(l->p, warp->at, place, sizeof place), what);
        l->fault = kind;
    }
    pthread_mutex_unlock(&l->lock);
    __atomic_store_n(&l->stop, 1, __ATOMIC_SEQ_CST);
    return false;
}
