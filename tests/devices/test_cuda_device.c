/*
 * The GPU's driver on a fake GPU: what it says of the device, how cold, warm and repeated launches
 * are timed, that no gate is left closed, and what each thing that can go wrong is called.
 *
 * Times are exact here: the fake's clock (fake_cuda.h) knows a launch, bytes of memory and bytes of
 * the cache, so a time is right only when the caches were what the trial asked for.
 */
#include "cuda_fixture.h"

#include <math.h>

#include "devices/cuda/cupti_library.h"

enum { N = 1 << 18, BYTES = 4 * N, BLOCK = 256, GRID = N / BLOCK };

struct rig {
    struct device *device;
    struct device_info info;
    struct module *smem;
    struct module_info module;
    struct buffer input, output;
    struct input kind;
    struct error e;
};

static struct device *open_device(struct fixture *f)
{
    struct device *d;
    struct error e = {0};
    fresh_process();
    must(cuda_driver.open("", &f->setup, &d, &e), &e);
    return d;
}

static struct module *load(struct fixture *f, struct device *d, const char *name,
                           struct module_info *info)
{
    struct variant v = {.unroll = 1, .block = BLOCK, .type = TYPE_INT32, .op = OP_SUM};
    struct device_info device;
    struct image image;
    struct module *m;
    struct error e = {0};
    const struct kernel *k = catalogue_find(&f->kernels, name);
    assert_non_null(k);
    cuda_driver.describe(d, &device);
    must(compile_variant(f->compiler, k, &v, &device.target, &image, &e), &e);
    must(cuda_driver.load(d, &image, &m, info, &e), &e);
    image_free(&image);
    return m;
}

static struct rig *open_rig(struct fixture *f)
{
    struct rig *r = test_calloc(1, sizeof *r);
    r->device = open_device(f);
    cuda_driver.describe(r->device, &r->info);
    r->smem = load(f, r->device, "smem_dynamic", &r->module);
    r->kind = (struct input){.type = TYPE_INT32, .op = OP_SUM, .n = N, .seed = 7};
    must(cuda_driver.alloc(r->device, BYTES, &r->input, &r->e) &&
             cuda_driver.alloc(r->device, 4 * GRID, &r->output, &r->e) &&
             cuda_driver.generate(r->device, r->input, &r->kind, &r->e),
         &r->e);
    return r;
}

/* Everything is given back, and nothing was done that NVIDIA's runtime would not take. */
static void close_rig(struct rig *r)
{
    cuda_driver.unload(r->device, r->smem);
    cuda_driver.free(r->device, r->input);
    cuda_driver.free(r->device, r->output);
    cuda_driver.close(r->device);
    assert_string_equal(fake_cuda.misuse, "");
    assert_int_equal(fake_cuda.live, 0);
    test_free(r);
    no_faults();
}

static struct launch launch_of(const struct rig *r)
{
    struct launch l = {.module = r->smem,
                       .grid = {GRID, 1, 1},
                       .block = {BLOCK, 1, 1},
                       .dynamic_smem = 4 * BLOCK,
                       .cluster = 1};
    add_argument(&l, r->input.address, 8);
    add_argument(&l, r->output.address, 8);
    add_argument(&l, N, 4);
    return l;
}

static struct trial trial_of(const struct rig *r, const struct launch *l, enum cache_state cache)
{
    return (struct trial){
        .input = r->input, .cache = cache, .launches = l, .launch_count = 1, .repeat = 1};
}

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
    /* a part of a buffer; more than the staging memory holds */
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

static double time_one(struct rig *r, const struct trial *t)
{
    double us = NAN;
    must(cuda_driver.time(r->device, t, 1, &us, &r->e), &r->e);
    return us;
}

/*
 * 2 us a launch; 1 MiB of input at 1000 bytes a ns from memory, 4000 from the cache; the output
 * stays in the cache. One dirty line left by the flush would cost time, too.
 */
