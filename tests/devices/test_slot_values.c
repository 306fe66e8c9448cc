/*
 * Checks every number that the queue-slot statistics return, for times with known medians, ranks
 * and likelihoods. test_slot_test.c checks how often they decide wrongly.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../near.h"
#include "base/statistics.h"
#include "devices/cuda/slot_test.h"

/* With 16 rounds, a difference of one slot among 16 would not be significant. */
enum { ROUNDS = 32 };

/*
 * Fits times with two deviations. The deviation `common` applies to all slots, and changes its sign
 * after every round. The deviation `own` applies only to the slots in `mask`, and changes its sign
 * after every two rounds.
 */
static bool fit(const double *us, unsigned period, double common, double own, unsigned mask,
                double step_us, struct slot_profile *p)
{
    double rounds[ROUNDS][SLOTS];
    for (unsigned r = 0; r < ROUNDS; r++)
        for (unsigned s = 0; s < SLOTS; s++)
            rounds[r][s] = us[s % period] + (r % 2 ? common : -common) +
                           (mask >> s & 1 ? (r / 2 % 2 ? own : -own) : 0);
    return slot_fit((const double(*)[SLOTS])rounds, ROUNDS, step_us, p);
}

static const double two[] = {3, 4}, four[] = {3, 4, 3, 5}, one[] = {3};
#define SCALE 1.4826022185056018

static struct slot_profile of_two(void)
{
    struct slot_profile p;
    assert_true(fit(two, 2, 0.125, 0, 0, 0.01, &p));
    return p;
}

/*
 * Eight slots have the lower eight ranks of 16, and eight have the upper ones. The mean ranks of
 * the two groups are 4 below and 4 above the mean of all ranks.
 */
static void two_positions(void **state)
{
    (void)state;
    struct slot_profile p = of_two();
    assert_int_equal(p.period, 2);
    assert_int_equal(p.best, 0);
    assert_int_equal(p.rounds, ROUNDS);
    assert_near(p.median_us[0], 3, 0);
    assert_near(p.median_us[1], 4, 0);
    assert_true(p.serves[0] && !p.serves[1]);
    assert_near(p.scale_us, SCALE * 0.125, 1e-12);
    assert_near(p.p_shorter / chi_squared_tail(480, 15), 1, 1e-9);
    assert_near(p.p_longer, 1, 1e-12);
    assert_near(p.unseen_us, 0, 0);
    assert_near(p.margin_us, 1, 1e-12);
    assert_true(fit(two, 2, 0, 0.125, 0xaaaa, 0.01, &p)); /* half of the deviations are 0 */
    assert_near(p.scale_us, SCALE * 0.0625, 1e-12);
}

static void no_positions(void **state)
{
    (void)state;
    struct slot_profile p;
    assert_true(fit(one, 1, 0.125, 0, 0, 0.01, &p));
    assert_int_equal(p.period, 1);
    assert_int_equal(p.best, 0);
    assert_true(p.serves[0] && isnan(p.p_shorter) && isinf(p.margin_us));
    assert_near(p.p_longer, 1, 1e-12);
    assert_near(p.scale_us, SCALE * 0.125, 1e-12);
    assert_true(fit(one, 1, 0, 0, 0, 0.12, &p)); /* only the clock's steps remain */
    assert_near(p.scale_us, 0.12 / sqrt(12), 1e-12);
    assert_true(fit(one, 1, 0, 0, 0, 0, &p));
    assert_near(p.scale_us, 1e-6, 0);
}

/*
 * In half of the rounds, launches in the slots 2, 6, 10 and 14 are shorter than those in the slots
 * 0, 4, 8 and 12, and in the other half they are longer. Positions 0 and 2 are therefore equally
 * good.
 */
static void two_of_four_are_alike(void **state)
{
    (void)state;
    struct slot_profile p;
    assert_true(fit(four, 4, 0, 0.0625, 0x4444, 0.07, &p));
    assert_int_equal(p.period, 4);
    assert_int_equal(p.best, 0);
    assert_true(p.serves[0] && !p.serves[1] && p.serves[2] && !p.serves[3]);
    assert_near(p.margin_us, 1, 1e-12);
    assert_near(p.unseen_us, 0, 0);
    assert_false(
        fit(four, 4, 0, 0.0625, 0x4444, 0.06, &p)); /* the difference may be more than one step */
}

/*
 * In half of the rounds, launches in slot 5 are shorter than in the other slots of its position,
 * and in the other half they are longer. It is therefore undecided whether slot 5 differs.
 */
static void a_slot_apart(void **state)
{
    (void)state;
    struct slot_profile p;
    assert_true(fit(two, 2, 0, 0.0625, 1u << 5, 0.07, &p));
    assert_int_equal(p.period, 2);
    assert_near(p.unseen_us, 0.0625, 1e-12);
    assert_false(fit(two, 2, 0, 0.0625, 1u << 5, 0.06, &p));
}

/*
 * Returns 2 log(1 + z² / 3), which is the negative logarithm of the density of Student's t with 3
 * degrees of freedom, up to a constant.
 */
static double against(const struct slot_profile *p, double us)
{
    return 2 * log1p(us * us / p->scale_us / p->scale_us / 3);
}

