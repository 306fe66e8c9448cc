/*
 * From one device to another: whether configurations rank alike on both, and what it costs to take
 * a's winner to b. One answer for each problem (type, op, n, cache, scope) with two configurations
 * or more that both devices have timed.
 */
#include "analyze/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/numbering.h"

static bool timed(const struct diff *d, size_t pair)
{
    return !isnan(d->points[pair].ratio.value);
}

/* One problem's transfer from its pairs, listed in `members`. */
static struct transfer transfer_of(const struct diff *d, const size_t *members, size_t count)
{
    struct transfer t = {.pair = members[0], .configurations = count};
    double *a = xcalloc(2 * count, sizeof *a), *b = a + count;
    size_t best_a = 0, best_b = 0;
    for (size_t i = 0; i < count; i++) {
        const struct pair *rows = &d->match.pairs.items[members[i]];
        a[i] = diff_time(d->a, rows->a).value;
        b[i] = diff_time(d->b, rows->b).value;
        best_a = a[i] < a[best_a] ? i : best_a;
        best_b = b[i] < b[best_b] ? i : best_b;
    }
    t.winner_a = members[best_a];
    t.winner_b = members[best_b];
    t.cost = b[best_a] / b[best_b];
    t.correlation = rank_correlation(a, b, count);
    free(a);
    return t;
}

void diff_transfers(struct diff *d)
{
    size_t count = d->match.pairs.count;
    struct numbering problems = {0};
    size_t *problem = xcalloc(count + 1, sizeof *problem);
    size_t *members = xcalloc(count + 1, sizeof *members);
    for (size_t i = 0; i < count; i++) {
        problem[i] = NUMBERING_NONE;
        if (!timed(d, i))
            continue;
        char *key = match_key(d->a, d->match.pairs.items[i].a, key_problem() & ~d->match.ignored);
        problem[i] = numbering_add(&problems, key);
        free(key);
    }
    for (size_t k = 0; k < problems.texts.count; k++) {
        size_t found = 0;
        for (size_t i = 0; i < count; i++)
            if (problem[i] == k)
                members[found++] = i;
        if (found >= 2)
            vec_push(&d->transfers, transfer_of(d, members, found));
    }
    free(problem);
    free(members);
    numbering_free(&problems);
}
