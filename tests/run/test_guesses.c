/*
 * Checks the estimates that a run makes before it has measured anything. The time for a point is
 * estimated from its launches and its bytes. If the estimated time for measuring energy is too
 * long, the run is refused.
 */
#include <math.h>

#include "../plan/fixture.h"
#include "../texts/expected.h"
#include "measure/energy.h"
#include "run/energy_plan.h"
#include "run/time_left.h"

static const char facts[] = "// result: partial\n// covers: BLOCK\n// blocks: multiple of 32\n";

static void assert_guess(double value, double wanted)
{
    assert_near(value, wanted, 1e-9 * fabs(wanted));
}

/* A launch takes 0.1 ms plus the time for moving its bytes at the guessed bandwidth. Counting adds
 * 2 ms per pass. */
static void a_point_takes_its_launches_and_its_bytes(void **state)
{
    (void)state;
    static const struct {
        bool can_time, count_is_run;
        double gbs;
        int passes;
        double launches, more_s;
    } cases[] = {
        {true, false, 1000, 0, 1 + 5 + 3, 0},  {true, false, 1000, 2, 1 + 5 + 3 + 2, 2 * 2e-3},
        {true, true, 1000, 2, 1 + 5 + 3, 0},   {false, true, 0, 2, 1, 0},
        {false, false, 0, 4, 1 + 4, 4 * 2e-3}, {true, false, 0, 0, 1 + 5 + 3, 0},
    };
    struct catalogue c = three_kernels();
    struct config config = small_config();
    config.timing.min_samples = 5;
    config.timing.warmup = 3;
    struct plan *p = build(&config, &c, &h200);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct device_info info = {.can_time = cases[i].can_time,
                                   .count_is_run = cases[i].count_is_run,
                                   .estimate_gbs = cases[i].gbs};
        struct point_cost cost = plan_point_cost(p, &info, cases[i].passes);
        assert_guess(cost.point_s, cases[i].launches * 1e-4 + cases[i].more_s);
        if (cases[i].gbs > 0)
            assert_guess(cost.byte_s, cases[i].launches / (cases[i].gbs * 1e9));
        else
            assert_true(cost.byte_s == 0);
        assert_true(cost.bytes_most_s == 0);
    }
    /* If some kernels change their input, the guess includes writing it again. */
    c.kernels[0]->in_place = true;
    uint32_t in_place = 0, all = 0;
    for (uint32_t i = 0; i < p->point_count; i++) {
        all += !p->points[i].skip;
        in_place += !p->points[i].skip && plan_kernel(p, &p->points[i])->in_place;
    }
    assert_true(in_place > 0 && in_place < all);
    struct device_info gpu = {.can_time = true, .estimate_gbs = 1}, sim = {.estimate_gbs = 1};
    assert_guess(launches_cost(p, &gpu, 2).byte_s, 2e-9 * (1 + (double)in_place / all));
    assert_guess(launches_cost(p, &sim, 2).byte_s, 2e-9);
    plan_free(p);
    catalogue_free(&c);
}

/* Returns a plan for `kernels` kernels, the config's sizes and one block size. */
static struct plan *energy_plan(struct config *config, struct catalogue *c, int kernels,
                                double energy_s)
{
    static const char *const names[] = {"k00", "k01", "k02", "k03", "k04", "k05",
                                        "k06", "k07", "k08", "k09", "k10"};
    *c = (struct catalogue){calloc((size_t)kernels, sizeof *c->kernels), kernels};
    assert_non_null(c->kernels);
    for (int i = 0; i < kernels; i++)
        c->kernels[i] = make_kernel(names[i], facts);
    config->timing.energy_s = energy_s;
    return build(config, c, &h200);
}

static void energy_takes_blocks_of_each_problem(void **state)
{
    (void)state;
    struct config config = small_config();
    CHOOSE(config, n, 64, 1024, 4096);
    struct catalogue c;
    struct device_info meters = {.can_meter = true}, none = {.can_meter = false};
    struct error e = {0};
    struct plan *p = energy_plan(&config, &c, 3, 2);
    assert_int_equal(p->group_count, 3);
    assert_guess(energy_plan_s(p), 3 * energy_estimate_s(3, 1, 2));
    assert_true(energy_plan_check(p, &meters, &e));
    assert_false(energy_plan_check(p, &none, &e));
    assert_int_equal(e.kind, ERROR_DEVICE);
    texts_expect("a device without a counter of energy", e.text);
    /* Skipped points and CPU points add nothing. */
    const struct group *first = &p->groups[0];
    p->points[first->first].skip = p->points[first->first + 1].skip = 1;
    assert_guess(energy_plan_s(p), energy_estimate_s(1, 1, 2) + 2 * energy_estimate_s(3, 1, 2));
    p->points[first->first + 2].skip = 1;
    assert_guess(energy_plan_s(p), 2 * energy_estimate_s(3, 1, 2));
    c.kernels[0]->backend = BACKEND_CPU;
    assert_guess(energy_plan_s(p), 2 * energy_estimate_s(2, 1, 2));
    config.timing.energy_s = 0;
    assert_true(energy_plan_s(p) == 0);
    assert_true(energy_plan_check(p, &none, &e));
    plan_free(p);
    catalogue_free(&c);
}

static void too_much_energy_is_refused(void **state)
{
    (void)state;
    static const struct {
        int kernels;
        double energy_s;
        const char *name; /* name of the expected message; NULL: none */
    } cases[] = {
        {10, 2, NULL},
        {11, 2, "11 kernels for 2 s"},
        {10, 26.5, NULL}, /* 6 × 11 × 26.7 s = 1762 s */
        {10, 27.5, "10 kernels for 27.5 s"},
        {10, 60, "10 kernels for 60 s"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct config config = small_config();
        struct catalogue c;
        struct device_info meters = {.can_meter = true};
        struct error e = {0};
        struct plan *p = energy_plan(&config, &c, cases[i].kernels, cases[i].energy_s);
        assert_int_equal(energy_plan_check(p, &meters, &e), cases[i].name == NULL);
        if (cases[i].name)
            texts_expect(cases[i].name, e.text);
        config.search.strategy = SEARCH_RACE;
        assert_false(energy_plan_check(p, &meters, &e));
        texts_expect("energy in a search", e.text);
        plan_free(p);
        catalogue_free(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_takes_its_launches_and_its_bytes),
        cmocka_unit_test(energy_takes_blocks_of_each_problem),
        cmocka_unit_test(too_much_energy_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
