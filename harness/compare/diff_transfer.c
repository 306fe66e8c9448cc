/*
 * From one device to another: whether configurations rank alike on both, and what it costs to take
 * a's winner to b. One answer for each problem (type, op, n, cache, scope) with two configurations
 * or more that both devices have timed.
 */
#include "compare/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool timed(const struct diff *d, size_t pair)
{
    return !isnan(d->points[pair].ratio.value);
}

/* Fills one transfer from its problem's pairs, listed in `members`. */
static bool transfer_of(const struct diff *d, const size_t *members, size_t count,
                        struct transfer *t)
{
    double *a = malloc((2 * count + 1) * sizeof *a);
    if (!a)
        return false;
    double *b = a + count;
    t->pair = t->winner_a = t->winner_b = members[0];
    t->configurations = count;
    for (size_t i = 0; i < count; i++) {
        a[i] = d->points[members[i]].a.value;
        b[i] = d->points[members[i]].b.value;
        if (a[i] < d->points[t->winner_a].a.value)
            t->winner_a = members[i];
        if (b[i] < d->points[t->winner_b].b.value)
            t->winner_b = members[i];
    }
    t->cost = d->points[t->winner_a].b.value / d->points[t->winner_b].b.value;
    bool ok = rank_correlation(a, b, count, &t->correlation);
    free(a);
    return ok;
}

/* Numbers the problems: problem[i] of pair i, or LOOKUP_NONE where it has no times. */
static bool number_problems(const struct diff *d, size_t *problem, size_t *problems)
{
    size_t count = d->match.pair_count;
    char **keys = calloc(count + 1, sizeof *keys);
    struct lookup seen = {0};
    bool ok = keys != NULL;
    *problems = 0;
    for (size_t i = 0; ok && i < count; i++) {
        problem[i] = LOOKUP_NONE;
        if (!timed(d, i))
            continue;
        keys[i] = match_key(d->a, d->match.pairs[i].a, KEY_PROBLEM & ~d->match.ignored);
        ok = keys[i] != NULL;
        problem[i] = ok ? lookup_find(&seen, keys[i]) : LOOKUP_NONE;
        if (ok && problem[i] == LOOKUP_NONE) {
            problem[i] = (*problems)++;
            ok = lookup_add(&seen, keys[i], problem[i]);
        }
    }
    lookup_free(&seen);
    for (size_t i = 0; keys && i < count; i++)
        free(keys[i]);
    free(keys);
    return ok;
}

bool diff_transfers(struct diff *d)
{
    size_t count = d->match.pair_count, problems = 0;
    size_t *problem = malloc((count + 1) * sizeof *problem);
    size_t *members = malloc((count + 1) * sizeof *members);
    d->transfers = calloc(count + 1, sizeof *d->transfers);
    bool ok = problem && members && d->transfers && number_problems(d, problem, &problems);
    for (size_t k = 0; ok && k < problems; k++) {
        size_t found = 0;
        for (size_t i = 0; i < count; i++)
            if (problem[i] == k)
                members[found++] = i;
        if (found >= 2)
            ok = transfer_of(d, members, found, &d->transfers[d->transfer_count++]);
    }
    free(problem);
    free(members);
    return ok;
}
