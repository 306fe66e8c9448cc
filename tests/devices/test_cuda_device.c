/*
 * Runs redsweep's CUDA driver on a fake GPU. Checks the device's description, the times of cold,
 * warm and repeated launches, the counts, and the GPU's reported state, and that no blocking kernel
 * is left waiting.
 *
 * Times are exact, because the fake's clock (fake_cuda.h) depends only on launches and the bytes
 * that they move to or from memory and cache. A time is right only if the caches were in the
 * requested state.
 */
#include "cuda_rig.h"

#include "../texts/expected.h"

#include <math.h>

#include "base/bits.h"
#include "devices/cuda/cupti_library.h"

static void the_device_is_described(void **state)
{
    struct rig *r = open_rig(*state);
    const struct device_info *i = &r->info;
    assert_string_equal(i->backend, "cuda");
    assert_string_equal(i->name, "NVIDIA Fake 0 (no GPU)");
    assert_string_equal(i->slug, "fake-0-no-gpu");
    assert_string_equal(i->uuid, "GPU-f0f1f2f3-f4f5-f6f7-f8f9-fafbfcfdfeff");
    assert_string_equal(i->chip, "GH100");
    assert_string_equal(i->counter_library, "CUPTI 13.0");
    assert_string_equal(i->counters_missing, "");
    assert_string_equal(i->health_missing, "");
    assert_int_equal(i->target.kind, IMAGE_CUBIN);
    assert_int_equal(i->target.cc, 90);
    assert_int_equal(i->limits.sms, 16);
    assert_true(i->limits.cluster && i->limits.cooperative && i->limits.host_launches);
    assert_int_equal(i->memory_bytes, 128 << 20);
    assert_int_equal(i->l2_bytes, 2 << 20);
    assert_true(i->peak_gbs == 1000 && i->estimate_gbs == 500);
    assert_int_equal(i->driver_version, 13000);
    assert_true(i->can_time && i->can_count && !i->count_is_run && !i->exact_counts);
    assert_int_equal(r->module.registers, 32);
    assert_int_equal(r->module.max_block, 1024);
    close_rig(r);
}

static void launches_compute(void **state)
{
    struct rig *r = open_rig(*state);
    struct launch l = launch_of(r);
    struct trial t = trial_of(r, &l, CACHE_COLD);
    int32_t *input = test_malloc(BYTES), output[GRID];
    must(cuda_driver.fill(r->device, r->output, 0xff, &r->e) &&
             cuda_driver.run(r->device, &t, &r->e) &&
             cuda_driver.read(r->device, r->output, 0, output, sizeof output, &r->e),
         &r->e);
    input_generate(&r->kind, 0, N, input);
    for (int b = 0; b < GRID; b++) {
        uint32_t sum = 0;
        for (int i = 0; i < BLOCK; i++)
            sum += (uint32_t)input[b * BLOCK + i];
        assert_int_equal(output[b], (int32_t)sum);
    }
    /* The first read copies a part of a buffer. The second read is larger than the staging
     * memory. */
    int32_t two[2];
    must(cuda_driver.read(r->device, r->output, 8, two, 8, &r->e), &r->e);
    assert_true(two[0] == output[2] && two[1] == output[3]);
    struct buffer large;
    must(cuda_driver.alloc(r->device, 3 << 20, &large, &r->e), &r->e);
    must(cuda_driver.fill(r->device, large, 0x11, &r->e), &r->e);
    uint8_t *bytes = test_calloc(1, 3 << 20);
    must(cuda_driver.read(r->device, large, 0, bytes, 3 << 20, &r->e), &r->e);
    assert_true(bytes[0] == 0x11 && bytes[(3 << 20) - 1] == 0x11);
    cuda_driver.free(r->device, large);
    test_free(bytes);
    test_free(input);
    close_rig(r);
}

/* For every kind of input and every operation, the device generates the same bits as the CPU.
 * Products have only one kind of input. */
