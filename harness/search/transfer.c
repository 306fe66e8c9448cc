/* Chooses what to measure next; see transfer.h. */
#include "search/transfer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/statistics.h"
#include "base/text.h"

/* At least this many finalists are sampled until the end of the final. */
enum { FINAL_LAST = 4 };
enum { FINAL_LEAST = 7 }; /* samples per finalist before a final may end early */
enum { RIVALS = 6 };      /* best points that are measured again in each batch of a descent */
enum { LOOK = 4 };        /* a batch is fruitful if it has a point among this many best ones */

/*
 * Added to the predicted log time of a point that must be compiled, so that it ranks a little
 * lower.
 */
static const double COMPILING = 0.01;

static const struct point *point_at(const struct transfer_search *t, uint32_t position)
{
    return &t->plan->points[t->group.first + position];
}

/*
 * Returns the position in the group of the point with the same configuration as `p`, which is at
 * another n. Returns UINT32_MAX if there is none.
 */
static uint32_t find_alike(const struct transfer_search *t, const struct point *p)
{
    for (uint32_t i = 0; i < t->group.count; i++)
        if (points_are_alike(point_at(t, i), p))
            return i;
    return UINT32_MAX;
}

/*
 * Draws a random number from the seed and the configuration, so that the same configurations are
 * drawn at each n.
 */
static uint64_t draw_of(const struct transfer_search *t, uint32_t position)
{
    const struct point *p = point_at(t, position);
    uint64_t key[4] = {p->variant < t->plan->variant_count ? t->plan->variants[p->variant].id
                                                           : p->id,
                       p->block, p->unroll, p->scope};
    uint64_t state = hash_bytes(hash_bytes(HASH_START, &t->config->seed, sizeof t->config->seed),
                                key, sizeof key) |
                     1;
    /* The first number is dropped, because it is similar for states that differ in few bits. */
    (void)random_next(&state);
    return random_next(&state);
}

void transfer_begin(struct transfer_search *t, const struct plan *plan, uint32_t group,
                    const struct config_search *config, const uint32_t *tops, uint32_t top_count,
                    const struct observations *before)
{
    *t = (struct transfer_search){.plan = plan, .config = config, .group = plan->groups[group]};
    t->points = xcalloc(t->group.count, sizeof *t->points);
    t->tops = xcalloc((size_t)top_count + 1, sizeof *t->tops);
    for (uint32_t i = 0; i < top_count; i++) {
        uint32_t here = find_alike(t, &plan->points[tops[i]]);
        if (here != UINT32_MAX)
            t->tops[t->top_count++] = here;
    }
    for (uint32_t i = 0; i < t->group.count; i++)
        t->points[i].draw = draw_of(t, i);
    for (size_t i = 0; i < before->list.count; i++) {
        uint32_t here = find_alike(t, &plan->points[before->list.items[i].point]);
        if (here != UINT32_MAX)
            t->points[here].compiled = true;
    }
    model_begin(&t->model, plan, t->group, before);
}

void transfer_end(struct transfer_search *t)
{
    for (uint32_t i = 0; t->points && i < t->group.count; i++)
        vec_free(&t->points[i].samples);
    free(t->points);
    free(t->tops);
    model_end(&t->model);
    memset(t, 0, sizeof *t);
}

static bool ask(struct transfer_search *t, struct search_batch *out, uint32_t position)
{
    struct searched *p = &t->points[position];
    if (p->asked)
        return false;
    p->asked = p->compiled = true;
    p->batch = t->batches;
    vec_push(&out->points, t->group.first + position);
    return true;
}

struct ordered {
    double key;
    uint64_t draw; /* breaks ties */
    uint32_t position;
};

static int compare_ordered(const void *a, const void *b)
{
    const struct ordered *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->draw != y->draw)
        return x->draw < y->draw ? -1 : 1;
    return (x->position > y->position) - (x->position < y->position);
}

