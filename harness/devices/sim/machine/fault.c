/*
 * Records faults of kernels. The first fault of a launch ends it, and is reported with its thread
 * and location.
 */
#include "devices/sim/machine/machine.h"

#include "devices/device.h"

#include <stdarg.h>
#include <stdio.h>

/* Writes a message that consists of the kernel, the block, the thread, the location in the code,
 * and `what`. */
static void describe(const struct launch_state *l, const struct warp *warp, int lane,
                     const char *what, char *out, size_t size)
{
    char place[200];
    const struct block *b = warp->block;
    unsigned thread = (unsigned)warp->index * LANES + (lane < 0 ? 0 : (unsigned)lane);
    unsigned x = thread % l->threads[0], y = thread / l->threads[0] % l->threads[1],
             z = thread / l->threads[0] / l->threads[1];
    snprintf(out, size, "kernel %s, block (%u,%u,%u), %s (%u,%u,%u), %s: %s", l->p->name,
             b->index[0], b->index[1], b->index[2], lane < 0 ? "warp of thread" : "thread", x, y, z,
             program_place(l->p, warp->at, place, sizeof place), what);
}

bool fault_set(struct worker *w, const struct warp *warp, int lane, enum fault_kind kind,
               const char *format, ...)
{
    struct launch_state *l = w->launch;
    pthread_mutex_lock(&l->lock);
    if (l->fault == FAULT_NONE) {
        char what[640];
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(what, sizeof what, format, arguments);
        va_end(arguments);
        describe(l, warp, lane, what, l->fault_text, sizeof l->fault_text);
        l->fault = kind;
    }
    pthread_mutex_unlock(&l->lock);
    __atomic_store_n(&l->stop, 1, __ATOMIC_SEQ_CST);
    return false;
}

bool fault_unwritten(struct worker *w, const struct warp *warp, int lane, uint64_t offset)
{
    struct launch_state *l = w->launch;
    char what[120];
    snprintf(
        what, sizeof what,
        "the thread reads shared memory at offset %llu, which no thread of the block has written",
        (unsigned long long)offset);
    if (!l->unwritten)
        return fault_set(w, warp, lane, FAULT_LAUNCH, "%s", what);
    /* one lock for all launches, because grids that a kernel launches write to the same text */
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    if (!l->unwritten[0])
        describe(l, warp, lane, what, l->unwritten, UNWRITTEN_TEXT);
    pthread_mutex_unlock(&lock);
    return true;
}
