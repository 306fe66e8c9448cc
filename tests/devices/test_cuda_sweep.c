/*
 * Runs whole sweeps on a fake GPU, from config to rows on disk, with the real parent, worker and
 * CUDA driver. The first test is a sweep without faults, and checks results, times and counts. Each
 * later test checks what the rows say about one fault.
 */
#include "cuda_fixture.h"
#include "../faults/skipping_clock.h"
#include "../texts/reasons.h"

#include <fcntl.h>
#include <math.h>

#include "base/clock.h"
#include "table/table.h"
#include "record/manifest.h"
#include "run/sweep.h"

/* with a `point_limit_s` that no working kernel exceeds, however busy the machine is */
#define TWO_KERNELS                                                                                \
    "{\"name\":\"fake\",\"kernels\":[\"smem\",\"interleaved\"],\"sizes\":[1024,4096],"             \
    "\"blocks\":128,\"scope\":\"kernel\",\"metrics\":\"gld_transactions\",\"timing\":{"            \
    "\"min_samples\":3,\"max_samples\":3,\"warmup\":1,\"contexts\":1,\"point_limit_s\":60}}"

struct sweep {
    char base[64], out[96];
    struct config *config;
    struct table rows;
    struct sweep_result result;
    struct error e;
    bool ok;
};

/* Runs a config on `device` (the value of --device), and hides the run's messages on stderr. */
static struct sweep *run(struct fixture *f, const char *config, const char *device)
{
    struct sweep *s = test_calloc(1, sizeof *s);
    bool memory = access("/dev/shm", W_OK) == 0; /* in memory, syncing a file takes no time */
    char *text = strdup(config), path[128];
    snprintf(s->base, sizeof s->base, "%s/redsweep-fake-XXXXXX", memory ? "/dev/shm" : "/tmp");
    assert_true(text && mkdtemp(s->base));
    snprintf(s->out, sizeof s->out, "%s/out", s->base);
    must(config_parse("a test", text, &s->config, &s->e), &s->e);
    free(text);
    /* longer than any compilation takes, even with sanitizers on a busy machine */
    s->config->timing.compile_limit_s = 1800;
    struct sweep_options o = {.setup = {.config = s->config,
                                        .catalogue = &f->kernels,
                                        .support = &f->support,
                                        .device_name = device,
                                        .kernel_folder = f->folder,
                                        .cache_folder = f->cache,
                                        .threads = 2},
                              .out = s->out,
                              .command = "a test"};
    fflush(NULL);
    int shown = dup(STDERR_FILENO), hidden = open("/dev/null", O_WRONLY);
    if (!getenv("SHOW"))
        dup2(hidden, STDERR_FILENO);
    s->ok = sweep_run(&o, &s->result, &s->e);
    dup2(shown, STDERR_FILENO);
    close(shown);
    close(hidden);
    snprintf(path, sizeof path, "%s/results.csv", s->out);
    if (s->result.recorded)
        must(table_read(path, &s->rows, &s->e), &s->e);
    return s;
}

static void done(struct sweep *s)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", s->base);
    assert_int_equal(system(command), 0);
    if (s->result.recorded)
        table_free(&s->rows);
    config_free(s->config);
    test_free(s);
    no_faults();
}

static const char *cell(const struct sweep *s, size_t row, const char *column)
{
    int at = table_column(&s->rows, column);
    if (at < 0)
        fail_msg("there is no column %s", column);
    return table_cell(&s->rows, row, at);
}

static double number(const struct sweep *s, size_t row, const char *column)
{
    return table_number(&s->rows, row, table_column(&s->rows, column));
}

/* Expects that every row of `kernel` (NULL: of all kernels) has this status, and the reason whose
 * expected text is called `name` (NULL: any reason). */
static void expect(const struct sweep *s, const char *kernel, const char *status, const char *name)
{
    size_t found = 0;
    for (size_t i = 0; i < s->rows.row_count; i++) {
        if (!row_is_of(&s->rows, i, kernel))
            continue;
        found++;
        if (strcmp(cell(s, i, "status"), status) != 0)
            fail_msg("%s n=%s: %s, \"%s\"", cell(s, i, "kernel"), cell(s, i, "n"),
                     cell(s, i, "status"), cell(s, i, "reason"));
    }
    assert_true(found > 0);
    if (name)
        expect_reasons(&s->rows, kernel, name);
}

