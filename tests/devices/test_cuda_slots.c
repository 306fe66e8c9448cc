/*
 * Checks in which queue slots the driver places timed launches. A launch's slot, or position, is
 * its number in the stream modulo a period. On these fake GPUs, the time of a launch depends on its
 * position. If another program launches a kernel, later launches get other positions (a slip). The
 * fakes imitate the noise, outliers and clock steps of measured cards (see queue_slot.c). Only
 * empty kernels have noise, so the time of any other launch shows its position exactly.
 *
 * Each model runs with SEEDS seeds. A decision may be wrong with probability SLOT_ERROR at most.
 */
#include "cuda_rig.h"

#include <math.h>

#include "devices/cuda/slot_test.h"

enum { TRIALS = 60, SEEDS = 100 };
/*
 * If decisions are wrong with probability SLOT_ERROR at most, more than WRONG_MAX of SEEDS runs
 * have a wrong one with probability below 1e-3.
 */
enum { WRONG_MAX = 3 };

/*
 * Trials have one to three launches, and some trials have a preparation. The last launch of every
 * trial must be in the best position.
 */
static void every_trial_ends_in_the_best_place(void **state)
{
    setenv("FAKE_CUDA_SLOTS", "4", 1);
    setenv("FAKE_CUDA_RUN", "no", 1);
    struct rig *r = open_rig(*state);
    struct launch launches[3] = {launch_of(r), launch_of(r), launch_of(r)};
    struct trial trials[TRIALS];
    double us[TRIALS];
    for (int i = 0; i < TRIALS; i++) {
        trials[i] = trial_of(r, launches, i % 5 == 4 ? CACHE_WARM : CACHE_COLD);
        trials[i].launch_count = 1 + i % 3;
        trials[i].restore = i % 4 == 1 ? &r->kind : NULL;
        if (i % 7 == 2)
            trials[i].zero = r->output;
    }
    static const double by_launches[] = {2.0, 2.1 + 2.0, 2.2 + 2.1 + 2.0};
    for (int call = 0; call < 3; call++) {
        must(cuda_driver.time(r->device, trials, TRIALS, us, &r->e), &r->e);
        for (int i = 0; i < TRIALS; i++)
            assert_near(us[i], by_launches[i % 3], 0.0011);
        /* Launches that are not counted, and launches between two calls, have no effect. */
        must(cuda_driver.run(r->device, &trials[call], &r->e) &&
                 cuda_driver.fill(r->device, r->output, 0, &r->e),
             &r->e);
        fake_cuda_slip(1);
    }
    close_rig(r);
}

/* If launches take the same time in all slots, the driver adds no empty launches. */
static void without_a_period_there_is_no_padding(void **state)
{
    setenv("FAKE_CUDA_RUN", "no", 1);
    struct rig *r = open_rig(*state);
    struct launch l = launch_of(r);
    struct trial t = trial_of(r, &l, CACHE_COLD), trials[TRIALS];
    double us[TRIALS];
    for (int i = 0; i < TRIALS; i++)
        trials[i] = t;
    /* searches for a period */
    must(cuda_driver.time(r->device, trials, 1, us, &r->e), &r->e);
    int before = fake_cuda.calls;
    must(cuda_driver.time(r->device, trials, 1, us, &r->e), &r->e);
    int one = fake_cuda.calls - before;
    before = fake_cuda.calls;
    must(cuda_driver.time(r->device, trials, 2, us, &r->e), &r->e);
    /*
     * The eight calls are a warm-up, a pause, two sweeps, the launch itself, the recording of two
     * events, and the reading of one time.
     */
    assert_int_equal(fake_cuda.calls - before - one, 8);
    close_rig(r);
}

/*
 * Before warm trials with small inputs, the driver never adds empty launches, because the slot does
 * not affect their times.
 */
static void warm_trials_are_not_padded(void **state)
{
    setenv("FAKE_CUDA_SLOTS", "4", 1);
    setenv("FAKE_CUDA_RUN", "no", 1);
    struct rig *r = open_rig(*state);
    struct launch l = launch_of(r);
    struct trial trials[TRIALS];
    double us[TRIALS];
    for (int i = 0; i < TRIALS; i++) {
        trials[i] = trial_of(r, &l, CACHE_WARM);
        trials[i].input.bytes = 4096;
    }
    /* searches for a period */
    must(cuda_driver.time(r->device, trials, 1, us, &r->e), &r->e);
    int before = fake_cuda.calls;
    must(cuda_driver.time(r->device, trials, 1, us, &r->e), &r->e);
    int one = fake_cuda.calls - before;
    before = fake_cuda.calls;
    must(cuda_driver.time(r->device, trials, 2, us, &r->e), &r->e);
    /*
     * The seven calls are a warm-up, a pause, a sweep, the launch itself, the recording of two
     * events, and the reading of one time.
     */
    assert_int_equal(fake_cuda.calls - before - one, 7);
    close_rig(r);
}