/*
 * Requests up to `most` points that were not requested yet: those with the smallest keys or, if
 * `keys` is NULL, random ones (those with the smallest draws).
 */
static void ask_first(struct transfer_search *t, struct search_batch *out, const double *keys,
                      int most)
{
    struct ordered *list = xcalloc((size_t)t->group.count + 1, sizeof *list);
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->group.count; i++)
        if (!t->points[i].asked)
            list[count++] = (struct ordered){keys ? keys[i] : 0, t->points[i].draw, i};
    qsort(list, count, sizeof *list, compare_ordered);
    for (uint32_t i = 0; i < count && i < (uint32_t)most; i++) {
        t->points[list[i].position].random = !keys;
        (void)ask(t, out, list[i].position);
    }
    free(list);
}

struct ranked {
    double median, mean; /* medians are often equal, because they are multiples of the clock step */
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

/* Collects the group's measurements. `out` must be zero-initialized. */
static void observe(const struct transfer_search *t, struct observations *out)
{
    for (uint32_t i = 0; i < t->group.count; i++) {
        const struct searched *p = &t->points[i];
        struct summary s;
        if (!p->failed && p->samples.count > 0 &&
            summarize(p->samples.items, p->samples.count, &s) && s.median > 0)
            vec_push(&out->list, (struct observed){t->group.first + i, s.median, s.stdev, s.count});
    }
}

/*
 * Collects all measurements in `known`, which must be zero-initialized, and returns the model's
 * prediction for each point. The caller frees both lists.
 */
static double *predict(struct transfer_search *t, struct observations *known)
{
    double *out = xcalloc((size_t)t->group.count + 1, sizeof *out);
    observe(t, known);
    model_predict(&t->model, known, out);
    return out;
}

/*
 * Requests the points that the model predicts to be the fastest. Points that must be compiled rank
 * a little lower.
 */
static void ask_predicted(struct transfer_search *t, struct search_batch *out, int most)
{
    struct observations known = {0};
    double *keys = predict(t, &known);
    for (uint32_t i = 0; i < t->group.count; i++)
        keys[i] += t->points[i].compiled ? 0 : COMPILING;
    ask_first(t, out, keys, most);
    free(keys);
    vec_free(&known.list);
}

/*
 * Ranks the points with at least `min_samples` samples by median, or the finalists if `min_samples`
 * is 0. Writes the best `most` of them to `out`, and returns their number.
 */
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

/*
 * Returns how many samples a point needs to be accepted as the best. A point that was dropped at
 * the first rung, the number of samples after which slow points are dropped, has fewer.
 */
static size_t enough_samples(const struct transfer_search *t)
{
    return (size_t)t->config->rungs[t->config->rung_count > 1 ? 1 : 0];
}

uint32_t transfer_best(const struct transfer_search *t)
{
    uint32_t best = UINT32_MAX;
    (void)rank_points(t, t->phase == TRANSFER_DONE ? 0 : enough_samples(t), &best, 1);
    return best;
}

static void ask_start(struct transfer_search *t, struct search_batch *out)
{
    const struct config_search *c = t->config;
    if (t->top_count == 0) {
        ask_first(t, out, NULL, c->start);
        return;
    }
    /* Probes are requested first, so that they are drawn from all points. */
    ask_first(t, out, NULL, c->probes);
    for (uint32_t i = 0; i < t->top_count && i < (uint32_t)c->tops; i++)
        (void)ask(t, out, t->tops[i]);
    ask_predicted(t, out, c->guesses);
}

/* Returns whether any point of the last batch is among the best LOOK points. */
static bool was_fruitful(const struct transfer_search *t)
{
    uint32_t best[LOOK];
    uint32_t count = rank_points(t, enough_samples(t), best, LOOK);
    for (uint32_t i = 0; i < count; i++)
        if (t->points[best[i] - t->group.first].batch == t->batches)
            return true;
    return false;
}

/*
 * Requests the points that are predicted to be the fastest, and again the best points so far, to
 * compare them with. Requests nothing if the descent has taken its fewest batches and the last one
 * was not fruitful.
 */
static void ask_descent(struct transfer_search *t, struct search_batch *out)
{
    if (t->batches >= TRANSFER_FEWEST && !was_fruitful(t))
        return;
    uint32_t best[RIVALS];
    uint32_t count = rank_points(t, enough_samples(t), best, RIVALS);
    t->batches++;
    ask_predicted(t, out, t->config->batch);
    for (uint32_t i = 0; out->points.count > 0 && i < count; i++)
        vec_push(&out->points, best[i]);
}

/*
 * Requests the measured points that the model predicts to be the fastest. Each point has few
 * samples, so the samples of similar points, which the model uses, help to find them.
 */
static void ask_final(struct transfer_search *t, struct search_batch *out)
{
    struct observations known = {0};
    double *keys = predict(t, &known);
    struct ordered *list = xcalloc(known.list.count + 1, sizeof *list);
    for (size_t i = 0; i < known.list.count; i++) {
        uint32_t at = known.list.items[i].point - t->group.first;
        list[i] = (struct ordered){keys[at], t->points[at].draw, at};
    }
    qsort(list, known.list.count, sizeof *list, compare_ordered);
    for (size_t i = 0; i < known.list.count && i < (size_t)t->config->finalists; i++) {
        t->points[list[i].position].finalist = true;
        vec_push(&out->points, t->group.first + list[i].position);
    }
    free(list);
    free(keys);
    vec_free(&known.list);
}

/*
 * Returns how a final takes its samples. All finalists get finalist_samples samples; the faster
 * half gets twice as many, the fastest quarter four times as many, and the fastest eighth eight
 * times as many. At least FINAL_LAST finalists get all of these samples. Thus only points that few
 * samples cannot tell apart get many samples. A final ends earlier if the confidence intervals are
 * narrow (racing_decided()).
 */
static struct sampling final_sampling(const struct config_search *c)
{
    int samples = c->finalist_samples;
    return (struct sampling){.rungs = {samples, 2 * samples, 4 * samples},
                             .rung_count = 3,
                             .keep_one_in = 2,
                             .keep_min = FINAL_LAST,
                             .samples = 8 * samples,
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

enum transfer_phase transfer_asked(const struct transfer_search *t)
{
    return t->phase == TRANSFER_DONE ? TRANSFER_FINAL
           : t->batches > 0          ? TRANSFER_DESCENT
                                     : TRANSFER_START;
}

void transfer_ahead(const struct transfer_search *t, double more, double points[TRANSFER_DONE])
{
    const struct config_search *c = t->config;
    const double most = t->group.count;
    const uint32_t fewest = t->batches < TRANSFER_FEWEST ? TRANSFER_FEWEST - t->batches : 0;
    double start = t->top_count > 0 ? c->probes + c->tops + c->guesses : c->start;
    bool over = t->phase == TRANSFER_DONE;
    points[TRANSFER_START] = t->phase == TRANSFER_START ? fmin(most, start) : 0;
    points[TRANSFER_DESCENT] = over || t->hurry ? 0 : fmin(most, (fewest + more) * c->batch);
    points[TRANSFER_FINAL] = over ? 0 : fmin(most, c->finalists);
}

double transfer_launches(const struct config_search *c, enum transfer_phase asked)
{
    struct sampling s;
    sampling_race(c, &s);
    s.samples = c->rungs[c->rung_count - 1];
    if (asked == TRANSFER_FINAL)
        s = final_sampling(c);
    double launches = 1, share = 1;
    int before = 0;
    for (int i = 0; i < s.rung_count; i++) {
        launches += share * (s.rungs[i] - before);
        share /= s.keep_one_in;
        before = s.rungs[i];
    }
    return launches + share * (s.samples > before ? s.samples - before : 0);
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
