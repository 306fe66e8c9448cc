/*
 * Where timed launches stand, on a fake GPU on which a launch's number modulo 4 decides how long
 * it takes (FAKE_CUDA_PHASES): 2.3, 2.2, 2.1 and 2.0 us.
 */
#include "cuda_rig.h"

#include <math.h>

enum { TRIALS = 60 };

/* One to three launches, with and without something to do before; all end in the best place. */
static void every_trial_ends_in_the_best_place(void **state)
{
    setenv("FAKE_CUDA_PHASES", "4", 1);
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
            assert_float_equal(us[i], by_launches[i % 3], 0.0011);
        /* What is not counted, or done between two calls, does not matter. */
        must(cuda_driver.run(r->device, &trials[call], &r->e) &&
                 cuda_driver.fill(r->device, r->output, 0, &r->e),
             &r->e);
        fake_cuda_skip_phases(1);
    }
    close_rig(r);
}

/* Where places make no difference, nothing is added to the trials. */
static void without_places_there_is_no_padding(void **state)
{
    setenv("FAKE_CUDA_RUN", "no", 1);
    struct rig *r = open_rig(*state);
    struct launch l = launch_of(r);
    struct trial t = trial_of(r, &l, CACHE_COLD), trials[TRIALS];
    double us[TRIALS];
    for (int i = 0; i < TRIALS; i++)
        trials[i] = t;
    must(cuda_driver.time(r->device, trials, 1, us, &r->e), &r->e); /* looks for them */
    int before = fake_cuda.calls;
    must(cuda_driver.time(r->device, trials, 1, us, &r->e), &r->e);
    int one = fake_cuda.calls - before;
    before = fake_cuda.calls;
    must(cuda_driver.time(r->device, trials, 2, us, &r->e), &r->e);
    /* Rehearsal, two sweeps and the launch itself; two events recorded, one time read. */
    assert_int_equal(fake_cuda.calls - before - one, 7);
    close_rig(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_trial_ends_in_the_best_place),
        cmocka_unit_test(without_places_there_is_no_padding),
    };
    return cmocka_run_group_tests_name("cuda_places", tests, open_fixture, close_fixture);
}