static void inputs_are_equal_in_every_bit(void **state)
{
    enum { MOST = 3000 };
    static const enum element_type types[] = {TYPE_FLOAT16, TYPE_BFLOAT16, TYPE_FLOAT32,
                                              TYPE_FLOAT64};
    struct rig *r = open_rig(*state);
    double made[MOST], expected[MOST];
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int i = 0; i < OP_COUNT * INPUT_KINDS; i++) {
            const int op = i / INPUT_KINDS, kind = i % INPUT_KINDS;
            struct input input = {.type = types[t],
                                  .op = (enum operation)op,
                                  .n = MOST,
                                  .seed = 0x1234567 + 0x91 * (uint64_t)kind,
                                  .kind = (enum input_kind)kind};
            size_t bytes = MOST * element_size(types[t]);
            input_generate(&input, 0, MOST, expected);
            must(cuda_driver.generate(r->device, r->input, &input, &r->e) &&
                     cuda_driver.read(r->device, r->input, 0, made, bytes, &r->e),
                 &r->e);
            if ((op != OP_PROD || kind == INPUT_KIND_UNIFORM) && memcmp(made, expected, bytes) != 0)
                fail_msg("%s %s %s", operation_name((enum operation)op),
                         element_type_name(types[t]), input_kind_names[kind]);
        }
    close_rig(r);
}

static double time_one(struct rig *r, const struct trial *t)
{
    double us = NAN;
    must(cuda_driver.time(r->device, t, 1, &us, &r->e), &r->e);
    return us;
}

/* A launch takes 2 us. In addition, 1 MiB of input is read at 1000 bytes per ns from memory, or at
 * 4000 bytes per ns from the cache. The output stays in the cache. If the flush left a dirty line
 * in the cache, that line would add time, too. */
static void caches_are_as_asked_for(void **state)
{
    struct rig *r = open_rig(*state);
    struct launch twice[2] = {launch_of(r), launch_of(r)};
    struct trial t = trial_of(r, twice, CACHE_COLD);
    const double cold = 2 + BYTES / 1000 / 1e3, warm = 2 + BYTES / 4000 / 1e3;
    assert_near(time_one(r, &t), cold, 0.0011);
    t.restore = &r->kind; /* the flush also removes what the restore leaves in the cache */
    t.zero = r->output;
    assert_near(time_one(r, &t), cold, 0.0011);
    t.restore = NULL;
    t.zero.bytes = 0;
    t.cache = CACHE_WARM;
    assert_near(time_one(r, &t), warm, 0.0021);
    t.cache = CACHE_COLD; /* the second launch reads the input of the first from the cache */
    t.launch_count = 2;
    assert_near(time_one(r, &t), cold + warm, 0.0031);
    assert_int_equal(fake_cuda.late_releases, 0);
    close_rig(r);
}

/* The driver hashes the bits of results of any length, from one byte to a length that needs several
 * blocks. Neither the order of the trials nor other trials with hashes affect a hash. The time is
 * that of the launch, without the hash. */
static void results_are_hashed_outside_of_the_time(void **state)
{
    static const size_t sizes[] = {1, 3, 4, 6, 1000, 4096, 16385, 300001, BYTES};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    struct rig *r = open_rig(*state);
    struct launch l = launch_of(r);
    struct trial trials[SIZES + 1];
    uint64_t bits[SIZES] = {0};
    double us[SIZES + 1], alone;
    uint8_t *host = test_malloc(BYTES);
    trials[SIZES] = trial_of(r, &l, CACHE_COLD);
    alone = time_one(r, &trials[SIZES]);
    for (int i = 0; i < SIZES; i++) {
        trials[i] = trial_of(r, &l, CACHE_COLD);
        trials[i].result = (struct buffer){r->input.address, sizes[i]};
        trials[i].bits = &bits[i];
    }
    for (int again = 0; again < 2; again++) {
        must(cuda_driver.time(r->device, trials, SIZES + 1, us, &r->e) &&
                 cuda_driver.read(r->device, r->input, 0, host, BYTES, &r->e),
             &r->e);
        for (int i = 0; i < SIZES; i++) {
            assert_true(bits[i] == result_bits(host, sizes[i]));
            assert_near(us[i], alone, 0.0021);
            bits[i] = 0;
        }
    }
    host[BYTES - 1] ^= 1;
    assert_true(result_bits(host, BYTES) != result_bits(host, BYTES - 1));
    must(cuda_driver.time(r->device, &trials[SIZES - 1], 1, us, &r->e), &r->e);
    assert_true(bits[SIZES - 1] != result_bits(host, BYTES));
    assert_int_equal(fake_cuda.late_releases, 0);
    test_free(host);
    close_rig(r);
}

