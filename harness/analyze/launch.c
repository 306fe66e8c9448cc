/* Implements launch.h. */
#include "analyze/launch.h"

#include <math.h>
#include <string.h>

/* The step of the clock and the launch times over all sessions of a run. Unknown times are NaN. */
struct launches {
    double step_us, shortest_us, longest_us;
    double taken_us; /* the longest of the launches in the contexts that the sessions kept */
    /* the fewest contexts that a session tried */
    int contexts;
};

/*
 * Combines the sessions of a run. Unknown times do not count, because fmin() and fmax() ignore NaN.
 */
static struct launches launches_of(const struct results *r)
{
    struct launches l = {NAN, NAN, NAN, NAN, 0};
    for (size_t i = 0; i < r->manifest.sessions.count; i++) {
        const struct launch_seen *seen = &r->manifest.sessions.items[i].launch;
        l.step_us = fmax(l.step_us, seen->step_us);
        l.shortest_us = fmin(l.shortest_us, seen->min_us);
        l.taken_us = fmax(l.taken_us, seen->max_us);
        l.longest_us = fmax(l.longest_us, seen->refused_us);
        if (seen->contexts > 0 && (l.contexts == 0 || seen->contexts < l.contexts))
            l.contexts = (int)seen->contexts;
    }
    if (!isnan(l.longest_us))
        l.longest_us = fmax(l.longest_us, l.taken_us);
    return l;
}

/* Returns whether one process measured both runs in one context, as a gate does (run/sides.c). */
static bool in_one_process(const struct results *a, const struct results *b)
{
    const char *process = a->manifest.provenance.process;
    return *process && strcmp(process, b->manifest.provenance.process) == 0;
}

struct run_margins launch_margins(const struct results *a, const struct results *b)
{
    struct launches x = launches_of(a), y = launches_of(b);
    double step = fmax(x.step_us, y.step_us);
    double sd = fmax(context_sd(x.shortest_us, x.longest_us, x.contexts),
                     context_sd(y.shortest_us, y.longest_us, y.contexts));
    if (isnan(x.longest_us) && isnan(y.longest_us))
        sd = context_sd(fmin(x.shortest_us, y.shortest_us), fmax(x.taken_us, y.taken_us), 2);
    bool one_process = in_one_process(a, b);
    return (struct run_margins){.step_us = isnan(step) ? 0 : step,
                                .context_sd_us = one_process ? 0 : sd,
                                .one_process = one_process};
}
