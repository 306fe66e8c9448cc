/*
 * Checks the points that a search requests. A search requests random points and the best points of
 * the previous n. Then it requests batches of predicted points until a batch contains no better
 * point (the descent), and finally the finalists. The times in these tests are a function of the
 * configuration.
 */
#include "../plan/fixture.h"

#include <inttypes.h>
#include <malloc.h>
#include <math.h>

#include "search/finding.h"
#include "search/transfer.h"

enum { POINTS_MOST = 64, BATCHES_MOST = 50 };

struct bed {
    struct catalogue kernels;
    struct config config;
    struct plan *plan;
    struct config_search search;
};

static int rungs[] = {3, 7};

static void open_bed(struct bed *b)
{
    b->kernels = three_kernels();
    b->config = small_config();
    CHOOSE(b->config, n, 4096, 16384);
    CHOOSE(b->config, block, 32, 128, 256); /* all of these blocks can run */
    CHOOSE(b->config, unroll, 2, 8);
    b->plan = build(&b->config, &b->kernels, &h200);
    assert_int_equal(b->plan->group_count, 2);
    assert_true(b->plan->groups[0].count <= POINTS_MOST);
    b->search = (struct config_search){.rungs = rungs,
                                       .rung_count = 2,
                                       .keep_one_in = 3,
                                       .keep_min = 8,
                                       .start = 5,
                                       .probes = 3,
                                       .tops = 2,
                                       .guesses = 2,
                                       .batch = 2,
                                       .finalists = 4,
                                       .finalist_samples = 9,
                                       .seed = 1};
}

static void close_bed(struct bed *b)
{
    plan_free(b->plan);
    catalogue_free(&b->kernels);
}

/* The time is the same at each n, and no two configurations share a time. */
static double true_us(const struct point *p)
{
    return 5 + fabs(log2(p->block / 128.0)) + 0.3 * p->unroll + 0.7 * p->kernel +
           0.21 * p->tunables[0] + 0.05 * p->tunables[1];
}

static void take_times(const struct bed *b, struct transfer_search *t, uint32_t point, size_t count)
{
    double samples[64];
    for (size_t i = 0; i < count; i++)
        samples[i] = true_us(&b->plan->points[point]) * (1 + 0.001 * (double)(i % 3));
    transfer_take(t, point, samples, count);
}

static void take_batch(const struct bed *b, struct transfer_search *t,
                       const struct search_batch *batch)
{
    for (size_t i = 0; i < batch->points.count; i++)
        take_times(b, t, batch->points.items[i], (size_t)batch->sampling.rungs[1]);
}

static bool holds(const struct search_batch *batch, uint32_t point)
{
    size_t count = 0;
    for (size_t i = 0; i < batch->points.count; i++)
        count += batch->points.items[i] == point;
    assert_true(count <= 1);
    return count == 1;
}

/* Returns the point of group 1 with the same configuration as this point of group 0. */
static uint32_t alike(const struct plan *p, uint32_t point)
{
    const struct group *g = &p->groups[1];
    for (uint32_t i = g->first; i < g->first + g->count; i++)
        if (points_are_alike(&p->points[i], &p->points[point]))
            return i;
    return UINT32_MAX;
}

static void a_search_begins_at_random(void **state)
{
    (void)state;
    struct bed b;
    struct transfer_search t;
    struct search_batch first = {0}, other = {0};
    struct observations none = {0};
    open_bed(&b);
    transfer_begin(&t, b.plan, 0, &b.search, NULL, 0, &none);
    assert_true(transfer_next(&t, &first));
    assert_int_equal(first.points.count, 5);
    for (size_t i = 0; i < 5; i++) {
        uint32_t at = first.points.items[i] - b.plan->groups[0].first;
        assert_true(at < b.plan->groups[0].count && holds(&first, first.points.items[i]));
        assert_true(t.points[at].random && t.points[at].asked);
    }
    assert_int_equal(transfer_best(&t), UINT32_MAX);
    assert_int_equal(first.sampling.rungs[0], 3);
    assert_int_equal(first.sampling.samples, 7);
    assert_int_equal(first.sampling.decided_from, 7);
    transfer_end(&t);
    /* A different seed draws different points, and the same seed draws the same ones. */
    uint32_t same = 0;
    for (uint64_t seed = 1; seed < 4; seed++) {
        b.search.seed = seed;
        transfer_begin(&t, b.plan, 0, &b.search, NULL, 0, &none);
        assert_true(transfer_next(&t, &other));
        uint32_t shared = 0;
        for (size_t i = 0; i < 5; i++)
            shared += holds(&first, other.points.items[i]);
        assert_true(seed > 1 || shared == 5);
        same += shared;
        transfer_end(&t);
    }
    assert_true(same < 15);
    vec_free(&first.points);
    vec_free(&other.points);
    close_bed(&b);
}

