/*
 * The conditions of a run: see conditions.h.
 */
#include "record/conditions.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static void ceilings_clear(struct ceilings *c)
{
    memset(c, 0, sizeof *c);
    c->empty_us = c->read_gbs = c->copy_gbs = c->write_gbs = NAN;
}

void conditions_clear(struct conditions *c)
{
    memset(c, 0, sizeof *c);
    ceilings_clear(&c->start);
    ceilings_clear(&c->end);
    c->launch = (struct launch_seen){0, NAN, NAN, NAN, NAN};
}

static double known(double value)
{
    return value > 0 ? value : NAN;
}

void conditions_launch(struct conditions *c, int contexts, double step_us, double launch_us,
                       double refused_us)
{
    struct launch_seen *l = &c->launch; /* fmin and fmax pass over NaN */
    l->contexts = contexts;
    l->step_us = fmin(l->step_us, known(step_us));
    l->least_us = fmin(l->least_us, known(launch_us));
    l->most_us = fmax(l->most_us, known(launch_us));
    l->refused_us = fmax(l->refused_us, known(refused_us));
}

double conditions_drift_pct(const struct conditions *c)
{
    return (c->end.read_gbs / c->start.read_gbs - 1) * 100;
}

bool conditions_hold(const struct conditions *c)
{
    for (int i = 0; i < c->check_count; i++)
        if (!c->checks[i].ok)
            return false;
    return true;
}