static void caches_are_as_asked_for(void **state)
{
    struct rig *r = open_rig(*state);
    struct launch twice[2] = {launch_of(r), launch_of(r)};
    struct trial t = trial_of(r, twice, CACHE_COLD);
    const double cold = 2 + BYTES / 1000 / 1e3, warm = 2 + BYTES / 4000 / 1e3;
    assert_float_equal(time_one(r, &t), cold, 0.0011);
    t.restore = &r->kind; /* what the restore leaves in the cache is flushed, too */
    t.zero = r->output;
    assert_float_equal(time_one(r, &t), cold, 0.0011);
    t.restore = NULL;
    t.zero.bytes = 0;
    t.cache = CACHE_WARM;
    assert_float_equal(time_one(r, &t), warm, 0.0021);
    t.cache = CACHE_COLD; /* the second launch finds what the first has read */
    t.launch_count = 2;
    assert_float_equal(time_one(r, &t), cold + warm, 0.0031);
    t.repeat = 3; /* … and so do all that follow */
    assert_float_equal(time_one(r, &t), (cold + 5 * warm) / 3, 0.0031);
    assert_int_equal(fake_cuda.late_gates, 0);
    close_rig(r);
}

/* 700 trials of different lengths keep their order through batches, slots and a full queue. */
static void many_trials_keep_their_order(void **state)
{
    enum { TRIALS = 700, MOST = 20 }; /* 20 · 32 launches: as many as fit behind a gate */
    setenv("FAKE_CUDA_RUN", "no", 1);
    struct rig *r = open_rig(*state);
    struct launch launches[MOST];
    struct trial *trials = test_calloc(TRIALS, sizeof *trials);
    double *us = test_calloc(TRIALS, sizeof *us);
    double busy = cuda_driver.busy_s(r->device), sum = 0;
    for (int i = 0; i < MOST; i++)
        launches[i] = launch_of(r);
    for (int i = 0; i < TRIALS; i++) {
        trials[i] = trial_of(r, launches, i % 2 ? CACHE_COLD : CACHE_WARM);
        trials[i].launch_count = 1 + i % MOST;
        trials[i].repeat = 1 + i % 32;
    }
    must(cuda_driver.time(r->device, trials, TRIALS, us, &r->e), &r->e);
    for (int i = 0; i < TRIALS; i++) {
        if (fabs(us[i] - 2 * (1 + i % MOST)) > 1e-3) /* of floats in ms */
            fail_msg("trial %d took %g us", i, us[i]);
        sum += us[i] * trials[i].repeat;
    }
    assert_int_equal(fake_cuda.late_gates, 0);
    /* the device was busy with them and with what came before each */
    assert_true(cuda_driver.busy_s(r->device) - busy > sum * 1e-6);
    assert_true(cuda_driver.busy_s(r->device) - busy < sum * 1e-6 + TRIALS * 50e-6);
    test_free(trials);
    test_free(us);
    close_rig(r);
}

/* The fake notices a gate that would block, so that its silence means something. */
static void code_is_loaded_before_a_gate(void **state)
{
    setenv("CUDA_MODULE_LOADING", "LAZY", 1); /* as clusters set it */
    struct rig *r = open_rig(*state);
    assert_string_equal(getenv("CUDA_MODULE_LOADING"), "EAGER");
    struct launch l = launch_of(r);
    struct trial t = trial_of(r, &l, CACHE_COLD);
    time_one(r, &t);
    assert_int_equal(fake_cuda.late_gates, 0);
    struct module *another = load(*state, r->device, "smem_dynamic", NULL);
    l.module = another;
    setenv("CUDA_MODULE_LOADING", "LAZY", 1); /* had it been so from the beginning … */
    time_one(r, &t);
    assert_int_equal(fake_cuda.late_gates, 1);
    cuda_driver.unload(r->device, another);
    close_rig(r);
}