/* Returns the time of a sum of n int32 by blocks of 128. A launch takes 2 us plus 1 ns for every
 * 1000 bytes from memory or 4000 bytes from the cache. Its outputs stay in the cache. */
static double time_us(const struct sweep *s, size_t row)
{
    bool warm = strcmp(cell(s, row, "cache"), "warm") == 0;
    double bytes = 4 * number(s, row, "n");
    return 2 + bytes / (warm ? 4000 : 1000) / 1e3;
}

static void every_kind_of_kernel_is_right(void **state)
{
    struct sweep *s =
        run(*state,
            "{\"kernels\":[\"smem\",\"smem_dynamic\",\"interleaved\",\"vector\",\"cooperative\","
            "\"onepass_cluster\",\"dependent\",\"nested\"],\"sizes\":[1000,16384],\"blocks\":128,"
            "\"tunables\":{\"LOADS\":4,\"BLOCKS_PER_SM\":4,\"CLUSTER_BLOCKS\":4,\"MIN_BLOCKS\":4,"
            "\"POLICY\":1},\"scope\":[\"kernel\",\"complete\"],\"cache\":[\"cold\",\"warm\"],"
            "\"types\":[\"int32\",\"float32\"],\"metrics\":[\"gld_sectors\",\"inst_per_warp\"],"
            "\"timing\":{\"min_samples\":3,\"max_samples\":3}}",
            "cuda");
    if (!s->ok)
        fail_msg("%s", s->e.text);
    expect(s, NULL, "ok", NULL);
    assert_int_equal(s->rows.row_count, 112);
    assert_string_equal(s->result.missing_metrics, "");
    assert_string_equal(s->result.doubt, ""); /* no self-check failed */
    assert_true(s->result.drift_pct == 0);    /* the device's clock is exact */
    for (size_t i = 0; i < s->rows.row_count; i++) {
        assert_string_equal(cell(s, i, "device"), "NVIDIA Fake 0 (no GPU)");
        assert_true(number(s, i, "samples") == 3 && number(s, i, "time_us_min") >= 2);
        assert_true(number(s, i, "ceiling_pct") > 0 && number(s, i, "inst_per_warp") > 10);
        assert_true(number(s, i, "sm_clock_mhz") == 1980 && number(s, i, "power_w") == 251.5);
        if (strcmp(cell(s, i, "kernel"), "smem") != 0 || strcmp(cell(s, i, "scope"), "kernel") != 0)
            continue;
        /* The kernel reads each sector once. Its time shows whether it read from memory or from the
         * cache. */
        assert_true(number(s, i, "gld_sectors") == number(s, i, "n") / 8);
        assert_near(number(s, i, "time_us_median"), time_us(s, i), 0.0021);
        /* The events are accurate enough, so the column `reason` is empty. */
        assert_string_equal(cell(s, i, "reason"), "");
    }
    /* The manifest records in which positions of the queue launches were timed. On this device, no
     * batch had to be repeated. */
    struct manifest m;
    bool found;
    must(manifest_read(s->out, &m, &found, &s->e), &s->e);
    const struct position_seen *position = &m.sessions.items[0].position;
    assert_true(position->period > 0 && position->batches > 0);
    assert_int_equal(position->repeated, 0);
    manifest_free(&m);
    done(s);
}

/* If the resolution of events is 0.1 us, launches shorter than 32 steps (3.2 us) are marked: those
 * of 2.2 us, but not those of 4.3 us. */
static void short_launches_are_marked_where_events_are_coarse(void **state)
{
    setenv("FAKE_CUDA_STEP", "100", 1);
    setenv("FAKE_CUDA_MEMORY", "1073741824", 1);
    struct sweep *s = run(*state,
                          "{\"kernels\":[\"smem\",\"interleaved\"],\"sizes\":[1024,524288],"
                          "\"blocks\":128,\"scope\":\"kernel\",\"cache\":\"cold\","
                          "\"metrics\":[],\"timing\":{\"min_samples\":3,\"contexts\":3}}",
                          "cuda");
    if (!s->ok)
        fail_msg("%s", s->e.text);
    expect(s, NULL, "ok", NULL);
    for (size_t i = 0; i < s->rows.row_count; i++) {
        bool below = strcmp(cell(s, i, "flags"), "unresolved") == 0;
        assert_int_equal(below, number(s, i, "n") == 1024);
        assert_int_equal(below, number(s, i, "time_us_median") < 3.2);
    }
    done(s);
}