/* The next n's batch begins with the points that were drawn first for the previous n. The
 * previous n's best points follow. */
static void the_next_n_takes_what_was_best(void **state)
{
    (void)state;
    struct bed b;
    struct transfer_search t;
    struct search_batch batch = {0};
    struct observations before = {0};
    uint32_t drawn[3];
    open_bed(&b);
    transfer_begin(&t, b.plan, 0, &b.search, NULL, 0, &before);
    assert_true(transfer_next(&t, &batch));
    memcpy(drawn, batch.points.items, sizeof drawn);
    transfer_end(&t);
    uint32_t tops[3], count = 0; /* these three points are not drawn */
    for (uint32_t i = 0; count < 3; i++)
        if (!holds(&batch, i))
            tops[count++] = i;
    for (uint32_t i = 0; i < b.plan->groups[0].count; i++)
        vec_push(&before.list, (struct observed){i, true_us(&b.plan->points[i]), 0.01, 31});
    transfer_begin(&t, b.plan, 1, &b.search, tops, 3, &before);
    for (uint32_t i = 0; i < b.plan->groups[1].count; i++)
        assert_true(t.points[i].compiled);
    assert_true(transfer_next(&t, &batch));
    assert_int_equal(batch.points.count, 3 + 2 + 2);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(batch.points.items[i], alike(b.plan, drawn[i]));
    assert_int_equal(batch.points.items[3], alike(b.plan, tops[0]));
    assert_int_equal(batch.points.items[4], alike(b.plan, tops[1]));
    /* Going by the previous n, this is the fastest of the points that are not in the batch. */
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < b.plan->groups[0].count; i++) {
        uint32_t here = alike(b.plan, i);
        bool taken = false;
        for (size_t k = 0; k < 5; k++)
            taken = taken || batch.points.items[k] == here;
        if (!taken &&
            (best == UINT32_MAX || true_us(&b.plan->points[here]) < true_us(&b.plan->points[best])))
            best = here;
    }
    assert_true(holds(&batch, best));
    transfer_end(&t);
    vec_free(&batch.points);
    vec_free(&before.list);
    close_bed(&b);
}

/* When a search ends, the fastest measured point must be a finalist and the best point. */
static void a_search_ends_with_its_finalists(void **state)
{
    (void)state;
    struct bed b;
    struct transfer_search t;
    struct search_batch batch = {0};
    struct observations none = {0};
    uint32_t batches = 0, fastest = UINT32_MAX, tops[POINTS_MOST];
    open_bed(&b);
    transfer_begin(&t, b.plan, 0, &b.search, NULL, 0, &none);
    while (transfer_next(&t, &batch)) {
        assert_true(++batches < BATCHES_MOST);
        if (t.phase == TRANSFER_DONE)
            break;
        take_batch(&b, &t, &batch);
        assert_true(transfer_best(&t) != UINT32_MAX);
    }
    for (uint32_t i = 0; i < b.plan->groups[0].count; i++)
        if (t.points[i].asked && (fastest == UINT32_MAX ||
                                  true_us(&b.plan->points[i]) < true_us(&b.plan->points[fastest])))
            fastest = i;
    /* The search consists of the start, at least two batches of the descent, and the final. */
    assert_true(batches >= 4);
    assert_int_equal(batch.points.count, 4);
    assert_int_equal(batch.sampling.rungs[0], 9);
    assert_int_equal(batch.sampling.rungs[1], 18);
    assert_int_equal(batch.sampling.rungs[2], 36);
    assert_int_equal(batch.sampling.samples, 72);
    assert_int_equal(batch.sampling.decided_from, 7);
    assert_true(holds(&batch, fastest));
    for (size_t i = 0; i < 4; i++)
        take_times(&b, &t, batch.points.items[i], 9);
    /* Only the samples of the final remain. */
    assert_int_equal(t.points[fastest].samples.count, 9);
    assert_int_equal(transfer_best(&t), fastest);
    assert_int_equal(transfer_tops(&t, tops), 4);
    for (size_t i = 1; i < 4; i++)
        assert_true(true_us(&b.plan->points[tops[i - 1]]) <= true_us(&b.plan->points[tops[i]]));
    assert_false(transfer_next(&t, &batch));
    transfer_end(&t);
    vec_free(&batch.points);
    close_bed(&b);
}

