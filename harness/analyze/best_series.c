/*
 * Implements the part of best.h that handles series.
 *
 * A range can grow as long as a single configuration is tied with the winner at every size in it.
 * Any part of such a range meets this condition as well, so greedily making each range as long as
 * possible gives the fewest ranges.
 */
#include "analyze/best.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

const struct candidate *best_candidate(const struct problem *p, size_t configuration)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->candidates[i].configuration == configuration)
            return &p->candidates[i];
    return NULL;
}

/*
 * Returns a configuration's regret, minus 1, over the problems `first` to `last` in which it was
 * measured. Sets *measured to the number of these problems, *worst to the largest share by which it
 * was slower than a winner, and *worst_n to the n of that problem.
 */
static double regret_of(const struct best *b, size_t first, size_t last, size_t configuration,
                        size_t *measured, double *worst, double *worst_n)
{
    double logs = 0;
    *measured = 0;
    for (size_t i = first; i <= last; i++) {
        const struct problem *p = &b->problems[i];
        const struct candidate *c = best_candidate(p, configuration);
        if (!c)
            continue;
        double ratio = c->time.value / p->candidates[0].time.value;
        (*measured)++;
        logs += log(ratio);
        if (*measured == 1 || ratio - 1 > *worst) {
            *worst = ratio - 1;
            *worst_n = p->n;
        }
    }
    return *measured ? exp(logs / (double)*measured) - 1 : NAN;
}

/*
 * Marks in `in` the configurations that are tied with the winner of `p` and are marked in `before`.
 * If `before` is NULL, all tied configurations are marked. Returns whether any are marked.
 */
static bool narrow(const struct best *b, const struct problem *p, const bool *before, bool *in)
{
    bool any = false;
    memset(in, 0, b->configurations * sizeof *in);
    for (size_t i = 0; i < p->count; i++) {
        const struct candidate *c = &p->candidates[i];
        if (c->tied && (!before || before[c->configuration]))
            any = in[c->configuration] = true;
    }
    return any;
}

static void choose_for_range(const struct best *b, struct range *r, const bool *in)
{
    r->regret = INFINITY;
    for (size_t c = 0; c < b->configurations; c++) {
        if (!in[c])
            continue;
        size_t measured;
        double worst, worst_n;
        double regret = regret_of(b, r->first, r->last, c, &measured, &worst, &worst_n);
        if (regret < r->regret) {
            r->regret = regret;
            r->configuration = c;
        }
    }
}

static void find_ranges(const struct best *b, struct series *f)
{
    bool *in = xcalloc(2 * b->configurations + 1, sizeof *in);
    bool *next = in + b->configurations;
    f->ranges = xcalloc(f->count + 1, sizeof *f->ranges);
    for (size_t at = f->first; at < f->first + f->count;) {
        struct range *r = &f->ranges[f->range_count++];
        r->first = at;
        narrow(b, &b->problems[at], NULL, in);
        for (at++; at < f->first + f->count && narrow(b, &b->problems[at], in, next); at++)
            memcpy(in, next, b->configurations * sizeof *in);
        r->last = at - 1;
        choose_for_range(b, r, in);
    }
    free(in);
}

/* Chooses the configuration with the smallest regret among those measured at the most sizes. */
static void choose_overall(const struct best *b, struct series *f)
{
    f->measured = 0;
    for (size_t c = 0; c < b->configurations; c++) {
        size_t measured;
        double worst = 0, worst_n = 0;
        double regret =
            regret_of(b, f->first, f->first + f->count - 1, c, &measured, &worst, &worst_n);
        if (measured < f->measured || measured == 0 ||
            (measured == f->measured && regret >= f->regret))
            continue;
        f->overall = c;
        f->measured = measured;
        f->regret = regret;
        f->worst = worst;
        f->worst_n = worst_n;
    }
}

void best_series(struct best *b)
{
    for (size_t i = 0; i < b->series_count; i++) {
        find_ranges(b, &b->series[i]);
        choose_overall(b, &b->series[i]);
    }
}