/* Returns the name of the text that is expected if `variable` is set to `value`. */
static const char *named(const char *variable, const char *value)
{
    static char name[160];
    snprintf(name, sizeof name, "%s=%s", variable, value);
    return name;
}

static struct sweep *run_with(struct fixture *f, const char *variable, const char *value)
{
    setenv(variable, value, 1);
    return run(f, TWO_KERNELS, "cuda");
}

/* A kernel that faults, hangs or does nothing fails only its own points. */
static void a_bad_kernel_costs_its_own_points(void **state)
{
    static const struct {
        const char *fault, *status;
    } cases[] = {{"smem=700", "launch_error"},
                 {"smem=716", "launch_error"},
                 {"smem=710", "launch_error"},
                 {"smem=lie", "wrong"},
                 {"smem=hang", "timeout"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        setenv("FAKE_CUDA_KERNEL", cases[i].fault, 1);
        struct sweep *s = run(*state, TWO_KERNELS, "cuda");
        if (!s->ok || s->result.stopped)
            fail_msg("%s: %s%s", cases[i].fault, s->ok ? "stopped: " : s->e.text,
                     s->ok ? s->result.stopped_why : "");
        assert_int_equal(s->rows.row_count, 4);
        expect(s, "smem", cases[i].status, cases[i].fault);
        expect(s, "interleaved", "ok", NULL);
        done(s);
    }
}

/* Finds a row by the values of its axes, because the order of rows depends on what went wrong. */
static size_t row_of(const struct sweep *s, const char *kernel, const char *n)
{
    for (size_t i = 0; i < s->rows.row_count; i++)
        if (strcmp(cell(s, i, "kernel"), kernel) == 0 && strcmp(cell(s, i, "n"), n) == 0)
            return i;
    fail_msg("there is no row of %s n=%s", kernel, n);
    return 0;
}

/* Checks that rows with the status ok equal those of the undisturbed run to the last digit. They
 * must be equal, because the clock is exact. Returns the number of rows with another status. */
static size_t compare(const struct sweep *s, const struct sweep *undisturbed, const char *fault)
{
    static const char *const columns[] = {"result", "time_us_median", "time_us_max",
                                          "gld_transactions", "samples"};
    size_t bad = 0;
    assert_int_equal(s->rows.row_count, undisturbed->rows.row_count);
    for (size_t i = 0; i < s->rows.row_count; i++) {
        size_t j = row_of(undisturbed, cell(s, i, "kernel"), cell(s, i, "n"));
        if (strcmp(cell(s, i, "status"), "ok") != 0) {
            bad++;
            continue;
        }
        for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
            if (strcmp(cell(s, i, columns[c]), cell(undisturbed, j, columns[c])) != 0)
                fail_msg("%s: %s n=%s: %s is %s, not %s", fault, cell(s, i, "kernel"),
                         cell(s, i, "n"), columns[c], cell(s, i, columns[c]),
                         cell(undisturbed, j, columns[c]));
    }
    return bad;
}

/* In each run, one call fails once. At most one point fails. In most runs no point fails, because
 * the batch that contained the call is measured again. There is too little memory to measure the
 * ceilings, so all calls belong to points. */
static void one_failed_call_costs_one_point_at_most(void **state)
{
    enum { FIRST = 26, LAST = 640, STEP = 67 };
    static const int statuses[] = {cudaErrorIllegalAddress, cudaErrorMemoryAllocation};
    struct sweep *undisturbed = run_with(*state, "FAKE_CUDA_MEMORY", "41943040");
    expect(undisturbed, NULL, "ok", NULL);
    int lost = 0, hit = 0;
    for (int k = FIRST; k < LAST; k += STEP)
        for (int i = 0; i < 2; i++) {
            char fault[64], once[PATH_MAX];
            snprintf(fault, sizeof fault, "*:%d=%d", k + i, statuses[i]);
            beside("fault-happened", once);
            unlink(once);
            setenv("FAKE_CUDA_MEMORY", "41943040", 1);
            setenv("FAKE_CUDA_ONCE", once, 1);
            struct sweep *s = run_with(*state, "FAKE_CUDA_FAIL", fault);
            assert_true(s->ok && !s->result.stopped);
            size_t bad = compare(s, undisturbed, fault);
            if (bad > 1)
                fail_msg("%s cost %zu points", fault, bad);
            lost += (int)bad;
            hit += unlink(once) == 0;
            done(s);
        }
    assert_int_equal(hit, 2 * ((LAST - FIRST + STEP - 1) / STEP));
    print_message("%d faults, %d points lost\n", hit, lost);
    done(undisturbed);
}

/* If three points in a row lose the device, the run ends and says so. */
static void a_dead_device_ends_the_run(void **state)
{
    static const char *const faults[] = {"cudaLaunchKernelExC:1+=719", "cudaMalloc:1+=719",
                                         "cudaLibraryLoadData:1+=702"};
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct sweep *s = run_with(*state, "FAKE_CUDA_FAIL", faults[i]);
        assert_true(s->result.stopped);
        texts_expect(faults[i], s->result.stopped_why);
        assert_int_equal(s->rows.row_count, 3);
        expect(s, NULL, "launch_error", NULL);
        done(s);
    }
}