/* Scratch memory of any size is zeroed up to its last byte, but no byte beyond it is changed. */
static void scratch_memory_is_zeroed_to_the_byte(void **state)
{
    enum { BYTES_MOST = 16 };
    struct rig *r = open_rig(*state);
    struct launch l = launch_of(r);
    struct trial t = trial_of(r, &l, CACHE_COLD);
    struct buffer scratch;
    must(cuda_driver.alloc(r->device, BYTES_MOST, &scratch, &r->e), &r->e);
    for (size_t bytes = 0; bytes < BYTES_MOST; bytes++) {
        uint8_t found[BYTES_MOST];
        t.zero = (struct buffer){scratch.address, bytes};
        must(cuda_driver.fill(r->device, scratch, 0xa5, &r->e) &&
                 cuda_driver.run(r->device, &t, &r->e) &&
                 cuda_driver.read(r->device, scratch, 0, found, sizeof found, &r->e),
             &r->e);
        for (size_t i = 0; i < BYTES_MOST; i++)
            assert_int_equal(found[i], i < bytes ? 0 : 0xa5);
    }
    cuda_driver.free(r->device, scratch);
    close_rig(r);
}

/* The times of 700 trials of different lengths are returned in order, in spite of batches, queue
 * slots and a full queue. */
static void many_trials_keep_their_order(void **state)
{
    enum {
        TRIALS = 700,
        MOST = 300
    }; /* this trial and its warm-up launches nearly fill the queue */
    setenv("FAKE_CUDA_RUN", "no", 1);
    struct rig *r = open_rig(*state);
    struct launch launches[MOST];
    struct trial *trials = test_calloc(TRIALS, sizeof *trials);
    double *us = test_calloc(TRIALS, sizeof *us);
    double sum = 0;
    for (int i = 0; i < MOST; i++)
        launches[i] = launch_of(r);
    /* searches for the queue slot */
    struct trial first = trial_of(r, launches, CACHE_WARM);
    must(cuda_driver.time(r->device, &first, 1, us, &r->e), &r->e);
    double busy = cuda_driver.busy_s(r->device);
    for (int i = 0; i < TRIALS; i++) {
        trials[i] = trial_of(r, launches, i % 2 ? CACHE_COLD : CACHE_WARM);
        trials[i].launch_count = 1 + i % MOST;
    }
    must(cuda_driver.time(r->device, trials, TRIALS, us, &r->e), &r->e);
    for (int i = 0; i < TRIALS; i++) {
        /* CUDA returns times as floats in ms, which are rounded. */
        if (fabs(us[i] - 2 * (1 + i % MOST)) > 1e-3)
            fail_msg("trial %d took %g us", i, us[i]);
        sum += us[i];
    }
    assert_int_equal(fake_cuda.late_releases, 0);
    /* The device was busy with the trials and with the preparation of each trial, which includes a
     * warm-up of the same length. */
    assert_true(cuda_driver.busy_s(r->device) - busy > sum * 1e-6);
    assert_true(cuda_driver.busy_s(r->device) - busy < 2 * sum * 1e-6 + TRIALS * 50e-6);
    test_free(trials);
    test_free(us);
    close_rig(r);
}

/* Loading code behind a blocking kernel would block forever. The fake counts the blocking kernels
 * that gave up. The second half of this test checks that it counts them. */
