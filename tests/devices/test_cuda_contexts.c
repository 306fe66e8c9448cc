/*
 * Chooses a context on a fake GPU. Launches take 140, 0, 160 and 40 ns longer in the first four
 * contexts that are created, and likewise in each further group of four.
 */
#include "cuda_fixture.h"

#include "base/phase.h"

static uint64_t contexts_tried;

static void note_phase(void *context, const struct phase *phase)
{
    (void)context;
    assert_int_equal(phase->kind, PHASE_CONTEXTS);
    assert_int_equal(phase->total, 4);
    contexts_tried = phase->done;
}

static struct device_info open_with(struct fixture *f, int contexts)
{
    struct device *d;
    struct device_info info;
    struct device_setup setup = f->setup;
    struct error e = {0};
    setup.contexts = contexts;
    fresh_process();
    must(cuda_driver.open("", &setup, &d, &e), &e);
    cuda_driver.describe(d, &info);

    /*
     * The chosen context can allocate memory and run kernels, and its launches take the reported
     * time.
     */
    struct buffer b;
    struct input input = {.type = TYPE_INT32, .op = OP_SUM, .n = 1 << 10, .seed = 7};
    uint64_t launched = fake_cuda.clock_ns;
    must(cuda_driver.alloc(d, 4 << 10, &b, &e) && cuda_driver.generate(d, b, &input, &e), &e);
    assert_true(fake_cuda.clock_ns > launched);
    cuda_driver.free(d, b);
    cuda_driver.close(d);
    assert_string_equal(fake_cuda.misuse, "");
    assert_int_equal(fake_cuda.live, 0); /* the other contexts were destroyed */
    no_faults();
    return info;
}

enum { ROOM = 1 << 30 };

static void room(void)
{
    char text[16];
    snprintf(text, sizeof text, "%d", ROOM);
    setenv("FAKE_CUDA_MEMORY", text, 1);
}

/*
 * The time of the launch with which contexts are compared: 2 us, plus the time in which 64 KiB are
 * read from the cache at 4000 bytes per nanosecond.
 */
static const double tiny_us = 2.016;

static void the_one_with_the_shortest_launches_is_kept(void **state)
{
    room();
    phase_watch(note_phase, NULL);
    struct device_info info = open_with(*state, 4);
    phase_watch(NULL, NULL);
    assert_int_equal(contexts_tried, 4); /* the progress line shows this number */
    assert_int_equal(info.contexts, 4);
    assert_near(info.launch_us, tiny_us, 1e-3);
    assert_near(info.launch_max_us, tiny_us + 0.16, 1e-3);
    assert_true(info.memory_bytes == ROOM);
    /* The memory of the other contexts has been freed. */
    assert_true(info.free_bytes > ROOM - (64u << 20));
}

static void without_a_choice_the_runtimes_own_is_taken(void **state)
{
    for (int contexts = 0; contexts < 2; contexts++) {
        struct device_info info = open_with(*state, contexts);
        assert_int_equal(info.contexts, 1);
        assert_true(info.launch_us == 0 && info.launch_max_us == 0 && info.time_step_us == 0);
    }
}

static void as_many_are_tried_as_can_be_had(void **state)
{
    room();
    setenv("FAKE_CUDA_FAIL", "cuCtxCreate:2+=2", 1);
    struct device_info info = open_with(*state, 4);
    assert_int_equal(info.contexts, 1);
    assert_near(info.launch_us, tiny_us + 0.14, 1e-3);

    room();
    setenv("FAKE_CUDA_FAIL", "cuCtxCreate:1+=2", 1);
    info = open_with(*state, 4);
    assert_int_equal(info.contexts, 1);
    assert_true(info.launch_us == 0); /* the driver has not timed the runtime's own context */

    /* The driver destroys a context in which it cannot time launches. */
    room();
    setenv("FAKE_CUDA_FAIL", "cudaLibraryLoadData:7=2", 1);
    info = open_with(*state, 4);
    assert_int_equal(info.contexts, 1);
    assert_near(info.launch_us, tiny_us + 0.14, 1e-3);

    /*
     * The driver leaves half of the memory free. Each context takes ten mebibytes, which it needs
     * to flush a cache of two mebibytes.
     */
    setenv("FAKE_CUDA_MEMORY", "36000000", 1);
    info = open_with(*state, 4);
    assert_int_equal(info.contexts, 2);
    assert_near(info.launch_us, tiny_us, 1e-3);
}

static void the_events_steps_are_found(void **state)
{
    room();
    setenv("FAKE_CUDA_STEP", "50", 1);
    struct device_info info = open_with(*state, 2);
    assert_near(info.time_step_us, 0.05, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_one_with_the_shortest_launches_is_kept),
        cmocka_unit_test(without_a_choice_the_runtimes_own_is_taken),
        cmocka_unit_test(as_many_are_tried_as_can_be_had),
        cmocka_unit_test(the_events_steps_are_found),
    };
    return cmocka_run_group_tests_name("cuda_contexts", tests, open_fixture, close_fixture);
}