struct card {
    const char *name;
    int period;
    double us[SLOTS];
};

static const struct card cards[] = {
    {"H100, host with one GPU", 4, {3.31, 4.38, 3.70, 3.65}},
    {"H100, host with two GPUs", 4, {4.18, 4.46, 4.58, 4.54}},
    {"no period", 1, {4.2}},
    {"period of 8", 8, {4.5, 4.5, 4.6, 3.9, 4.5, 4.6, 4.5, 4.2}},
};
enum { CARDS = sizeof cards / sizeof cards[0] };

static struct rig *open_card(void **state, const struct card *c, int seed)
{
    setenv("FAKE_CUDA_RUN", "no", 1);
    setenv("FAKE_CUDA_STEP", "32", 1);
    struct rig *r = open_rig(*state);
    struct fake_cuda_model *m = &fake_cuda_model;
    m->slots = c->period;
    memcpy(m->slot_us, c->us, sizeof m->slot_us);
    m->noisy = "empty";
    m->noise_us = 0.137;
    m->outlier_share = 0.02;
    m->outlier_us = 8;
    m->seed = (uint64_t)seed << 32;
    fake_cuda_slip((unsigned)seed % SLOTS);
    return r;
}

static double best_of(const struct card *c)
{
    double best = c->us[0];
    for (int i = 1; i < c->period; i++)
        best = fmin(best, c->us[i]);
    return best;
}

/* Returns how many samples differ from the time of a launch in the best position. */
static int elsewhere(const struct card *c, const double *us, int count)
{
    int wrong = 0;
    for (int i = 0; i < count; i++)
        /* more than a clock step */
        wrong += fabs(us[i] - best_of(c)) > 0.033;
    return wrong;
}

/* A run consists of three groups of trials. Between the groups, other work may enter the stream. */
static void launches_stand_in_the_best_position(void **state)
{
    for (int c = 0; c < CARDS; c++) {
        int wrong_period = 0, wrong = 0, repeated = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            struct rig *r = open_card(state, &cards[c], seed);
            struct launch l = launch_of(r);
            struct trial trials[TRIALS];
            struct device_info info;
            double us[TRIALS];
            int here = 0;
            for (int i = 0; i < TRIALS; i++)
                trials[i] = trial_of(r, &l, CACHE_COLD);
            for (int group = 0; group < 3; group++) {
                must(cuda_driver.time(r->device, trials, TRIALS, us, &r->e), &r->e);
                here += elsewhere(&cards[c], us, TRIALS);
                must(cuda_driver.fill(r->device, r->output, 0, &r->e), &r->e);
                fake_cuda_slip((unsigned)(seed + group) % 3);
            }
            cuda_driver.describe(r->device, &info);
            wrong_period += info.position.period != cards[c].period;
            wrong += here > 0;
            repeated += (int)info.position.repeated;
            close_rig(r);
        }
        print_message("%s: of %d runs, wrong periods: %d, runs with samples from elsewhere: %d; "
                      "batches repeated: %d of %d\n",
                      cards[c].name, (int)SEEDS, wrong_period, wrong, repeated, 3 * SEEDS);
        if (wrong_period > WRONG_MAX || wrong > WRONG_MAX || repeated > 3 * WRONG_MAX)
            fail_msg("%s: too many", cards[c].name);
    }
}

enum { MANY = 512 };
static struct trial many[MANY];

/*
 * Another program launches one kernel during a batch of trials, so the later trials of the batch
 * are in other positions. The driver must not return their times.
 */
static void slipped_batches_are_timed_again(void **state)
{
    double us[MANY];
    for (int c = 0; c < 2; c++) {
        int wrong = 0, repeated = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            struct rig *r = open_card(state, &cards[c], seed);
            struct launch l = launch_of(r);
            struct device_info info;
            for (int i = 0; i < MANY; i++)
                many[i] = trial_of(r, &l, CACHE_COLD);
            /* finds the period */
            must(cuda_driver.time(r->device, many, 1, us, &r->e), &r->e);
            fake_cuda_model.slip_after = 1 + (uint64_t)(seed * 2049 / SEEDS);
            must(cuda_driver.time(r->device, many, MANY, us, &r->e), &r->e);
            wrong += elsewhere(&cards[c], us, MANY) > 0;
            cuda_driver.describe(r->device, &info);
            repeated += info.position.repeated > 0;
            assert_true(info.position.batches >= 2 + info.position.repeated);
            close_rig(r);
        }
        print_message("%s: of %d runs with a slip, %d hand on samples from elsewhere; batches were "
                      "repeated in %d\n",
                      cards[c].name, (int)SEEDS, wrong, repeated);
        if (wrong > WRONG_MAX || repeated < SEEDS - WRONG_MAX)
            fail_msg("%s: too many", cards[c].name);
    }
}

