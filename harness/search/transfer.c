/*
 * What to measure next: see transfer.h.
 */
#include "search/transfer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/element.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/statistics.h"
#include "base/text.h"
#include "search/neighbors.h"

enum { FINAL_LAST = 3, FINAL_MOST = 8, FINAL_LEAST = 15 };

static const struct point *point_at(const struct transfer_search *t, uint32_t position)
{
    return &t->plan->points[t->group.first + position];
}

/* The position of the point that is configured as this one of another n; UINT32_MAX: none is. */
static uint32_t find_alike(const struct transfer_search *t, const struct point *p)
{
    for (uint32_t i = 0; i < t->group.count; i++)
        if (points_are_alike(point_at(t, i), p))
            return i;
    return UINT32_MAX;
}

void transfer_begin(struct transfer_search *t, const struct plan *plan, uint32_t group,
                    const struct config_search *config, const uint32_t *tops, uint32_t top_count)
{
    *t = (struct transfer_search){.plan = plan, .config = config, .group = plan->groups[group]};
    t->points = xcalloc(t->group.count, sizeof *t->points);
    t->tops = xcalloc((size_t)top_count + 1, sizeof *t->tops);
    for (uint32_t i = 0; i < top_count; i++) {
        uint32_t here = find_alike(t, &plan->points[tops[i]]);
        if (here != UINT32_MAX)
            t->tops[t->top_count++] = here;
    }
    /* Of the group alone, so that a search that is resumed chooses as one that was not. */
    uint64_t first = plan->points[t->group.first].id;
    t->random = hash_bytes(hash_bytes(HASH_START, &config->seed, sizeof config->seed), &first,
                           sizeof first) |
                1;
}

void transfer_end(struct transfer_search *t)
{
    for (uint32_t i = 0; t->points && i < t->group.count; i++)
        vec_free(&t->points[i].samples);
    free(t->points);
    free(t->tops);
    memset(t, 0, sizeof *t);
}

static bool ask(struct transfer_search *t, struct search_batch *out, uint32_t position)
{
    struct searched *p = &t->points[position];
    if (p->asked)
        return false;
    p->asked = true;
    vec_push(&out->points, t->group.first + position);
    return true;
}

/* So many points that were not asked for yet, as far as there are any. */
static void ask_random(struct transfer_search *t, struct search_batch *out, int count)
{
    uint32_t *left = xcalloc(t->group.count, sizeof *left), left_count = 0;
    for (uint32_t i = 0; i < t->group.count; i++)
        if (!t->points[i].asked)
            left[left_count++] = i;
    for (; count > 0 && left_count > 0; count--) {
        uint32_t at = (uint32_t)(random_next(&t->random) % left_count);
        t->points[left[at]].random = true;
        (void)ask(t, out, left[at]);
        left[at] = left[--left_count];
    }
    free(left);
}

static void ask_neighbors(struct transfer_search *t, struct search_batch *out, uint32_t position)
{
    const struct point *p = point_at(t, position);
    struct kernel_pair pair = {.b = UINT32_MAX};
    for (uint32_t i = 0; i < t->group.count; i++) {
        const struct point *other = point_at(t, i);
        if (pair.b != other->kernel) /* the points are in the order of their kernels */
            kernel_pair_set(&pair, t->plan, p->kernel, other->kernel);
        if (!t->points[i].asked && points_are_neighbors(t->plan, &pair, p, other))
            (void)ask(t, out, i);
    }
}

struct ranked {
    double median, mean; /* medians are steps of the clock, and often equal */
    uint32_t position;
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->median != y->median)
        return x->median < y->median ? -1 : 1;
    if (x->mean != y->mean)
        return x->mean < y->mean ? -1 : 1;
    return (x->position > y->position) - (x->position < y->position);
}

/* Those of at least so many samples; 0: the finalists. */
static uint32_t rank_points(const struct transfer_search *t, size_t min_samples, uint32_t *out,
                            uint32_t most)
{
    struct ranked *list = xcalloc((size_t)t->group.count + 1, sizeof *list);
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->group.count; i++) {
        const struct searched *p = &t->points[i];
        struct summary summary;
        if (!p->failed && (min_samples ? p->samples.count >= min_samples : p->finalist) &&
            summarize(p->samples.items, p->samples.count, &summary))
            list[count++] = (struct ranked){summary.median, summary.mean, i};
    }
    qsort(list, count, sizeof *list, compare_ranked);
    for (uint32_t i = 0; i < count && i < most; i++)
        out[i] = t->group.first + list[i].position;
    free(list);
    return count < most ? count : most;
}

