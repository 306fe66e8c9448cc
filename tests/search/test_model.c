/*
 * What a prediction takes from points that were measured: from those of this n, from those of the n
 * before, and how little it believes a single sample.
 */
#include "../plan/fixture.h"

#include <math.h>

#include "search/model.h"

/* Times that depend on block, LOADS and POLICY, each for itself; 1.1 at the fastest. */
static double true_us(const struct point *p)
{
    double loads = log2(p->tunables[0]);
    return 1 + 0.1 * fabs(log2(p->block / 256.0)) + 0.08 * fabs(loads - 1) +
           (p->tunables[1] ? 0 : 0.05) + 0.1;
}

/* One kernel at two n; LOADS 1, 2, 4 and POLICY 0, 1 of seven blocks. */
static struct plan *make_plan(struct catalogue *c, struct config *config)
{
    *c = make_catalogue(1, make_kernel("ticket", ticket_facts));
    *config = small_config();
    CHOOSE(*config, n, 4096, 16384);
    CHOOSE(*config, block, 32, 64, 128, 256);
    return build(config, c, &h200);
}

/* Every third point of a group. */
static void observe_some(const struct plan *p, uint32_t group, struct observations *out)
{
    const struct group *g = &p->groups[group];
    for (uint32_t i = g->first; i < g->first + g->count; i += 3)
        vec_push(&out->list, (struct observed){i, true_us(&p->points[i]), 0.001, 31});
}

/* Of the second group: mean error of the predicted logarithm where nothing was measured. */
static double error_of(const struct plan *p, const double *predicted)
{
    const struct group *g = &p->groups[1];
    double mean = 0, error = 0;
    for (uint32_t i = 0; i < g->count; i++)
        mean += (log(true_us(&p->points[g->first + i])) - predicted[i]) / g->count;
    for (uint32_t i = 0; i < g->count; i++)
        error += fabs(log(true_us(&p->points[g->first + i])) - predicted[i] - mean) / g->count;
    return error;
}

static void unmeasured_points_are_predicted(void **state)
{
    (void)state;
    struct catalogue c;
    struct config config;
    struct plan *p = make_plan(&c, &config);
    struct observations none = {0}, before = {0}, now = {0};
    double nothing[64], from_before[64], from_now[64];
    assert_int_equal(p->group_count, 2);
    assert_int_equal(p->groups[1].count, 24);
    observe_some(p, 0, &before);
    observe_some(p, 1, &now);
    struct model m;
    model_begin(&m, p, p->groups[1], &none);
    model_predict(&m, &none, nothing);
    for (uint32_t i = 0; i < p->groups[1].count; i++)
        assert_true(nothing[i] == 0);
    model_predict(&m, &now, from_now);
    model_end(&m);
    model_begin(&m, p, p->groups[1], &before);
    model_predict(&m, &none, from_before);
    model_end(&m);
    /* From a third of the points; at another n its slope is half of what was seen. */
    double spread = error_of(p, nothing);
    assert_true(error_of(p, from_now) < 0.35 * spread);
    assert_true(error_of(p, from_before) < 0.75 * spread);
    vec_free(&before.list);
    vec_free(&now.list);
    plan_free(p);
    catalogue_free(&c);
}

/* A point that was lucky in few samples is predicted by its likes; in many samples it is fast. */
static void luck_is_not_believed(void **state)
{
    (void)state;
    struct catalogue c;
    struct config config;
    struct plan *p = make_plan(&c, &config);
    struct observations none = {0}, now = {0};
    double few[64], many[64];
    const struct group *g = &p->groups[1];
    for (uint32_t i = g->first; i < g->first + g->count; i++)
        vec_push(&now.list, (struct observed){i, true_us(&p->points[i]), 0.1, 31});
    struct observed *lucky = &now.list.items[5];
    lucky->us *= 0.9;
    struct model m;
    model_begin(&m, p, *g, &none);
    lucky->samples = 3;
    model_predict(&m, &now, few);
    lucky->samples = 1000;
    model_predict(&m, &now, many);
    model_end(&m);
    assert_true(few[5] > many[5] + 0.01);
    vec_free(&now.list);
    plan_free(p);
    catalogue_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unmeasured_points_are_predicted),
        cmocka_unit_test(luck_is_not_believed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