/* Above 48 KiB, above 8 blocks a cluster, cooperative, dependent: none is refused. */
static void launches_get_the_leave_they_need(void **state)
{
    static const struct {
        size_t smem;
        enum launch_kind kind;
        unsigned cluster, grid;
    } cases[] = {
        {200 * 1024, LAUNCH_PLAIN, 1, 4},    {100 * 1024, LAUNCH_PLAIN, 1, 4},
        {1024, LAUNCH_CLUSTER, 8, 16},       {1024, LAUNCH_CLUSTER, 16, 32},
        {1024, LAUNCH_COOPERATIVE, 1, 16},   {1024, LAUNCH_DEPENDENT, 1, 4},
        {60 * 1024, LAUNCH_CLUSTER, 16, 16}, {1024, LAUNCH_CLUSTER, 1, 4},
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
    l.kind = LAUNCH_COOPERATIVE; /* more than fit at once */
    assert_false(cuda_driver.run(r->device, &t, &r->e));
    assert_non_null(strstr(r->e.text, "too many blocks in cooperative launch"));
    assert_false(r->e.device_lost);
    l.kind = LAUNCH_PLAIN;
    l.block[0] = 2048;
    assert_false(cuda_driver.run(r->device, &t, &r->e));
    assert_non_null(strstr(r->e.text, "launching a kernel: invalid configuration argument"));
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
    /* each reads its input once; a cold launch from memory, a warm one from the cache */
    assert_true(v[0] == BYTES / 32 && v[3] == BYTES / 32);
    assert_true(v[1] == BYTES && v[4] == 0);
    assert_float_equal(v[2], 2000 + BYTES / 1000, 1.1);
    must(cuda_driver.count(r->device, trials, 0, counters, 3, v, &r->e), &r->e);
    close_rig(r);
}

static void without_counters_there_is_a_reason(void **state)
{
    static const struct {
        const char *variable, *value, *reason;
    } cases[] = {
        {"FAKE_CUPTI_FAIL", "cuptiRangeProfilerEnable:35", "only administrators"},
        {"FAKE_CUPTI_FAIL", "cuptiRangeProfilerEnable:26", "another program holds"},
        {"FAKE_CUPTI_FAIL", "cuptiProfilerGetCounterAvailability:43", "MIG instances"},
        {"FAKE_CUPTI_LEVEL", "vGpu=1", "virtual GPU without counters"},
        {"FAKE_CUPTI_LEVEL", "wsl=1", "not to be had in this WSL"},
        {"FAKE_CUPTI_FAIL", "cuptiGetVersion:7", "asking CUPTI for its version"},
        {"REDSWEEP_CUPTI", "/nowhere/libcupti.so", "/nowhere/libcupti.so"},
        {"FAKE_CUDA_FAIL", "cudaGetDriverEntryPointByVersion:1=36", "no current context"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        setenv(cases[i].variable, cases[i].value, 1);
        struct rig *r = open_rig(*state);
        struct launch l = launch_of(r);
        struct trial t = trial_of(r, &l, CACHE_COLD);
        const char *const counter = "gpu__time_duration.sum";
        double value;
        char why[256] = "";
        if (r->info.can_count || !strstr(r->info.counters_missing, cases[i].reason))
            fail_msg("%s: %s", cases[i].value, r->info.counters_missing);
        assert_false(cuda_driver.has_counter(r->device, counter, why));
        assert_memory_equal(why, r->info.counters_missing, 60);
        assert_int_equal(cuda_driver.passes(r->device, &counter, 1), 0);
        assert_false(cuda_driver.count(r->device, &t, 1, &counter, 1, &value, &r->e));
        assert_int_equal(r->e.kind, ERROR_UNSUPPORTED);
        assert_string_equal(r->e.text, r->info.counters_missing);
        assert_true(time_one(r, &t) > 2); /* it is timed all the same */
        close_rig(r);
    }
}

/* Asks, counts, and says whether that worked; a reason is in the error. */
static bool use_counters(struct rig *r, struct error *e)
{
    struct launch l = launch_of(r);
    struct trial t = trial_of(r, &l, CACHE_COLD);
    const char *const counters[] = {"gpu__time_duration.sum", "dram__bytes_read.sum"};
    double v[2] = {0, 0};
    char why[256] = "";
    for (int i = 0; i < 2; i++) /* the second answer is remembered */
        if (cuda_driver.has_counter(r->device, "nonsense.sum", why) || why[0] == '\0')
            fail_msg("there is a counter nonsense.sum: %s", why);
    if (cuda_driver.has_counter(r->device, "fake__first.avg", why) || why[0] == '\0')
        fail_msg("there is a counter fake__first.avg: %s", why);
    cuda_driver.passes(r->device, counters, 2);
    if (!cuda_driver.count(r->device, &t, 1, counters, 2, v, e))
        return false;
    assert_float_equal(v[0], 2000 + BYTES / 1000, 1.1);
    assert_true(v[1] == BYTES);
    return true;
}

/*
 * Each function of CUPTI fails from the beginning, or once the device is open. Then there are no
 * counters and a reason, or it was not needed; and what has failed works when it no longer does.
 */
static void any_function_of_cupti_may_fail(void **state)
{
#define NAME(name) #name,
    static const char *const names[] = {CUPTI_FUNCTIONS(NAME)};
#undef NAME
    int refused = 0;
    for (size_t i = 0; i < 2 * sizeof names / sizeof names[0]; i++) {
        char fault[96];
        bool late = i % 2;
        snprintf(fault, sizeof fault, "%s:9", names[i / 2]);
        if (!late)
            setenv("FAKE_CUPTI_FAIL", fault, 1);
        struct rig *r = open_rig(*state);
        setenv("FAKE_CUPTI_FAIL", fault, 1);
        struct error e = {0};
        bool ok = use_counters(r, &e);
        refused += !ok;
        if (!ok && (e.kind != ERROR_UNSUPPORTED || e.device_lost || strlen(e.text) < 30))
            fail_msg("%s: %s error: %s", fault, error_kind_name(e.kind), e.text);
        unsetenv("FAKE_CUPTI_FAIL");
        cuda_driver.describe(r->device, &r->info);
        if (r->info.can_count && !use_counters(r, &e))
            fail_msg("after %s: %s", fault, e.text);
        close_rig(r);
    }
    /* the rest is not needed here, or only when a device is opened */
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
    assert_string_equal(why, "CUPTI (API 22) lists the chip GH100 but has no counters for it");
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
    assert_false(h.known); /* nothing was timed yet */
    time_one(r, &t);
    cuda_driver.health(r->device, &h);
    assert_true(h.known && h.sm_clock_mhz == 1980 && h.power_w == 251.5);
    assert_int_equal(h.throttle, THROTTLE_POWER_CAP | THROTTLE_THERMAL);
    cuda_driver.health(r->device, &h);
    assert_false(h.known); /* told already */
    close_rig(r);
}

static void without_nvml_there_is_a_reason(void **state)
{
    static const struct {
        const char *variable, *value, *reason;
    } cases[] = {
        {"REDSWEEP_NVML", "/nowhere/libnvidia-ml.so.1", "/nowhere/libnvidia-ml.so.1"},
        {"FAKE_NVML_FAIL", "nvmlInit_v2:4", "Insufficient Permissions"},
        {"FAKE_CUDA_FAIL", "cudaDeviceGetPCIBusId:1=1", "the GPU's PCI address is unknown"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        setenv(cases[i].variable, cases[i].value, 1);
        struct rig *r = open_rig(*state);
        struct device_health h;
        struct launch l = launch_of(r);
        struct trial t = trial_of(r, &l, CACHE_COLD);
        if (!strstr(r->info.health_missing, cases[i].reason))
            fail_msg("%s: %s", cases[i].value, r->info.health_missing);
        time_one(r, &t);
        cuda_driver.health(r->device, &h);
        assert_false(h.known);
        close_rig(r);
    }
}

static void expect_no_device(struct fixture *f, const char *argument, enum error_kind kind,
                             const char *message)
{
    struct device *d = NULL;
    struct error e = {0};
    fresh_process();
    assert_false(cuda_driver.open(argument, &f->setup, &d, &e));
    if (e.kind != kind || !strstr(e.text, message))
        fail_msg("cuda:%s: %s error, \"%s\"", argument, error_kind_name(e.kind), e.text);
    assert_int_equal(fake_cuda.live, 0);
    no_faults();
}

static void a_device_that_cannot_be_opened_says_why(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *fault;
        enum error_kind kind;
        const char *message;
    } cases[] = {
        {"cudaGetDeviceCount:1=35", ERROR_DEVICE,
         "CUDA driver version is insufficient for CUDA runtime version "
         "(cudaErrorInsufficientDriver); install an NVIDIA driver at least as new"},
        {"cudaGetDeviceCount:1=100", ERROR_DEVICE, "this machine shows no NVIDIA GPU"},
        {"cudaGetDeviceCount:1=803", ERROR_DEVICE, "cudaErrorSystemDriverMismatch"},
        {"cudaSetDevice:1=3", ERROR_DEVICE, "choosing the GPU: initialization error"},
        {"cudaFree:1=46", ERROR_LAUNCH, "another process holds the GPU in exclusive mode"},
        {"cudaFree:1=2", ERROR_MEMORY, "free memory on the GPU"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        setenv("FAKE_CUDA_FAIL", cases[i].fault, 1);
        expect_no_device(f, "", cases[i].kind, cases[i].message);
    }
    setenv("FAKE_CUDA_DEVICES", "0", 1);
    expect_no_device(f, "", ERROR_DEVICE, "looking for NVIDIA GPUs: no CUDA-capable device");
    setenv("FAKE_CUDA_DEVICES", "2", 1);
    expect_no_device(f, "2", ERROR_DEVICE, "this machine has 2 GPUs; the highest number is 1");
    expect_no_device(f, "1", ERROR_DEVICE, "this machine has 1 GPU; the highest number is 0");
    static const char *const wrong[] = {"x", "-1", "1024", "0x", " 0", "99999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        expect_no_device(f, wrong[i], ERROR_USAGE, "is no GPU number; write cuda, cuda:0, cuda:1");
}

static void the_second_device_can_be_opened(void **state)
{
    struct fixture *f = *state;
    struct device *d;
    struct device_info info;
    struct error e = {0};
    setenv("FAKE_CUDA_DEVICES", "2", 1);
    fresh_process();
    must(cuda_driver.open("1", &f->setup, &d, &e), &e);
    cuda_driver.describe(d, &info);
    assert_string_equal(info.name, "NVIDIA Fake 1 (no GPU)");
    cuda_driver.close(d);
    cuda_driver.close(NULL);
    no_faults();
}

/* What CUDA's header says of each: whether the process must end, and what kind of error it is. */
static void every_status_has_its_meaning(void **state)
{
    static const struct {
        int status;
        enum error_kind kind;
        bool lost;
        const char *words;
    } cases[] = {
        {1, ERROR_LAUNCH, false, "invalid argument"},
        {2, ERROR_MEMORY, false, "free memory on the GPU"},
        {46, ERROR_LAUNCH, true, "exclusive mode"},
        {200, ERROR_LAUNCH, false, "update the driver"},
        {209, ERROR_LAUNCH, false, "update the driver"},
        {214, ERROR_LAUNCH, true, "uncorrectable ECC"},
        {220, ERROR_LAUNCH, true, "NVLink"},
        {222, ERROR_LAUNCH, false, "update the driver"},
        {226, ERROR_LAUNCH, true, "peer GPU memory"},
        {600, ERROR_LAUNCH, false, "device not ready"},
        {700, ERROR_LAUNCH, true, "illegal memory access"},
        {701, ERROR_LAUNCH, false, "too many resources"},
        {702, ERROR_LAUNCH, true, "timed out"},
        {709, ERROR_LAUNCH, true, "context is destroyed"},
        {710, ERROR_LAUNCH, true, "assert"},
        {714, ERROR_LAUNCH, true, "hardware stack"},
        {715, ERROR_LAUNCH, true, "illegal instruction"},
        {716, ERROR_LAUNCH, true, "misaligned"},
        {717, ERROR_LAUNCH, true, "address space"},
        {718, ERROR_LAUNCH, true, "program counter"},
        {719, ERROR_LAUNCH, true, "unspecified launch failure"},
        {720, ERROR_LAUNCH, false, "cooperative"},
        {721, ERROR_LAUNCH, true, "tensor memory"},
        {801, ERROR_UNSUPPORTED, false, "not supported"},
        {810, ERROR_LAUNCH, true, "MPS client"},
        {911, ERROR_LAUNCH, true, "external entity"},
        {999, ERROR_LAUNCH, true, "unknown error"},
    };
    setenv("FAKE_CUDA_RUN", "no", 1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char fault[64];
        /* the second time that somebody waits: the generator was the first */
        snprintf(fault, sizeof fault, "cudaStreamSynchronize:2=%d", cases[i].status);
        setenv("FAKE_CUDA_FAIL", fault, 1);
        struct rig *r = open_rig(*state);
        struct launch l = launch_of(r);
        struct trial t = trial_of(r, &l, CACHE_WARM);
        struct error e = {0};
        assert_false(cuda_driver.run(r->device, &t, &e));
        if (e.kind != cases[i].kind || e.device_lost != cases[i].lost ||
            !strstr(e.text, cases[i].words) || strncmp(e.text, "running a kernel: ", 18) != 0)
            fail_msg("status %d: %s, %s: %s", cases[i].status, error_kind_name(e.kind),
                     e.device_lost ? "lost" : "not lost", e.text);
        if (!cases[i].lost) { /* reported once, and not again */
            assert_true(cuda_driver.run(r->device, &t, &e));
            assert_int_equal(cudaGetLastError(), cudaSuccess);
        }
        cuda_driver.unload(r->device, r->smem);
        cuda_driver.free(r->device, r->input);
        cuda_driver.free(r->device, r->output);
        cuda_driver.close(r->device);
        assert_int_equal(fake_cuda.after_loss, 0);
        test_free(r);
    }
    no_faults();
}

/* A kernel that reads where nothing is loses the device, on the fake as on a GPU. */
static void a_real_fault_loses_the_device(void **state)
{
    struct rig *r = open_rig(*state);
    struct launch l = launch_of(r);
    struct trial t = trial_of(r, &l, CACHE_WARM);
    double us;
    l.arguments[0].bits += 1ull << 40;
    assert_false(cuda_driver.time(r->device, &t, 1, &us, &r->e));
    assert_true(r->e.device_lost);
    assert_non_null(strstr(r->e.text, "running a timed kernel: an illegal memory access"));
    assert_true(fake_cuda.fault[0] != '\0');
    assert_int_equal(fake_cuda.after_loss, 0);
    cuda_driver.unload(r->device, r->smem);
    cuda_driver.close(r->device);
    test_free(r);
}

static void memory_is_refused_with_numbers(void **state)
{
    struct rig *r = open_rig(*state);
    struct buffer b = {0};
    char byte;
    assert_false(cuda_driver.alloc(r->device, 1ull << 30, &b, &r->e));
    assert_int_equal(r->e.kind, ERROR_MEMORY);
    assert_non_null(strstr(r->e.text, "allocating 1073741824 bytes (1.0 GiB) on the GPU: out of "
                                      "memory (cudaErrorMemoryAllocation); free memory"));
    assert_int_equal(b.address, 0);
    assert_false(cuda_driver.read(r->device, r->input, BYTES, &byte, 1, &r->e));
    assert_non_null(strstr(r->e.text, "reading 1 bytes at 1048576 of a buffer of 1048576 bytes"));
    assert_false(cuda_driver.read(r->device, r->input, SIZE_MAX, &byte, 2, &r->e));
    assert_int_equal(r->e.kind, ERROR_INTERNAL);
    close_rig(r);
}

static void expect_no_load(struct rig *r, struct image *image, enum error_kind kind,
                           const char *message)
{
    struct module *m = NULL;
    assert_false(cuda_driver.load(r->device, image, &m, NULL, &r->e));
    if (r->e.kind != kind || !strstr(r->e.text, message))
        fail_msg("%s error, \"%s\"", error_kind_name(r->e.kind), r->e.text);
    fake_cuda.misuse[0] = '\0'; /* what was wrong was so on purpose */
}

static void images_that_do_not_load_say_why(void **state)
{
    struct rig *r = open_rig(*state);
    struct image image = {.kind = IMAGE_PTX, .entry = "some"};
    expect_no_load(r, &image, ERROR_INTERNAL, "the GPU loads cubins; image 'some' is none");
    image.kind = IMAGE_CUBIN;
    image.bytes = "nothing";
    expect_no_load(r, &image, ERROR_LAUNCH,
                   "some: loading a kernel's cubin: device kernel image is invalid "
                   "(cudaErrorInvalidKernelImage); the compiler and the driver do not fit");
    image.bytes = ".version 8.0\n.target sm_90\n.address_size 64\n";
    expect_no_load(r, &image, ERROR_LAUNCH, "some: finding the kernel in its cubin");
    snprintf(image.library, sizeof image.library, "libnowhere.so");
    expect_no_load(r, &image, ERROR_SYSTEM, "kernel some: libnowhere.so is not found");
    snprintf(image.library, sizeof image.library, "fake_nvml.so"); /* it is beside this program */
    expect_no_load(r, &image, ERROR_SYSTEM, "has no function redsweep_some");
    close_rig(r);
}

/* cub's place is taken by tests/devices/fake_host_code.c. */
static void host_code_runs_in_the_stream(void **state)
{
    struct rig *r = open_rig(*state);
    struct image image = {.entry = "cub", .type = TYPE_INT32, .op = OP_SUM};
    struct module *m;
    struct module_info info;
    snprintf(image.library, sizeof image.library, "fake_host_code.so");
    must(cuda_driver.load(r->device, &image, &m, &info, &r->e), &r->e);
    assert_true(info.registers == -1 && info.max_block == -1);
    struct launch l = launch_of(r);
    l.module = m;
    struct trial t = trial_of(r, &l, CACHE_COLD);
    assert_false(cuda_driver.run(r->device, &t, &r->e));
    assert_non_null(strstr(r->e.text, "host code needs 5 arguments, not 3"));
    l.arguments[2].size = 8;
    add_argument(&l, 0, 8);
    add_argument(&l, 0, 8);
    assert_false(cuda_driver.run(r->device, &t, &r->e));
    assert_non_null(strstr(r->e.text, "launching kernels from a library: invalid argument"));
    l.arguments[3].bits = r->output.address;
    l.arguments[4].bits = 4;
    must(cuda_driver.run(r->device, &t, &r->e), &r->e);
    int32_t *input = test_malloc(BYTES), found;
    uint32_t sum = 0;
    input_generate(&r->kind, 0, N, input);
    for (int i = 0; i < N; i++)
        sum += (uint32_t)input[i];
    must(cuda_driver.read(r->device, r->output, 0, &found, 4, &r->e), &r->e);
    assert_int_equal(found, (int32_t)sum);
    test_free(input);
    cuda_driver.unload(r->device, m);
    close_rig(r);
}

static void without_a_compiler_nothing_is_generated(void **state)
{
    struct fixture *f = *state;
    struct device *d;
    struct buffer b;
    struct error e = {0};
    const struct input input = {.type = TYPE_INT32, .op = OP_SUM, .n = 16, .seed = 1};
    fresh_process();
    must(cuda_driver.open("", NULL, &d, &e) && cuda_driver.alloc(d, 64, &b, &e), &e);
    assert_false(cuda_driver.generate(d, b, &input, &e));
    assert_non_null(strstr(e.text, "opened without a compiler for 'generate'"));
    cuda_driver.free(d, b);
    cuda_driver.close(d);

    struct catalogue none = {0};
    struct device_setup setup = {f->compiler, &none};
    must(cuda_driver.open("", &setup, &d, &e) && cuda_driver.alloc(d, 64, &b, &e), &e);
    assert_false(cuda_driver.generate(d, b, &input, &e));
    assert_non_null(strstr(e.text, "kernels/support/generate.cu is missing"));
    cuda_driver.free(d, b);
    cuda_driver.close(d);
    assert_int_equal(fake_cuda.live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_device_is_described),
        cmocka_unit_test(launches_compute),
        cmocka_unit_test(caches_are_as_asked_for),
        cmocka_unit_test(many_trials_keep_their_order),
        cmocka_unit_test(code_is_loaded_before_a_gate),
        cmocka_unit_test(launches_get_the_leave_they_need),
        cmocka_unit_test(counts_are_those_of_the_launch),
        cmocka_unit_test(without_counters_there_is_a_reason),
        cmocka_unit_test(any_function_of_cupti_may_fail),
        cmocka_unit_test(an_old_or_ignorant_cupti_is_named),
        cmocka_unit_test(the_state_is_seen_while_timing),
        cmocka_unit_test(without_nvml_there_is_a_reason),
        cmocka_unit_test(a_device_that_cannot_be_opened_says_why),
        cmocka_unit_test(the_second_device_can_be_opened),
        cmocka_unit_test(every_status_has_its_meaning),
        cmocka_unit_test(a_real_fault_loses_the_device),
        cmocka_unit_test(memory_is_refused_with_numbers),
        cmocka_unit_test(images_that_do_not_load_say_why),
        cmocka_unit_test(host_code_runs_in_the_stream),
        cmocka_unit_test(without_a_compiler_nothing_is_generated),
    };
    return cmocka_run_group_tests_name("cuda_device", tests, open_fixture, close_fixture);
}
