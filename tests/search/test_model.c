/*
 * Checks how measured points influence a prediction: points of the same n, points of the previous
 * n, and points that have little weight because they have few samples.
 */
#include "../plan/fixture.h"

#include <malloc.h>
#include <math.h>
#include <strings.h>

#include "search/model.h"

/* Times are products of factors that depend on the block, LOADS and POLICY. The fastest point
 * takes 1.1. */
static double true_us(const struct point *p)
{
    double loads = log2(p->tunables[0]);
    return 1 + 0.1 * fabs(log2(p->block / 256.0)) + 0.08 * fabs(loads - 1) +
           (p->tunables[1] ? 0 : 0.05) + 0.1;
}

/* Returns a plan for one kernel, with two sizes, LOADS 1, 2, 4, POLICY 0, 1, and four block
 * sizes. */
static struct plan *make_plan(struct catalogue *c, struct config *config)
{
    *c = make_catalogue(1, make_kernel("ticket", ticket_facts));
    *config = small_config();
    CHOOSE(*config, n, 4096, 16384);
    CHOOSE(*config, block, 32, 64, 128, 256);
    return build(config, c, &h200);
}

/* Observes every third point of a group. */
static void observe_some(const struct plan *p, uint32_t group, struct observations *out)
{
    const struct group *g = &p->groups[group];
    for (uint32_t i = g->first; i < g->first + g->count; i += 3)
        vec_push(&out->list, (struct observed){i, true_us(&p->points[i]), 0.001, 31});
}

/* Returns the mean error of the predicted logarithms in the second group, measured points
 * included. An offset shared by all predictions does not count as an error. */
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
    /* A third of the points were measured, either at this n (from_now) or at the previous n
     * (from_before). The model uses only half of the differences between points of another n, so
     * predictions from the previous n are less accurate. */
    double spread = error_of(p, nothing);
    assert_true(error_of(p, from_now) < 0.35 * spread);
    assert_true(error_of(p, from_before) < 0.75 * spread);
    vec_free(&before.list);
    vec_free(&now.list);
    plan_free(p);
    catalogue_free(&c);
}

/* A point with few samples may be fast by chance, so its prediction also depends on similar
 * points. With many samples, it counts as fast. */
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

/* ---- Predictions computed with the formulas of model.h --------------------------------------- */

enum { ALL_MOST = 64 };

/* Returns the value of a point's tunable with this name, or -1 if the point's kernel has none. */
static int tunable_of(const struct plan *p, const struct point *point, const char *name)
{
    const struct kernel *k = plan_kernel(p, point);
    for (int i = 0; i < k->tunable_count; i++)
        if (strcasecmp(k->tunables[i].name, name) == 0)
            return point->tunables[i];
    return -1;
}

static double times_two(int a, int b)
{
    if (a == b)
        return 0;
    return a < 0 || b < 0 ? 2 : fmin(2, sqrt(fabs(log2((1.0 + a) / (1.0 + b)))));
}

static double covariance(const struct plan *p, uint32_t a, uint32_t b)
{
    const struct point *x = &p->points[a], *y = &p->points[b];
    double d = x->kernel != y->kernel;
    d += times_two(x->block, y->block) + times_two(x->unroll, y->unroll);
    for (int i = 0; i < p->tunable_name_count; i++)
        d +=
            times_two(tunable_of(p, x, p->tunable_names[i]), tunable_of(p, y, p->tunable_names[i]));
    return exp(-0.3 * d) * (x->n == y->n ? 1 : 0.5);
}

/* Adds one n's observations. The values are logarithms of times, capped at 0.35 above the
 * fastest and shifted to a mean of 0. */
static size_t add_known(const struct observations *o, uint32_t *points, double *y, double *noise)
{
    size_t count = o->list.count, known = 0;
    double fastest = INFINITY, mean = 0, squares = 0;
    for (size_t i = 0; i < count; i++)
        fastest = fmin(fastest, o->list.items[i].us);
    for (size_t i = 0; i < count; i++) {
        const struct observed *p = &o->list.items[i];
        y[i] = fmin(0.35, log(p->us / fastest));
        mean += y[i] / (double)count;
        points[i] = p->point;
        if (p->samples > 2 && !isnan(p->scatter)) {
            squares += pow(p->scatter / p->us, 2);
            known++;
        }
    }
    double scatter = known ? fmax(2e-3 * 2e-3, squares / (double)known) : 0;
    for (size_t i = 0; i < count; i++) {
        y[i] -= mean;
        noise[i] = 3e-3 * 3e-3 + 1.57 * scatter / (double)o->list.items[i].samples;
    }
    return count;
}

