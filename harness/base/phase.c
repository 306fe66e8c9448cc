/* Implements phase.h. */
#include "base/phase.h"

#include <stdatomic.h>
#include <stddef.h>

static struct phase own, *now = &own;
static void (*watching)(void *context, const struct phase *phase);
static void *watcher_context;

const char *phase_name(unsigned kind)
{
    static const char *const names[PHASE_KINDS] = {[PHASE_NONE] = "",
                                                   [PHASE_PLAN] = "planning",
                                                   [PHASE_CONTEXTS] = "opening contexts",
                                                   [PHASE_REFERENCE] =
                                                       "computing the expected result",
                                                   [PHASE_ENERGY] = "measuring energy in block"};
    return kind < PHASE_KINDS ? names[kind] : "";
}

void phase_begin(enum phase_kind kind, uint64_t total)
{
    atomic_store(&now->done, 0);
    atomic_store(&now->total, total);
    atomic_store(&now->kind, (unsigned)kind);
}

void phase_add(uint64_t done)
{
    atomic_fetch_add_explicit(&now->done, done, memory_order_relaxed);
    if (watching)
        watching(watcher_context, now);
}

void phase_end(void)
{
    atomic_store(&now->kind, PHASE_NONE);
}

void phase_share(struct phase *shared)
{
    now = shared ? shared : &own;
}

void phase_watch(void (*watcher)(void *context, const struct phase *phase), void *context)
{
    watcher_context = context;
    watching = watcher;
}