/* If the device still runs the harness's own kernels, the run gives up only the failing kernel and
 * continues. */
static void copies_that_fail_give_the_kernels_up(void **state)
{
    struct sweep *s = run_with(*state, "FAKE_CUDA_FAIL", "cudaMemcpyAsync:1+=999");
    assert_true(s->ok && !s->result.stopped);
    uint64_t failed = s->result.by_status[STATUS_LAUNCH_ERROR];
    assert_true(failed >= 3);
    assert_int_equal(s->result.rows, failed + s->result.by_status[STATUS_SKIPPED]);
    done(s);
}

static void what_is_lacking_is_said_in_each_row(void **state)
{
    static const struct {
        const char *variable, *value, *status;
    } cases[] = {
        {"FAKE_CUDA_FAIL", "cudaMalloc:1+=2", "oom"},
        {"FAKE_CUDA_MEMORY", "10000000", "oom"},
        {"FAKE_CUDA_FAIL", "cudaLibraryLoadData:1+=209", "launch_error"},
        {"FAKE_CUDA_FAIL", "cudaEventRecord:1+=1", "launch_error"},
        {"FAKE_CUDA_FAIL", "cudaEventElapsedTime:1+=600", "launch_error"},
        {"FAKE_CUDA_FAIL", "cudaEventSynchronize:1+=34", "launch_error"},
        {"FAKE_CUPTI_FAIL", "cuptiRangeProfilerStart:26", "ok"},
        {"FAKE_CUPTI_FAIL", "cuptiRangeProfilerDecodeData:9", "ok"},
        {"FAKE_NVML_REASONS", "20", "ok"},
        {"FAKE_NVML_REASONS", "4", "ok"}, /* a GPU at its power limit works normally */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sweep *s = run_with(*state, cases[i].variable, cases[i].value);
        assert_true(s->ok && !s->result.stopped);
        assert_int_equal(s->rows.row_count, 4);
        expect(s, NULL, cases[i].status, named(cases[i].variable, cases[i].value));
        if (strcmp(cases[i].variable, "FAKE_NVML_REASONS") == 0)
            assert_string_equal(cell(s, 0, "throttle"),
                                strcmp(cases[i].value, "4") == 0 ? "power_cap" : "thermal");
        done(s);
    }
}

/* If a slowdown has ended when its points are timed again, these points are not marked. */
static void a_slowdown_that_ends_is_timed_again(void **state)
{
    struct sweep *s =
        run_with(*state, "FAKE_NVML_REASONS", "20:2"); /* the ceilings take the first reading */
    int again = 0;
    assert_true(s->ok);
    for (size_t i = 0; i < s->rows.row_count; i++) {
        assert_string_equal(cell(s, i, "status"), "ok");
        assert_string_equal(cell(s, i, "throttle"), "");
        if (cell(s, i, "reason")[0]) {
            char reason[REASON_TEXT];
            texts_expect("FAKE_NVML_REASONS=20:2", row_reason(&s->rows, i, reason));
            again++;
        }
    }
    assert_int_equal(again, 2);
    done(s);
}