/* Solves a x = y by elimination, and stores x in y. */
static void eliminate(double a[ALL_MOST][ALL_MOST], double *y, size_t n)
{
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < n; i++) {
            double share = i == k ? 0 : a[i][k] / a[k][k];
            for (size_t j = k; j < n; j++)
                a[i][j] -= share * a[k][j];
            y[i] -= share * y[k];
        }
    for (size_t k = 0; k < n; k++)
        y[k] /= a[k][k];
}

static void predict_plainly(const struct plan *p, const struct observations *before,
                            const struct observations *now, double *out)
{
    static double a[ALL_MOST][ALL_MOST];
    double y[ALL_MOST], noise[ALL_MOST], variance = 1e-5;
    uint32_t points[ALL_MOST];
    const struct group *g = &p->groups[1];
    size_t n = add_known(before, points, y, noise);
    n += add_known(now, points + n, y + n, noise + n);
    for (size_t i = 0; i < n; i++)
        variance += y[i] * y[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            a[i][j] = variance * covariance(p, points[i], points[j]) + (i == j ? noise[i] : 0);
    eliminate(a, y, n);
    for (uint32_t i = 0; i < g->count; i++) {
        out[i] = 0;
        for (size_t j = 0; j < n; j++)
            out[i] += variance * covariance(p, g->first + i, points[j]) * y[j];
    }
}

/* Observes every `step`-th point of a group. Times differ by up to a factor of two, and points
 * have different numbers of samples. */
static void observe_every(const struct plan *p, uint32_t group, uint32_t step,
                          struct observations *out)
{
    const struct group *g = &p->groups[group];
    for (uint32_t i = 0; i < g->count; i += step) {
        double us = 5 + (double)((i * 37 + 11) % 23) / 4 + p->points[g->first + i].block / 100.0;
        vec_push(&out->list, (struct observed){g->first + i, us, i % 5 == 2 ? NAN : us * 0.02,
                                               i % 3 == 0 ? 2 : 3 + i});
    }
}

static void predictions_are_those_of_the_formulas(void **state)
{
    (void)state;
    struct catalogue c = three_kernels();
    struct config config = small_config();
    CHOOSE(config, n, 4096, 16384);
    CHOOSE(config, block, 32, 128, 1024);
    CHOOSE(config, unroll, 2, 8);
    struct plan *p = build(&config, &c, &h200);
    assert_int_equal(p->group_count, 2);
    for (uint32_t step = 2; step < 5; step++) {
        struct observations before = {0}, now = {0}, none = {0};
        observe_every(p, 0, 3, &before);
        observe_every(p, 1, step, &now);
        assert_true(before.list.count + now.list.count <= ALL_MOST);
        const struct observations *cases[][2] = {{&before, &now}, {&none, &now}, {&before, &none}};
        for (size_t k = 0; k < 3; k++) {
            double plain[ALL_MOST], predicted[ALL_MOST];
            struct model m;
            assert_true(p->groups[1].count <= ALL_MOST);
            model_begin(&m, p, p->groups[1], cases[k][0]);
            model_predict(&m, cases[k][1], predicted);
            model_end(&m);
            predict_plainly(p, cases[k][0], cases[k][1], plain);
            for (uint32_t i = 0; i < p->groups[1].count; i++)
                if (fabs(plain[i] - predicted[i]) > 1e-4)
                    fail_msg("step %u, case %zu, point %u: %g, not %g", step, k, i, predicted[i],
                             plain[i]);
        }
        vec_free(&before.list);
        vec_free(&now.list);
    }
    plan_free(p);
    catalogue_free(&c);
}

/* A search makes thousands of predictions, so none may leak memory. */
static void nothing_stays_allocated(void **state)
{
    (void)state;
    struct catalogue c;
    struct config config;
    struct plan *p = make_plan(&c, &config);
    struct observations before = {0}, now = {0};
    observe_some(p, 0, &before);
    observe_some(p, 1, &now);
    enum { ROUNDS = 20 };
    size_t used[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) { /* malloc() keeps memory at first */
        double predicted[64];
        struct model m;
        model_begin(&m, p, p->groups[1], &before);
        model_predict(&m, &now, predicted);
        model_predict(&m, &now, predicted);
        model_end(&m);
        used[round] = mallinfo2().uordblks;
    }
    assert_int_equal(used[ROUNDS / 2], used[ROUNDS - 1]);
    vec_free(&before.list);
    vec_free(&now.list);
    plan_free(p);
    catalogue_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unmeasured_points_are_predicted),
        cmocka_unit_test(luck_is_not_believed),
        cmocka_unit_test(predictions_are_those_of_the_formulas),
        cmocka_unit_test(nothing_stays_allocated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