static void code_is_loaded_before_the_blocking_kernel(void **state)
{
    setenv("CUDA_MODULE_LOADING", "LAZY", 1); /* some computing centers set this value */
    struct rig *r = open_rig(*state);
    assert_string_equal(getenv("CUDA_MODULE_LOADING"), "EAGER");
    struct launch l = launch_of(r);
    struct trial t = trial_of(r, &l, CACHE_COLD);
    time_one(r, &t);
    assert_int_equal(fake_cuda.late_releases, 0);
    struct module *another = load(*state, r->device, "smem_dynamic", NULL);
    l.module = another;
    /* From here on, the fake behaves as if the process had always had this value. */
    setenv("CUDA_MODULE_LOADING", "LAZY", 1);
    time_one(r, &t);
    assert_int_equal(fake_cuda.late_releases, 1);
    cuda_driver.unload(r->device, another);
    close_rig(r);
}

/* The fake refuses launches whose kernel attributes are not set. It must accept these launches, for
 * which the driver sets the attributes: launches with more than 48 KiB of shared memory, launches
 * of clusters, and cooperative and dependent launches. */
static void launches_get_the_leave_they_need(void **state)
{
    static const struct {
        size_t smem;
        enum launch_kind kind;
        unsigned cluster, grid;
    } cases[] = {
        {48 * 1024, LAUNCH_PLAIN, 1, 4},  {200 * 1024, LAUNCH_PLAIN, 1, 4},
        {100 * 1024, LAUNCH_PLAIN, 1, 4}, {1024, LAUNCH_CLUSTER, 8, 16},
        {1024, LAUNCH_CLUSTER, 16, 32},   {1024, LAUNCH_COOPERATIVE, 1, 16},
        {1024, LAUNCH_DEPENDENT, 1, 4},   {60 * 1024, LAUNCH_CLUSTER, 16, 16},
        {1024, LAUNCH_CLUSTER, 1, 4},
    };
    struct rig *r = open_rig(*state);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct launch l = launch_of(r);
        l.dynamic_smem = cases[i].smem;
        l.kind = cases[i].kind;
        l.cluster = cases[i].cluster;
        l.grid[0] = cases[i].grid;
        struct trial t = trial_of(r, &l, CACHE_WARM);
        must(cuda_driver.run(r->device, &t, &r->e), &r->e);
    }
    struct launch l = launch_of(r);
    struct trial t = trial_of(r, &l, CACHE_WARM);
    l.kind = LAUNCH_COOPERATIVE; /* more blocks than the device can run at once */
    assert_false(cuda_driver.run(r->device, &t, &r->e));
    texts_expect("a cooperative launch of too many blocks", r->e.text);
    assert_false(r->e.device_lost);
    l.kind = LAUNCH_PLAIN;
    l.block[0] = 2048;
    assert_false(cuda_driver.run(r->device, &t, &r->e));
    texts_expect("a block of 2048 threads", r->e.text);
    close_rig(r);
}

static void counts_are_those_of_the_launch(void **state)
{
    struct rig *r = open_rig(*state);
    struct launch l = launch_of(r);
    struct trial trials[] = {trial_of(r, &l, CACHE_COLD), trial_of(r, &l, CACHE_WARM)};
    const char *const counters[] = {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                                    "dram__bytes_read.sum", "gpu__time_duration.sum"};
    double v[6];
    char why[256] = "";
    for (int i = 0; i < 3; i++)
        assert_true(cuda_driver.has_counter(r->device, counters[i], why));
    assert_false(cuda_driver.has_counter(r->device, "nonsense.sum", why));
    assert_int_equal(cuda_driver.passes(r->device, counters, 3), 1);
    must(cuda_driver.count(r->device, trials, 2, counters, 3, v, &r->e), &r->e);
    /* Each launch reads its input once: a cold launch from memory, and a warm launch from the
     * cache. */
    assert_true(v[0] == BYTES / 32 && v[3] == BYTES / 32);
    assert_true(v[1] == BYTES && v[4] == 0);
    assert_near(v[2], 2000 + BYTES / 1000, 1.1);
    must(cuda_driver.count(r->device, trials, 0, counters, 3, v, &r->e), &r->e);
    close_rig(r);
}

/* A process requests another set of counters, and later the first set again. Each time, CUPTI's
 * image is sized for the new set. */
