/*
 * Runs the self-check of CUDA events on fake GPUs whose launch and event times vary as on measured
 * GPUs. In 200 checks per model, it must report no error if the events' scale is correct, and find
 * every wrong scale planted. One fake GPU's timer has steps of 32 ns, the other's 1024 ns.
 */
#include "cuda_rig.h"

#include "measure/ceilings.h"
#include "measure/buffer_pool.h"

enum { CHECKS = 200 };

static void check_card(struct fixture *f, uint64_t timer_step_ns, double scale, bool ok)
{
    setenv("FAKE_CUDA_STEP", "32", 1);
    setenv("FAKE_CUDA_RUN", "no", 1);
    struct rig *r = open_rig(f);
    struct bench bench = {.driver = &cuda_driver,
                          .device = r->device,
                          .compiler = f->compiler,
                          .support = &f->support,
                          .threads = 1};
    struct ceilings none = {.bytes = 0};
    cuda_driver.describe(r->device, &bench.info);
    fake_cuda_model.noise_us = 0.137;
    fake_cuda_model.outlier_share = 0.02;
    fake_cuda_model.outlier_us = 8;
    fake_cuda_model.seed = timer_step_ns;
    fake_cuda_model.timer_step_ns = timer_step_ns;
    fake_cuda_model.event_scale = scale;
    for (int i = 0; i < CHECKS; i++) {
        struct self_check checks[SELF_CHECKS_MOST];
        struct error e = {0};
        int count;
        self_check(&bench, &none, checks, &count, &e);
        must(e.kind == ERROR_NONE, &e);
        assert_int_equal(count, 1);
        assert_string_equal(checks[0].name, "event_time");
        if (checks[0].ok != ok)
            fail_msg("step %u ns, scale %g, check %d: expected %g, found %g, tolerance %g",
                     (unsigned)timer_step_ns, scale, i, checks[0].expected, checks[0].found,
                     checks[0].tolerance);
    }
    pool_free(&bench, false);
    close_rig(r);
}

static void healthy_cards_raise_no_alarm(void **state)
{
    check_card(*state, 32, 1, true);
    check_card(*state, 1024, 1, true);
}

static void a_wrong_scale_is_found(void **state)
{
    check_card(*state, 32, 1.1, false);
    check_card(*state, 1024, 0.9, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(healthy_cards_raise_no_alarm),
        cmocka_unit_test(a_wrong_scale_is_found),
    };
    return cmocka_run_group_tests_name("cuda_self_check", tests, open_fixture, close_fixture);
}