static void a_rotation_is_found_by_differences(void **state)
{
    (void)state;
    const struct slot_profile p = of_two();
    struct slot_evidence v = {.count = 0};
    unsigned rotation;
    /*
     * Either the launch is in position 0, or it is in position 1 and took 1 us less than usual.
     */
    slot_observe(0, 3, &v);
    assert_false(slot_located(&p, &v, &rotation));
    slot_observe(1, 4, &v);
    assert_true(slot_located(&p, &v, &rotation));
    assert_int_equal(rotation, 0);
    assert_near(v.shift_us, 0, 1e-12);
    v.count = 0;
    slot_observe(0, 4.5, &v);
    slot_observe(1, 3.5, &v);
    assert_true(slot_located(&p, &v, &rotation));
    assert_int_equal(rotation, 1);
    assert_near(v.shift_us, 0.5, 1e-12);
    for (unsigned i = 0; i <= SLOT_EVIDENCE_MAX; i++)
        slot_observe(i, 7, &v);
    assert_int_equal(v.count, SLOT_EVIDENCE_MAX);
    /*
     * Without evidence the rotation is unknown. A profile with only one position needs no evidence.
     */
    v.count = 0;
    assert_false(slot_located(&p, &v, &rotation));
    struct slot_profile flat;
    assert_true(fit(one, 1, 0.125, 0, 0, 0.01, &flat));
    assert_true(slot_located(&flat, &v, &rotation));
    assert_int_equal(rotation, 0);
}

static void what_comes_last_decides_whether_a_batch_was_kept(void **state)
{
    (void)state;
    const struct slot_profile p = of_two();
    struct slot_watch w = {.seen = 0};
    /* An observation before the last trial does not show where the last trial was. */
    slot_watch_add(&p, 0, 0, 3, false, &w);
    assert_near(w.for_kept[1], 0, 0);
    slot_watch_add(&p, 0, 0, 3, true, &w);
    assert_int_equal(w.seen, 2);
    assert_near(w.for_kept[1], against(&p, 1), 1e-9);
    assert_near(w.for_kept[0], 0, 0);
    assert_near(w.most_lost, 0, 0);
    /* the evidence is below the threshold, log(1000) */
    assert_int_equal(slot_watch_verdict(&p, 0, &w), SLOT_UNDECIDED);
    slot_watch_add(&p, 0, 1, 4.0625, true, &w);
    assert_near(w.for_kept[1],
                2 * against(&p, 1) - against(&p, 0.0625) + (against(&p, 1.0625) - against(&p, 1)),
                1e-9);
    assert_int_equal(slot_watch_verdict(&p, 0, &w), SLOT_KEPT);
}

static void a_slip_is_lost(void **state)
{
    (void)state;
    const struct slot_profile p = of_two();
    struct slot_watch w = {.seen = 0};
    slot_watch_add(&p, 0, 0, 4, false, &w);
    assert_near(w.for_lost[1], against(&p, 1), 1e-9);
    assert_near(w.for_anywhere, against(&p, 1), 1e-9);
    /* The evidence is 5.0, and the threshold is log(1 * 2 / 0.01) = 5.3. */
    assert_near(w.most_lost, against(&p, 1), 1e-9);
    assert_int_equal(slot_watch_verdict(&p, 0, &w), SLOT_UNDECIDED);
    slot_watch_add(&p, 0, 1, 3, false, &w);
    assert_near(w.most_lost, 2 * against(&p, 1), 1e-9);
    assert_int_equal(slot_watch_verdict(&p, 0, &w), SLOT_LOST);
    slot_watch_add(&p, 0, 0, 3, false,
                   /*
                    * The watch keeps the largest evidence so far, even if later observations
                    * decrease the evidence.
                    */
                   &w);
    assert_near(w.for_lost[1], against(&p, 1), 1e-9);
    assert_near(w.most_lost, 2 * against(&p, 1), 1e-9);
    w.seen = 1000000; /* after so many observations, the evidence may be due to chance */
    assert_int_equal(slot_watch_verdict(&p, 0, &w), SLOT_UNDECIDED);
    slot_watch_add(&p, 1, 0, 4, true, &w); /* the rotation 1 predicts this time */
    assert_true(w.for_kept[0] > 0);
}

static void cycles_follow_from_the_scale(void **state)
{
    (void)state;
    struct slot_profile p = of_two();
    static const struct {
        double scale_us;
        int cycles;
    } cases[] = {{0.125, 1}, {0.4, 2}, {0.55, 3}, {1, 4}, {10, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        p.scale_us = cases[i].scale_us;
        assert_int_equal(slot_cycles(&p), cases[i].cycles);
    }
    p.serves[1] = true; /* both positions are now good */
    assert_int_equal(slot_cycles(&p), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_positions),
        cmocka_unit_test(no_positions),
        cmocka_unit_test(two_of_four_are_alike),
        cmocka_unit_test(a_slot_apart),
        cmocka_unit_test(a_rotation_is_found_by_differences),
        cmocka_unit_test(what_comes_last_decides_whether_a_batch_was_kept),
        cmocka_unit_test(a_slip_is_lost),
        cmocka_unit_test(cycles_follow_from_the_scale),
    };
    return cmocka_run_group_tests_name("slot_values", tests, NULL, NULL);
}