/* Launches take a thousand times as long, so that a few of them fill a second. A warm sum of 128
 * elements takes 2 ms at the kernel's power, after a preparation that takes 2 ms at 200 W. */
#define ENERGY(energy)                                                                             \
    "{\"name\":\"energy\",\"kernels\":[\"smem\",\"interleaved\"],\"sizes\":128,\"blocks\":128,"    \
    "\"cache\":\"warm\",\"scope\":\"kernel\",\"metrics\":[],\"timing\":{\"min_samples\":3,"        \
    "\"max_samples\":3,\"contexts\":1,\"point_limit_s\":60,\"energy_s\":" energy "}}"

static struct sweep *run_energy(struct fixture *f, const char *variable, const char *value)
{
    setenv("FAKE_CUDA_SLOW", "0:99900", 1);
    setenv("FAKE_CUDA_WATTS", "smem=500,interleaved=300", 1);
    if (variable)
        setenv(variable, value, 1);
    struct sweep *s = run(f, ENERGY("1"), "cuda");
    if (!s->ok)
        fail_msg("%s", s->e.text);
    assert_int_equal(s->rows.row_count, 2);
    return s;
}

/* Checks a kernel's energy. The energy is measured over a block of one second. Each end of the
 * block is uncertain by the time between two readings, which is two chunks of 4 ms, or 0.8 % of the
 * block. The launches take at least half of the block. */
static void expect_energy(const struct sweep *s, const char *kernel, double watts)
{
    size_t row = row_of(s, kernel, "128");
    double uj = watts * number(s, row, "time_us_median"), found = number(s, row, "energy_uj");
    if (!(fabs(found / uj - 1) < 0.04))
        fail_msg("%s takes %g uJ, not %g; %s", kernel, found, uj, cell(s, row, "reason"));
    assert_true(number(s, row, "energy_uj_ci95_lo") < found);
    assert_true(number(s, row, "energy_uj_ci95_hi") > found);
    assert_true(number(s, row, "energy_uj_ci95_hi") - number(s, row, "energy_uj_ci95_lo") <
                0.1 * uj);
    assert_string_equal(cell(s, row, "reason"), "");
}

static void energies_are_those_of_the_launches(void **state)
{
    struct sweep *s = run_energy(*state, NULL, NULL);
    expect(s, NULL, "ok", NULL);
    expect_energy(s, "smem", 500);
    expect_energy(s, "interleaved", 300);
    done(s);
}

/* If the energy counter fails in the middle of a run, the rows have times but no energy. */
static void an_energy_counter_that_fails_leaves_no_energy(void **state)
{
    static const char *const faults[] = {"fail:100", "reset:100", "stuck:100"};
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct sweep *s = run_energy(*state, "FAKE_NVML_ENERGY", faults[i]);
        expect(s, NULL, "ok", named("FAKE_NVML_ENERGY", faults[i]));
        for (size_t row = 0; row < 2; row++) {
            assert_true(number(s, row, "time_us_median") > 1900);
            assert_string_equal(cell(s, row, "energy_uj"), "");
            assert_string_equal(cell(s, row, "energy_uj_ci95_lo"), "");
            assert_string_equal(cell(s, row, "energy_uj_ci95_hi"), "");
        }
        done(s);
    }
}

/* If the device is lost while energy is measured, at most one point fails. All other points are
 * measured again. */
static void a_loss_among_blocks_costs_one_point_at_most(void **state)
{
    char once[PATH_MAX];
    beside("fault-happened", once);
    unlink(once);
    setenv("FAKE_CUDA_ONCE", once, 1);
    struct sweep *s = run_energy(*state, "FAKE_CUDA_FAIL", "cudaLaunchKernelExC:6000=719");
    assert_int_equal(unlink(once), 0);
    int right = 0;
    for (size_t i = 0; i < 2; i++) {
        const char *kernel = cell(s, i, "kernel");
        bool good = strcmp(cell(s, i, "status"), "ok") == 0;
        right += good;
        if (good)
            expect_energy(s, kernel, strcmp(kernel, "smem") == 0 ? 500 : 300);
        else
            assert_string_equal(cell(s, i, "energy_uj"), "");
    }
    assert_true(right >= 1);
    done(s);
}