uint32_t transfer_tops(const struct transfer_search *t, uint32_t *out)
{
    return rank_points(t, 0, out, (uint32_t)t->config->finalists);
}

/* A point that left at the first rung is not known well enough to begin a descent. */
static size_t enough_samples(const struct transfer_search *t)
{
    return (size_t)t->config->rungs[t->config->rung_count > 1 ? 1 : 0];
}

static void ask_start(struct transfer_search *t, struct search_batch *out)
{
    const struct config_search *c = t->config;
    if (t->top_count == 0) {
        ask_random(t, out, c->start);
        return;
    }
    ask_random(t, out, c->probes); /* first, so that they are drawn from all points */
    for (uint32_t i = 0; i < t->top_count && i < (uint32_t)c->tops; i++)
        (void)ask(t, out, t->tops[i]);
    for (uint32_t i = 0; i < t->top_count && i < (uint32_t)c->expand; i++)
        ask_neighbors(t, out, t->tops[i]);
}

/* The neighbors of the best points, and these points again; nothing when no neighbor is new. */
static void ask_descent(struct transfer_search *t, struct search_batch *out)
{
    uint32_t most = (uint32_t)t->config->descend;
    uint32_t *best = xcalloc((size_t)most + 1, sizeof *best);
    uint32_t count = rank_points(t, enough_samples(t), best, most);
    for (uint32_t i = 0; i < count; i++)
        ask_neighbors(t, out, best[i] - t->group.first);
    for (uint32_t i = 0; out->points.count > 0 && i < count; i++)
        vec_push(&out->points, best[i]);
    free(best);
}

static void ask_final(struct transfer_search *t, struct search_batch *out)
{
    uint32_t most = (uint32_t)t->config->finalists;
    vec_reserve(&out->points, most);
    out->points.count = rank_points(t, enough_samples(t), out->points.items, most);
    for (size_t i = 0; i < out->points.count; i++)
        t->points[out->points.items[i] - t->group.first].finalist = true;
}

/*
 * All finalists get finalist_samples, half of them twice that, three of them eight times: what is
 * equal to within the noise of few samples needs many, and what is not is not worth them. All of
 * it ends earlier where the intervals are narrow (racing_decided()).
 */
static struct sampling final_sampling(const struct config_search *c)
{
    int samples = c->finalist_samples;
    return (struct sampling){.rungs = {samples, 2 * samples},
                             .rung_count = 2,
                             .keep_one_in = 2,
                             .keep_min = FINAL_LAST,
                             .samples = FINAL_MOST * samples,
                             .decided_from = samples < FINAL_LEAST ? samples : FINAL_LEAST};
}

bool transfer_next(struct transfer_search *t, struct search_batch *out)
{
    const struct config_search *c = t->config;
    out->points.count = 0;
    if (t->phase == TRANSFER_START) {
        ask_start(t, out);
        t->phase = TRANSFER_DESCENT;
    } else if (t->phase == TRANSFER_DESCENT) {
        if (!t->hurry)
            ask_descent(t, out);
        if (out->points.count == 0)
            t->phase = TRANSFER_FINAL;
    }
    sampling_race(c, &out->sampling);
    out->sampling.samples = c->rungs[c->rung_count - 1];
    out->sampling.decided_from = (int)enough_samples(t);
    if (t->phase == TRANSFER_FINAL) {
        ask_final(t, out);
        out->sampling = final_sampling(c);
        t->phase = TRANSFER_DONE;
    } else if (t->phase == TRANSFER_DONE) {
        return false;
    }
    return out->points.count > 0;
}

void transfer_take(struct transfer_search *t, uint32_t point, const double *samples, size_t count)
{
    struct searched *p = &t->points[point - t->group.first];
    p->failed = p->failed || count == 0;
    if (p->finalist)
        p->samples.count = 0;
    vec_reserve(&p->samples, p->samples.count + count);
    if (count > 0)
        memcpy(p->samples.items + p->samples.count, samples, count * sizeof *samples);
    p->samples.count += count;
}