/* Five random points take 10 to 14 µs, and a predicted point takes 10 µs. The search's finding says
 * how many of the random points take at most 1 % longer than the best point. */
static void a_finding_counts_random_points_near_the_best(void **state)
{
    (void)state;
    static const double us[5] = {10.05, 10.2, 11, 12, 14};
    struct bed b;
    struct transfer_search t;
    struct search_batch batch = {0};
    struct search_finding f;
    struct observations none = {0};
    char tops[64];
    open_bed(&b);
    b.search.finalists = 1;
    transfer_begin(&t, b.plan, 0, &b.search, NULL, 0, &none);
    assert_true(transfer_next(&t, &batch));
    for (size_t i = 0; i < 5; i++) {
        const double samples[7] = {us[i], us[i], us[i], us[i], us[i], us[i], us[i]};
        transfer_take(&t, batch.points.items[i], samples, 7);
    }
    assert_true(transfer_next(&t, &batch));
    uint32_t predicted = batch.points.items[0];
    const double ten[7] = {10, 10, 10, 10, 10, 10, 10};
    transfer_take(&t, predicted, ten, 7);
    finding_make(&t, 0, &f); /* before the final, the finding is empty */
    assert_true(f.within == -1 && isnan(f.time_us) && isnan(f.better_share));
    free(f.tops);
    t.points[predicted].finalist = true;
    transfer_take(&t, predicted, ten, 7);
    finding_make(&t, 0, &f);
    assert_string_equal(f.problem, "int32 sum cold kernel");
    assert_int_equal(f.n, 4096);
    assert_int_equal(f.points, b.plan->groups[0].count);
    assert_int_equal(f.measured, 5 + 2);
    assert_int_equal(f.probes, 5);
    assert_int_equal(f.within, 1);
    assert_true(f.time_us == 10);
    assert_true(f.better_share == finding_missed_share(b.plan->groups[0].count, 5));
    snprintf(tops, sizeof tops, "%016" PRIx64, b.plan->points[predicted].id);
    assert_string_equal(f.tops, tops);
    free(f.tops);
    finding_make(&t, 1.5, &f); /* The clock has steps of 1.5 us. */
    assert_int_equal(f.within, 3);
    free(f.tops);
    transfer_end(&t);
    vec_free(&batch.points);
    close_bed(&b);
}

/* Points with equal medians are ordered by their means, and then by their place in the plan. A
 * failed point is not among the best. */
static void ties_are_ordered(void **state)
{
    (void)state;
    static const double low_mean[7] = {4, 4, 4, 5, 5, 5, 5}, high_mean[7] = {4, 4, 4, 5, 9, 9, 9},
                        slow[7] = {6, 6, 6, 6, 6, 6, 6};
    struct bed b;
    struct transfer_search t;
    struct observations none = {0};
    open_bed(&b);
    transfer_begin(&t, b.plan, 0, &b.search, NULL, 0, &none);
    transfer_take(&t, 6, slow, 7);
    assert_int_equal(transfer_best(&t), 6);
    transfer_take(&t, 3, high_mean, 7);
    assert_int_equal(transfer_best(&t), 3);
    transfer_take(&t, 7, low_mean, 7);
    assert_int_equal(transfer_best(&t), 7);
    transfer_take(&t, 5, low_mean, 7);
    assert_int_equal(transfer_best(&t), 5);
    transfer_take(&t, 2, low_mean, 6); /* too few samples to be judged */
    assert_int_equal(transfer_best(&t), 5);
    transfer_take(&t, 5, NULL, 0);
    assert_int_equal(transfer_best(&t), 7);
    transfer_end(&t);
    close_bed(&b);
}

/* With no time left, there is no descent. */
static void a_search_in_a_hurry_goes_to_its_finalists(void **state)
{
    (void)state;
    struct bed b;
    struct transfer_search t;
    struct search_batch batch = {0};
    struct observations none = {0};
    open_bed(&b);
    transfer_begin(&t, b.plan, 0, &b.search, NULL, 0, &none);
    assert_true(transfer_next(&t, &batch));
    take_batch(&b, &t, &batch);
    t.hurry = true;
    assert_true(transfer_next(&t, &batch));
    assert_int_equal(t.phase, TRANSFER_DONE);
    assert_int_equal(batch.points.count, 4);
    transfer_end(&t);
    vec_free(&batch.points);
    close_bed(&b);
}

/* Returns how many batches the descent has. Each measured point is slower than the previous one
 * by `slower`, or faster if `slower` is negative. */