static void energy_is_refused_before_anything_is_measured(void **state)
{
    static const struct {
        const char *name, *variable, *value, *config, *device;
    } cases[] = {
        {"energy without a counter", "FAKE_NVML_FAIL", "nvmlDeviceGetTotalEnergyConsumption:3",
         ENERGY("1"), "cuda"},
        {"energy of a slice", "FAKE_NVML_MIG", "1", ENERGY("1"), "cuda"},
        {"energy on the simulator", "FAKE_CUDA_STEP", "1", ENERGY("1"), "sim"},
        {"energy in a search", "FAKE_CUDA_STEP", "1",
         "{\"kernels\":\"smem\",\"sizes\":1024,\"search\":\"race\",\"timing\":{\"energy_s\":1}}",
         "cuda"},
        {"energy of 12 points of one size", "FAKE_CUDA_STEP", "1",
         "{\"kernels\":\"unroll\",\"sizes\":1024,\"blocks\":[32,64,128,256],\"unrolls\":[1,2,4,8],"
         "\"cache\":\"cold\",\"scope\":\"kernel\",\"timing\":{\"energy_s\":1}}",
         "cuda"},
        {"energy for more than half an hour", "FAKE_CUDA_STEP", "1",
         "{\"kernels\":\"smem\",\"sizes\":[1024,2048,4096,8192],\"blocks\":[64,128],\"cache\":"
         "\"cold\",\"scope\":\"kernel\",\"timing\":{\"energy_s\":60}}",
         "cuda"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        setenv(cases[i].variable, cases[i].value, 1);
        struct sweep *s = run(*state, cases[i].config, cases[i].device);
        assert_false(s->ok);
        assert_false(s->result.recorded);
        texts_expect(cases[i].name, s->e.text);
        assert_int_not_equal(access(s->out, F_OK), 0);
        done(s);
    }
}

static void a_run_without_counters_is_a_run(void **state)
{
    static const struct {
        const char *variable, *value;
    } cases[] = {{"FAKE_CUPTI_FAIL", "cuptiRangeProfilerEnable:35"},
                 {"FAKE_CUPTI_LEVEL", "wsl=1"},
                 {"FAKE_CUPTI_LEVEL", "vGpu=2"},
                 {"FAKE_CUPTI_FAIL", "cuptiProfilerInitialize:43"},
                 {"REDSWEEP_CUPTI", "/nowhere/libcupti.so"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sweep *s = run_with(*state, cases[i].variable, cases[i].value);
        assert_true(s->ok);
        texts_expect(named(cases[i].variable, cases[i].value), s->result.missing_metrics);
        expect(s, NULL, "ok", NULL);
        assert_string_equal(cell(s, 0, "gld_transactions"), "");
        assert_true(number(s, 0, "time_us_median") > 2);
        done(s);
    }
}

/* A P100 and a V100 time every kernel that they can run, with NVRTC 12. Points that need a newer
 * GPU are skipped, and their rows say what they need. The message about counters also says what
 * counting needs. */
static void older_gpus_run_what_they_can(void **state)
{
    static const char *const ccs[] = {"60", "70"};
    for (int i = 0; i < 2; i++) {
        setenv("FAKE_NVRTC", "12", 1);
        setenv("FAKE_CUDA_CC", ccs[i], 1);
        setenv("FAKE_CUDA_DRIVER", "12040", 1);
        struct sweep *s = run(
            *state,
            "{\"kernels\":[\"smem\",\"shuffle\",\"cooperative\",\"vector\",\"nested\",\"redux\","
            "\"onepass_ticket\",\"onepass_cluster\",\"bulk_ring\",\"dependent\"],"
            "\"sizes\":16384,\"blocks\":128,\"tunables\":{\"LOADS\":4,\"BLOCKS_PER_SM\":4,"
            "\"CLUSTER_BLOCKS\":4,\"MIN_BLOCKS\":4,\"POLICY\":1,\"STAGES\":2},"
            "\"scope\":\"kernel\",\"metrics\":\"gld_sectors\","
            "\"timing\":{\"min_samples\":3,\"max_samples\":3,\"contexts\":1}}",
            "cuda");
        if (!s->ok)
            fail_msg("%s", s->e.text);
        static const char *const able[] = {"smem", "shuffle", "cooperative", "vector", "nested"};
        for (size_t k = 0; k < sizeof able / sizeof able[0]; k++)
            expect(s, able[k], "ok", NULL);
        static const char *const unable[] = {"redux", "onepass_ticket", "onepass_cluster",
                                             "bulk_ring", "dependent"};
        for (size_t k = 0; k < sizeof unable / sizeof unable[0]; k++) {
            char name[64];
            snprintf(name, sizeof name, "%s on %s", unable[k], ccs[i]);
            expect(s, unable[k], "skipped", name);
        }
        texts_expect(named("FAKE_CUDA_CC", ccs[i]), s->result.missing_metrics);
        done(s);
    }
}

/* NVRTC 13 does not compile for a P100, and the rows say which version of NVRTC does. */
static void an_older_gpu_needs_an_older_compiler(void **state)
{
    struct fixture *f = *state;
    if (strncmp(compiler_version(f->compiler), "NVRTC 13", 8) != 0) {
        texts_leave_others();
        skip();
    }
    struct sweep *s = run_with(*state, "FAKE_CUDA_CC", "60");
    int known[64], count = compiler_architectures(f->compiler, known, 64);
    char newest[32];
    snprintf(newest, sizeof newest, "to %d.%d,", known[count - 1] / 10, known[count - 1] % 10);
    texts_rename(compiler_version(f->compiler), "$nvrtc");
    texts_rename(newest, "to $newest,");
    expect(s, NULL, "unsupported", "compiling for 6.0");
    done(s);
}

static void no_device_is_no_run(void **state)
{
    static const struct {
        const char *variable, *value;
    } cases[] = {{"FAKE_CUDA_FAIL", "cudaGetDeviceCount:1=35"},
                 {"FAKE_CUDA_DEVICES", "0"},
                 {"FAKE_CUDA_FAIL", "cudaFree:1=46"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sweep *s = run_with(*state, cases[i].variable, cases[i].value);
        assert_false(s->ok || s->result.recorded);
        texts_expect(named(cases[i].variable, cases[i].value), s->e.text);
        done(s);
    }
    setenv("FAKE_CUDA_DEVICES", "0", 1); /* "auto" then chooses the next device */
    struct sweep *s = run(*state, TWO_KERNELS, "auto");
    assert_true(s->ok);
    assert_string_equal(cell(s, 0, "backend"), "sim");
    done(s);
}

int main(void)
{
    fake_cuda_hanging = clock_hang;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_kernel_is_right),
        cmocka_unit_test(short_launches_are_marked_where_events_are_coarse),
        cmocka_unit_test(a_bad_kernel_costs_its_own_points),
        cmocka_unit_test(one_failed_call_costs_one_point_at_most),
        cmocka_unit_test(a_dead_device_ends_the_run),
        cmocka_unit_test(copies_that_fail_give_the_kernels_up),
        cmocka_unit_test(what_is_lacking_is_said_in_each_row),
        cmocka_unit_test(a_slowdown_that_ends_is_timed_again),
        cmocka_unit_test(energies_are_those_of_the_launches),
        cmocka_unit_test(an_energy_counter_that_fails_leaves_no_energy),
        cmocka_unit_test(a_loss_among_blocks_costs_one_point_at_most),
        cmocka_unit_test(energy_is_refused_before_anything_is_measured),
        cmocka_unit_test(a_run_without_counters_is_a_run),
        cmocka_unit_test(older_gpus_run_what_they_can),
        cmocka_unit_test(an_older_gpu_needs_an_older_compiler),
        cmocka_unit_test(no_device_is_no_run),
    };
    return cmocka_run_group_tests_name("cuda_sweep", tests, open_fixture, close_fixture);
}