static void the_counters_may_change(void **state)
{
    struct rig *r = open_rig(*state);
    struct launch l = launch_of(r);
    struct trial t = trial_of(r, &l, CACHE_COLD);
    const char *const counters[] = {"dram__bytes_read.sum", "smsp__warps_launched.sum",
                                    "gpu__time_duration.sum"};
    for (int i = 0; i < 3; i++) {
        double v[2] = {0, 0};
        must(cuda_driver.count(r->device, &t, 1, counters, 1, v, &r->e), &r->e);
        assert_true(v[0] == BYTES);
        must(cuda_driver.count(r->device, &t, 1, counters + 1, 2, v, &r->e), &r->e);
        assert_true(v[0] == N / 32);
        assert_near(v[1], 2000 + BYTES / 1000, 1.1);
    }
    close_rig(r);
}

static void expect_missing(const char *what, const char *variable, const char *value,
                           const char *reason)
{
    char name[160];
    snprintf(name, sizeof name, "%s with %s=%s", what, variable, value);
    texts_expect(name, reason);
}

static void without_counters_there_is_a_reason(void **state)
{
    static const struct {
        const char *variable, *value;
    } cases[] = {
        {"FAKE_CUPTI_FAIL", "cuptiRangeProfilerEnable:35"},
        {"FAKE_CUPTI_FAIL", "cuptiRangeProfilerEnable:26"},
        {"FAKE_CUPTI_FAIL", "cuptiProfilerGetCounterAvailability:43"},
        {"FAKE_CUPTI_LEVEL", "vGpu=1"},
        {"FAKE_CUPTI_LEVEL", "wsl=1"},
        {"FAKE_CUPTI_FAIL", "cuptiGetVersion:7"},
        {"REDSWEEP_CUPTI", "/nowhere/libcupti.so"},
        {"FAKE_CUDA_FAIL", "cudaGetDriverEntryPointByVersion:1=36"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        setenv(cases[i].variable, cases[i].value, 1);
        struct rig *r = open_rig(*state);
        struct launch l = launch_of(r);
        struct trial t = trial_of(r, &l, CACHE_COLD);
        const char *const counter = "gpu__time_duration.sum";
        double value;
        char why[256] = "";
        assert_false(r->info.can_count);
        expect_missing("counters", cases[i].variable, cases[i].value, r->info.counters_missing);
        assert_false(cuda_driver.has_counter(r->device, counter, why));
        assert_memory_equal(why, r->info.counters_missing, 60);
        assert_int_equal(cuda_driver.passes(r->device, &counter, 1), 0);
        assert_false(cuda_driver.count(r->device, &t, 1, &counter, 1, &value, &r->e));
        assert_int_equal(r->e.kind, ERROR_UNSUPPORTED);
        assert_string_equal(r->e.text, r->info.counters_missing);
        assert_true(time_one(r, &t) > 2); /* trials can be timed without counters */
        close_rig(r);
    }
}

/* Requests counters and counts a launch. Returns whether that succeeded; otherwise the error
 * contains a reason. */
static bool use_counters(struct rig *r, struct error *e)
{
    struct launch l = launch_of(r);
    struct trial t = trial_of(r, &l, CACHE_COLD);
    const char *const counters[] = {"gpu__time_duration.sum", "dram__bytes_read.sum"};
    double v[2] = {0, 0};
    char why[256] = "";
    for (int i = 0; i < 2; i++) /* the second time, the driver returns its stored answer */
        if (cuda_driver.has_counter(r->device, "nonsense.sum", why) || why[0] == '\0')
            fail_msg("there is a counter nonsense.sum: %s", why);
    if (cuda_driver.has_counter(r->device, "fake__first.avg", why) || why[0] == '\0')
        fail_msg("there is a counter fake__first.avg: %s", why);
    cuda_driver.passes(r->device, counters, 2);
    if (!cuda_driver.count(r->device, &t, 1, counters, 2, v, e))
        return false;
    assert_near(v[0], 2000 + BYTES / 1000, 1.1);
    assert_true(v[1] == BYTES);
    return true;
}

/* Each function of CUPTI is made to fail, either from the beginning or after the device has been
 * opened. If counting needs the function, counting must fail and say why. When the function works
 * again, counting must succeed. */
static void any_function_of_cupti_may_fail(void **state)
{
#define NAME(name) #name,
    static const char *const names[] = {CUPTI_FUNCTIONS(NAME)};
#undef NAME
    int refused = 0;
    for (size_t i = 0; i < 2 * sizeof names / sizeof names[0]; i++) {
        char fault[96], name[128];
        bool late = i % 2;
        snprintf(fault, sizeof fault, "%s:9", names[i / 2]);
        if (!late)
            setenv("FAKE_CUPTI_FAIL", fault, 1);
        struct rig *r = open_rig(*state);
        setenv("FAKE_CUPTI_FAIL", fault, 1);
        struct error e = {0};
        bool ok = use_counters(r, &e);
        refused += !ok;
        if (!ok && (e.kind != ERROR_UNSUPPORTED || e.device_lost))
            fail_msg("%s: %s error: %s", fault, error_kind_name(e.kind), e.text);
        snprintf(name, sizeof name, "%s, %s", fault, late ? "later" : "from the beginning");
        if (!ok)
            texts_expect(name, e.text);
        unsetenv("FAKE_CUPTI_FAIL");
        cuda_driver.describe(r->device, &r->info);
        if (r->info.can_count && !use_counters(r, &e))
            fail_msg("after %s: %s", fault, e.text);
        close_rig(r);
    }
    /* For the remaining functions, counting goes on without them, or they are needed only to open a
     * device. */
    print_message("%d of %zu were refused\n", refused, 2 * sizeof names / sizeof names[0]);
    assert_int_equal(refused, 40);
}

static void an_old_or_ignorant_cupti_is_named(void **state)
{
    setenv("FAKE_CUPTI_VERSION", "22", 1);
    struct rig *r = open_rig(*state);
    assert_string_equal(r->info.counter_library, "CUPTI (API 22)");
    setenv("FAKE_CUPTI_FAIL", "cuptiProfilerHostInitialize:27", 1);
    char why[256];
    assert_false(cuda_driver.has_counter(r->device, "gpu__time_duration.sum", why));
    texts_expect("a CUPTI without counters for the chip", why);
    unsetenv("FAKE_CUPTI_VERSION");
    close_rig(r);
}

static void the_state_is_seen_while_timing(void **state)
{
    setenv("FAKE_NVML_REASONS", "24", 1);
    struct rig *r = open_rig(*state);
    struct device_health h;
    struct launch l = launch_of(r);
    struct trial t = trial_of(r, &l, CACHE_COLD);
    cuda_driver.health(r->device, &h);
    assert_false(h.known); /* nothing has been timed yet */
    time_one(r, &t);
    cuda_driver.health(r->device, &h);
    assert_true(h.known && h.sm_clock_mhz == 1980 && h.power_w == 251.5);
    assert_int_equal(h.throttle, THROTTLE_POWER_CAP | THROTTLE_THERMAL);
    cuda_driver.health(r->device, &h);
    assert_false(h.known); /* this state has been reported */
    close_rig(r);
}

struct looks {
    uint64_t trials, until;
    double seconds;
    uint64_t mj;
    struct rig *rig;
};

/* Checks that energy readings never decrease. */
static bool look(void *context, uint64_t trials, double seconds)
{
    struct looks *l = context;
    uint64_t mj;
    assert_true(trials > l->trials && seconds > l->seconds);
    must(cuda_driver.energy(l->rig->device, &mj, &l->rig->e), &l->rig->e);
    assert_true(mj >= l->mj);
    *l = (struct looks){trials, l->until, seconds, mj, l->rig};
    return trials < l->until;
}

/* A trial repeats until the callback ends it, and each repetition takes as long as a single trial.
 * Without launches, only the trial's preparation repeats. */
static void trials_repeat_without_a_pause(void **state)
{
    setenv("FAKE_CUDA_RUN", "no", 1);
    struct rig *r = open_rig(*state);
    struct launch l = launch_of(r);
    struct trial t = trial_of(r, &l, CACHE_COLD);
    uint64_t began_ns;
    double us[2];
    assert_true(r->info.can_meter);
    assert_string_equal(r->info.energy_missing, "");
    for (int launches = 1; launches >= 0; launches--) {
        struct looks looks = {.until = 5000, .rig = r};
        t.launch_count = launches;
        began_ns = fake_cuda.clock_ns;
        must(cuda_driver.repeat(r->device, &t, look, &looks, &r->e), &r->e);
        us[launches] = looks.seconds * 1e6 / (double)looks.trials;
        /* After the last callback at most two chunks of launches are still queued, and the call
         * waits for them. */
        double spent_s = (double)(fake_cuda.clock_ns - began_ns) * 1e-9;
        assert_true(spent_s >= looks.seconds && spent_s < looks.seconds * 1.1);
        assert_true(looks.trials < 5200);
    }
    assert_near(us[1] - us[0], 2, 0.01);
    assert_int_equal(fake_cuda.late_releases, 0);
    close_rig(r);
}

static void without_energy_there_is_a_reason(void **state)
{
    static const struct {
        const char *variable, *value;
    } cases[] = {
        {"REDSWEEP_NVML", "/nowhere/libnvidia-ml.so.1"},
        {"FAKE_NVML_FAIL", "nvmlDeviceGetTotalEnergyConsumption:3"},
        {"FAKE_NVML_MIG", "1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        setenv(cases[i].variable, cases[i].value, 1);
        struct rig *r = open_rig(*state);
        uint64_t mj;
        assert_false(r->info.can_meter);
        expect_missing("energy", cases[i].variable, cases[i].value, r->info.energy_missing);
        assert_false(cuda_driver.energy(r->device, &mj, &r->e));
        assert_int_equal(r->e.kind, ERROR_UNSUPPORTED);
        error_clear(&r->e);
        close_rig(r);
    }
}

static void without_nvml_there_is_a_reason(void **state)
{
    static const struct {
        const char *variable, *value;
    } cases[] = {
        {"REDSWEEP_NVML", "/nowhere/libnvidia-ml.so.1"},
        {"FAKE_NVML_FAIL", "nvmlInit_v2:4"},
        {"FAKE_CUDA_FAIL", "cudaDeviceGetPCIBusId:1=1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        setenv(cases[i].variable, cases[i].value, 1);
        struct rig *r = open_rig(*state);
        struct device_health h;
        struct launch l = launch_of(r);
        struct trial t = trial_of(r, &l, CACHE_COLD);
        expect_missing("the state", cases[i].variable, cases[i].value, r->info.health_missing);
        time_one(r, &t);
        cuda_driver.health(r->device, &h);
        assert_false(h.known);
        close_rig(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_device_is_described),
        cmocka_unit_test(launches_compute),
        cmocka_unit_test(caches_are_as_asked_for),
        cmocka_unit_test(inputs_are_equal_in_every_bit),
        cmocka_unit_test(results_are_hashed_outside_of_the_time),
        cmocka_unit_test(scratch_memory_is_zeroed_to_the_byte),
        cmocka_unit_test(many_trials_keep_their_order),
        cmocka_unit_test(code_is_loaded_before_the_blocking_kernel),
        cmocka_unit_test(launches_get_the_leave_they_need),
        cmocka_unit_test(counts_are_those_of_the_launch),
        cmocka_unit_test(the_counters_may_change),
        cmocka_unit_test(without_counters_there_is_a_reason),
        cmocka_unit_test(any_function_of_cupti_may_fail),
        cmocka_unit_test(an_old_or_ignorant_cupti_is_named),
        cmocka_unit_test(the_state_is_seen_while_timing),
        cmocka_unit_test(trials_repeat_without_a_pause),
        cmocka_unit_test(without_energy_there_is_a_reason),
        cmocka_unit_test(without_nvml_there_is_a_reason),
    };
    return cmocka_run_group_tests_name("cuda_device", tests, open_fixture, close_fixture);
}