static uint32_t descents(double slower)
{
    struct bed b;
    struct transfer_search t;
    struct search_batch batch = {0};
    struct observations none = {0};
    double us = 100;
    uint32_t count = 0;
    open_bed(&b);
    transfer_begin(&t, b.plan, 0, &b.search, NULL, 0, &none);
    while (transfer_next(&t, &batch)) {
        count += transfer_asked(&t) == TRANSFER_DESCENT;
        for (size_t i = 0; i < batch.points.count; i++, us += slower)
            transfer_take(&t, batch.points.items[i], (double[7]){us, us, us, us, us, us, us}, 7);
    }
    transfer_end(&t);
    vec_free(&batch.points);
    close_bed(&b);
    return count;
}

/* The descent has at least two batches. Another one follows if the last batch had one of the
 * best points in it. */
static void a_search_goes_on_while_it_finds_better_ones(void **state)
{
    (void)state;
    assert_int_equal(descents(0.1), 2);
    assert_true(descents(-0.1) >= 4);
}

static void expect_ahead(const struct transfer_search *t, double start, double descent,
                         double final)
{
    double points[TRANSFER_DONE] = {-1, -1, -1};
    transfer_ahead(t, 1, points);
    assert_true(points[TRANSFER_START] == start && points[TRANSFER_DESCENT] == descent &&
                points[TRANSFER_FINAL] == final);
}

/* A descent has at least two batches, and the estimate expects one more. */
static void what_is_ahead_is_what_the_config_asks_for(void **state)
{
    (void)state;
    struct bed b;
    open_bed(&b);
    struct transfer_search t = {.config = &b.search, .group = b.plan->groups[0]};
    expect_ahead(&t, 5, 3 * 2, 4);
    t.top_count = 1;
    expect_ahead(&t, 3 + 2 + 2, 3 * 2, 4);
    t.phase = TRANSFER_DESCENT, t.batches = 1;
    expect_ahead(&t, 0, 2 * 2, 4);
    t.hurry = true;
    expect_ahead(&t, 0, 0, 4);
    t.phase = TRANSFER_DONE, t.hurry = false;
    expect_ahead(&t, 0, 0, 0);
    t = (struct transfer_search){.config = &b.search, .group = {.count = 3}};
    expect_ahead(&t, 3, 3, 3); /* The estimate has no more points than there are. */
    close_bed(&b);
}

/* After 3 samples, a third of the points continue, up to 7 samples. After 9, 18 and 36 samples,
 * half of the finalists continue, and those that are left at the end get 72 samples. */
static void launches_follow_from_the_rungs(void **state)
{
    (void)state;
    struct bed b;
    open_bed(&b);
    assert_near(transfer_launches(&b.search, TRANSFER_START), 1 + 3 + 4 / 3.0, 1e-9);
    assert_near(transfer_launches(&b.search, TRANSFER_FINAL), 1 + 9 + 9 / 2.0 + 18 / 4.0 + 36 / 8.0,
                1e-9);
    close_bed(&b);
}

static void nothing_stays_allocated(void **state)
{
    (void)state;
    enum { ROUNDS = 100 };
    struct bed b;
    size_t used[ROUNDS];
    open_bed(&b);
    /* malloc() keeps memory from the first rounds. */
    for (int round = 0; round < ROUNDS; round++) {
        struct transfer_search t;
        struct search_batch batch = {0};
        struct observations none = {0};
        transfer_begin(&t, b.plan, 0, &b.search, NULL, 0, &none);
        while (transfer_next(&t, &batch))
            take_batch(&b, &t, &batch);
        transfer_end(&t);
        vec_free(&batch.points);
        used[round] = mallinfo2().uordblks;
    }
    /* malloc()'s own memory changes a little, but no round loses 32 bytes, which is its smallest
     * block. */
    assert_true(used[ROUNDS - 1] < used[ROUNDS / 2] + (size_t)32 * (ROUNDS / 2 - 1));
    close_bed(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_search_begins_at_random),
        cmocka_unit_test(the_next_n_takes_what_was_best),
        cmocka_unit_test(a_search_ends_with_its_finalists),
        cmocka_unit_test(a_finding_counts_random_points_near_the_best),
        cmocka_unit_test(ties_are_ordered),
        cmocka_unit_test(a_search_in_a_hurry_goes_to_its_finalists),
        cmocka_unit_test(a_search_goes_on_while_it_finds_better_ones),
        cmocka_unit_test(what_is_ahead_is_what_the_config_asks_for),
        cmocka_unit_test(launches_follow_from_the_rungs),
        cmocka_unit_test(nothing_stays_allocated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