/*
 * If another program launches a kernel after every few launches of ours, the driver cannot keep a
 * position, and health() reports that. The driver checks positions with empty kernels (sentinels)
 * among the trials. In up to a tenth of the runs, the slips between two sentinels may cancel out
 * each time and remain unnoticed.
 */
static void endless_slips_are_told(void **state)
{
    enum { RUNS = 60, UNSEEN_MAX = 6 };
    int unseen = 0;
    for (int seed = 0; seed < RUNS; seed++) {
        struct rig *r = open_card(state, &cards[seed % 2], seed);
        struct launch l = launch_of(r);
        double us[MANY];
        for (int i = 0; i < MANY; i++)
            many[i] = trial_of(r, &l, CACHE_COLD);
        must(cuda_driver.time(r->device, many, 1, us, &r->e), &r->e);
        for (int i = 0; i < MANY; i++)
            us[i] = NAN;
        fake_cuda_model.slip_after = 5 + (uint64_t)seed;
        fake_cuda_model.slip_on = true;
        struct device_health health;
        must(cuda_driver.time(r->device, many, MANY, us, &r->e), &r->e);
        cuda_driver.health(r->device, &health);
        if (!health.unplaced) {
            unseen++;
        } else {
            /* After the slips have ended, the positions are right again. */
            fake_cuda_model.slip_on = false;
            fake_cuda_model.slip_after = UINT64_MAX;
            must(cuda_driver.time(r->device, many, MANY, us, &r->e), &r->e);
            assert_int_equal(elsewhere(&cards[seed % 2], us, MANY), 0);
            cuda_driver.health(r->device, &health);
            assert_false(health.unplaced);
        }
        close_rig(r);
    }
    print_message("slips without end: unseen in %d of %d runs\n", unseen, (int)RUNS);
    assert_true(unseen <= UNSEEN_MAX);
}

/*
 * Once counters have been opened, launches in all positions take longer by the same time. The
 * driver must still find the best position.
 */
static void longer_launches_later_are_placed(void **state)
{
    for (int seed = 0; seed < 20; seed++) {
        struct card later = cards[seed % 2];
        struct rig *r = open_card(state, &later, seed);
        struct launch l = launch_of(r);
        struct trial trials[TRIALS];
        struct device_health health;
        double us[TRIALS];
        for (int i = 0; i < TRIALS; i++)
            trials[i] = trial_of(r, &l, CACHE_COLD);
        must(cuda_driver.time(r->device, trials, TRIALS, us, &r->e), &r->e);
        for (int i = 0; i < later.period; i++)
            later.us[i] += 0.5;
        memcpy(fake_cuda_model.slot_us, later.us, sizeof fake_cuda_model.slot_us);
        /* In the meantime, other work uses the stream. */
        must(cuda_driver.fill(r->device, r->output, 0, &r->e), &r->e);
        fake_cuda_slip((unsigned)seed % 3);
        must(cuda_driver.time(r->device, trials, TRIALS, us, &r->e), &r->e);
        cuda_driver.health(r->device, &health);
        struct device_info info;
        cuda_driver.describe(r->device, &info);
        if (health.unplaced || elsewhere(&later, us, TRIALS))
            fail_msg("seed %d: %s, %d samples from elsewhere, %u profiles", seed,
                     health.unplaced ? "not placed" : "placed", elsewhere(&later, us, TRIALS),
                     info.position.profiles);
        close_rig(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_trial_ends_in_the_best_place),
        cmocka_unit_test(without_a_period_there_is_no_padding),
        cmocka_unit_test(warm_trials_are_not_padded),
        cmocka_unit_test(launches_stand_in_the_best_position),
        cmocka_unit_test(slipped_batches_are_timed_again),
        cmocka_unit_test(endless_slips_are_told),
        cmocka_unit_test(longer_launches_later_are_placed),
    };
    return cmocka_run_group_tests_name("cuda_slots", tests, open_fixture, close_fixture);
}
