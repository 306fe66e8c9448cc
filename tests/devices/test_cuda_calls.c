/*
 * Makes every CUDA runtime call fail once: for each k, runs a program whose k-th call fails.
 *
 * The program opens the device, loads kernels, allocates memory and makes an input. It then runs,
 * repeats, times and counts launches, reads the results, and frees all objects. If the status of
 * the failed call leaves the context valid, the step that made the call fails with a message. When
 * the step is tried again it succeeds, and at the end no object or memory remains allocated. If the
 * context is lost, the step says that the device is lost, and no later step uses the device. Some
 * calls return information that the program does not need; if such a call fails, the program
 * continues. Allocations of host memory are made to fail in the same way.
 */
#include "../faults/failing_memory.h"
#include "cuda_fixture.h"

#include <sys/wait.h>

#include "base/memory.h"

enum { TRIALS = 12, N = 4096, BYTES = 4 * N };

struct life {
    struct fixture *fixture;
    struct device *device;
    struct module *smem, *nested;
    struct buffer input, output;
    struct input kind;
    struct error e;
};

static bool open_device(struct life *l)
{
    return cuda_driver.open("0", &l->fixture->setup, &l->device, &l->e);
}

static bool load(struct life *l, const char *name, struct module **out)
{
    const struct kernel *k = catalogue_find(&l->fixture->kernels, name);
    struct variant v = {.unroll = 1, .block = 128, .type = TYPE_INT32, .op = OP_SUM};
    struct device_info info;
    struct image image = {0};
    assert_non_null(k);
    if (*out)
        return true;
    cuda_driver.describe(l->device, &info);
    bool ok = compile_variant(l->fixture->compiler, k, &v, &info.target, &image, &l->e) &&
              cuda_driver.load(l->device, &image, out, NULL, &l->e);
    image_free(&image);
    return ok;
}

/* Loads both kernels. The driver prepares the device for `nested`, which launches kernels. */
static bool load_modules(struct life *l)
{
    return load(l, "smem_dynamic", &l->smem) && load(l, "nested", &l->nested);
}

static bool allocate(struct life *l)
{
    return (l->input.address || cuda_driver.alloc(l->device, BYTES, &l->input, &l->e)) &&
           (l->output.address || cuda_driver.alloc(l->device, BYTES, &l->output, &l->e)) &&
           cuda_driver.fill(l->device, l->output, 0xa5, &l->e);
}

static bool make_input(struct life *l)
{
    l->kind = (struct input){.type = TYPE_INT32, .op = OP_SUM, .n = N, .seed = 1};
    return cuda_driver.generate(l->device, l->input, &l->kind, &l->e);
}

/*
 * Returns a launch with a large cluster and much shared memory. For such a launch, the driver must
 * set kernel attributes.
 */
static struct launch make_launch(const struct life *l)
{
    struct launch launch = {.module = l->smem,
                            .grid = {32, 1, 1},
                            .block = {128, 1, 1},
                            .dynamic_smem = 64 * 1024,
                            .kind = LAUNCH_CLUSTER,
                            .cluster = 16};
    add_argument(&launch, l->input.address, 8);
    add_argument(&launch, l->output.address, 8);
    add_argument(&launch, N, 4);
    return launch;
}

static void make_trials(const struct life *l, const struct launch *launch, struct trial *trials,
                        int count)
{
    for (int i = 0; i < count; i++)
        trials[i] = (struct trial){.restore = i % 3 == 0 ? &l->kind : NULL,
                                   .input = l->input,
                                   .zero = i % 3 == 1 ? l->output : (struct buffer){0},
                                   .cache = i % 2 ? CACHE_COLD : CACHE_WARM,
                                   .launches = launch,
                                   .launch_count = 1};
}

static bool run(struct life *l)
{
    struct launch launch = make_launch(l);
    struct trial t;
    make_trials(l, &launch, &t, 1);
    return cuda_driver.run(l->device, &t, &l->e);
}

static bool read_back(struct life *l)
{
    int32_t values[N];
    return cuda_driver.read(l->device, l->output, 0, values, sizeof values, &l->e);
}

/*
 * Trial i has i + 1 launches. Each launch takes 2 us, so each trial takes a different time.
 */
static bool time_trials(struct life *l)
{
    struct launch launches[TRIALS];
    struct trial trials[TRIALS];
    double us[TRIALS];
    for (int i = 0; i < TRIALS; i++)
        launches[i] = make_launch(l);
    make_trials(l, launches, trials, TRIALS);
    for (int i = 0; i < TRIALS; i++)
        trials[i].launch_count = i + 1;
    if (!cuda_driver.time(l->device, trials, TRIALS, us, &l->e))
        return false;
    for (int i = 0; i < TRIALS; i++)
        if (us[i] != 2.0 * (i + 1))
            fail_msg("trial %d took %g us", i, us[i]);
    return true;
}

static bool three_trials(void *context, uint64_t trials, double seconds)
{
    uint64_t *before = context;
    if (!(trials > *before && seconds > 0))
        fail_msg("after %llu trials %llu and %g s (%s failed)", (unsigned long long)*before,
                 (unsigned long long)trials, seconds,
                 fake_cuda.failed ? fake_cuda.failed : "nothing");
    *before = trials;
    return trials < 3;
}

static bool repeat(struct life *l)
{
    struct launch launch = make_launch(l);
    struct trial t;
    uint64_t trials = 0;
    make_trials(l, &launch, &t, 1);
    return cuda_driver.repeat(l->device, &t, three_trials, &trials, &l->e);
}

/*
 * Counts three trials. If the call that looks up a function of the driver failed, the device cannot
 * count. This is not an error.
 */
static bool count(struct life *l)
{
    struct launch launch = make_launch(l);
    struct trial trials[3];
    const char *counters[] = {"gpu__time_duration.sum"};
    double values[3];
    struct device_info info;
    cuda_driver.describe(l->device, &info);
    if (!info.can_count)
        return true;
    make_trials(l, &launch, trials, 3);
    if (!cuda_driver.count(l->device, trials, 3, counters, 1, values, &l->e))
        return false;
    assert_true(values[0] >= 2000 && values[2] >= 2000);
    return true;
}

static bool (*const steps[])(struct life *) = {
    open_device, load_modules, allocate, make_input, run, read_back, repeat, time_trials, count};
enum { STEPS = sizeof steps / sizeof steps[0] };

static void give_back(struct life *l)
{
    if (!l->device)
        return;
    cuda_driver.unload(l->device, l->smem);
    cuda_driver.unload(l->device, l->nested);
    cuda_driver.free(l->device, l->input);
    cuda_driver.free(l->device, l->output);
    cuda_driver.close(l->device);
}

static bool is_one_of(const char *name, const char *const *names)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

/*
 * Returns whether redsweep can continue if `function` fails. In this case, redsweep reports that
 * the clocks are unknown, or that NVML or counters are missing.
 */
static bool not_needed(const char *function)
{
    static const char *const names[] = {"cudaDeviceGetAttribute",
                                        "cudaDriverGetVersion",
                                        "cudaRuntimeGetVersion",
                                        "cudaDeviceGetPCIBusId",
                                        "cudaGetDriverEntryPointByVersion",
                                        NULL};
    return is_one_of(function, names);
}

static bool gives_back(const char *function)
{
    static const char *const names[] = {"cudaEventDestroy",  "cudaStreamDestroy",
                                        "cudaLibraryUnload", "cudaFreeHost",
                                        "cudaFree",          NULL};
    return is_one_of(function, names);
}

static void begin(struct life *l, struct fixture *f, int call, int status)
{
    char text[64];
    snprintf(text, sizeof text, "*:%d=%d", call, status);
    setenv("FAKE_CUDA_FAIL", text, 1);
    fresh_process();
    memset(l, 0, sizeof *l);
    l->fixture = f;
}

static void check_end(int call, const char *function, bool lost)
{
    if (fake_cuda.misuse[0])
        fail_msg("call %d (%s) failed, and then: %s", call, function, fake_cuda.misuse);
    if (fake_cuda.late_releases)
        fail_msg("call %d (%s) failed, and a blocking kernel was left waiting", call, function);
    if (!lost && fake_cuda.live)
        fail_msg("call %d (%s) failed, and %d objects were not released", call, function,
                 fake_cuda.live);
    if (fake_cuda.after_loss)
        fail_msg("call %d (%s) lost the device, but %d more calls were made", call, function,
                 fake_cuda.after_loss);
}

/*
 * Checks that the message says which operation was tried and names the status. The message may also
 * say what to do.
 */
static void check_message(const struct error *e, const char *function, const char *name,
                          bool has_remedy)
{
    const char *status = strstr(e->text, name);
    if (!status || status - e->text < 10 || (strchr(status, ';') != NULL) != has_remedy)
        fail_msg("%s: \"%s\"", function, e->text);
    if (!e->file || !strstr(e->file, "harness/devices/cuda/") || e->line < 1)
        fail_msg("%s: the error is from %s:%d", function, e->file, e->line);
}

/*
 * Makes one call fail with a status that leaves the context valid. The step that makes this call
 * must fail once and succeed when it is tried again.
 */
static void fail_and_go_on(struct fixture *f, int call, const char *function)
{
    struct life l;
    bool failed = false;
    begin(&l, f, call, cudaErrorMemoryAllocation);
    for (int i = 0; i < STEPS; i++) {
        if (steps[i](&l))
            continue;
        if (failed || not_needed(function))
            fail_msg("call %d (%s), step %d: %s", call, function, i, l.e.text);
        failed = true;
        assert_int_equal(l.e.kind, ERROR_MEMORY);
        assert_false(l.e.device_lost);
        check_message(&l.e, function, "(cudaErrorMemoryAllocation)", true);
        if (i == 0)
            assert_int_equal(fake_cuda.live, 0);
        error_clear(&l.e);
        i--; /* The next round makes the same call again. */
    }
    give_back(&l);
    assert_string_equal(fake_cuda.failed, function);
    bool starts =
        strcmp(function, "cudaFree") == 0 && failed; /* cudaFree(NULL) creates the context */
    if (!failed && !not_needed(function) && !gives_back(function))
        fail_msg("call %d (%s) failed, but no error was reported", call, function);
    if (failed && gives_back(function) && !starts)
        fail_msg(
            "call %d (%s) failed and was reported as an error, although it only releases something",
            call, function);
    check_end(call, function, false);
}

/*
 * Makes one call fail with a status that loses the context. The first step that receives this
 * status must report that the device is lost.
 */
static void fail_and_lose(struct fixture *f, int call, const char *function)
{
    struct life l;
    bool lost = false;
    begin(&l, f, call, cudaErrorIllegalAddress);
    for (int i = 0; i < STEPS && !lost; i++)
        lost = !steps[i](&l);
    if (lost) {
        if (!l.e.device_lost)
            fail_msg("call %d (%s): the error does not say that the device is lost: %s", call,
                     function, l.e.text);
        assert_int_equal(l.e.kind, ERROR_LAUNCH);
        check_message(&l.e, function, "(cudaErrorIllegalAddress)", false);
    } else if (!gives_back(function)) {
        fail_msg("call %d (%s) lost the device, but no error was reported", call, function);
    }
    if (not_needed(function)) /* The loss can be noticed only after further calls. */
        fake_cuda.after_loss = 0;
    give_back(&l);
    check_end(call, function, true);
}

/*
 * Returns whether the test tries call k. If the program calls the same function several times in a
 * row, the test tries the first two of these calls, one in the middle, and the last. The search for
 * the queue slot makes many series of such calls, and the test tries the first series and some of
 * the later ones.
 */
static bool is_chosen(int call, int calls)
{
    enum { ROWS = 100, LATER = 97 };
    static int seen;
    int first = call, last = call;
    while (first > 1 && strcmp(fake_cuda_call(first - 1), fake_cuda_call(call)) == 0)
        first--;
    while (last < calls && strcmp(fake_cuda_call(last + 1), fake_cuda_call(call)) == 0)
        last++;
    bool probing = strcmp(fake_cuda_call(call), "cudaLaunchKernelExC") == 0 ||
                   strcmp(fake_cuda_call(call), "cudaEventRecord") == 0 ||
                   strcmp(fake_cuda_call(call), "cudaEventElapsedTime") == 0;
    bool chosen = call < first + 2 || call == last || call == (first + last) / 2;
    return chosen && (!probing || ++seen < ROWS || seen % LATER == 0 || call > calls - 1000);
}

enum { MOST = 4096 };
static int chosen[MOST], chosen_count;
static const char *chosen_name[MOST];

static int choose_calls(void **state)
{
    struct life l;
    if (open_fixture(state))
        return 1;
    setenv("FAKE_CUDA_RUN", "no", 1);
    begin(&l, *state, 0, 0);
    for (int i = 0; i < STEPS; i++)
        if (!steps[i](&l))
            fail_msg("step %d: %s", i, l.e.text);
    give_back(&l);
    check_end(0, "none", false);
    int calls = fake_cuda.calls;
    for (int k = 1; k <= calls; k++)
        if (is_chosen(k, calls) && chosen_count < MOST) {
            chosen_name[chosen_count] = fake_cuda_call(k);
            chosen[chosen_count++] = k;
        }
    print_message("%d of %d calls failed, one in each try\n", chosen_count, calls);
    assert_true(chosen_count > 150);
    return 0;
}

static void any_call_may_fail(void **state)
{
    for (int i = 0; i < chosen_count; i++)
        fail_and_go_on(*state, chosen[i], chosen_name[i]);
}

static void any_call_may_lose_the_device(void **state)
{
    for (int i = 0; i < chosen_count; i++)
        fail_and_lose(*state, chosen[i], chosen_name[i]);
}

/*
 * The host runs out of memory: for each k, the program runs in a separate process in which its k-th
 * allocation fails. If the allocation is small, the process ends with EXIT_OUT_OF_MEMORY
 * (base/memory.h). If the allocation is large or a library makes it, a step fails with an error
 * that says that memory is missing. This step succeeds when it is tried again.
 */
enum { HANDLED = 40, NONE_LEFT };

static int live_without(struct fixture *f, int k)
{
    struct life l;
    bool said = false;
    begin(&l, f, 0, 0);
    failing_memory_arm(k);
    for (int i = 0; i < STEPS; i++) {
        if (steps[i](&l))
            continue;
        if (said || !failing_memory_failed())
            fail_msg("allocation %d, step %d: %s", k, i, l.e.text);
        said = true;
        assert_false(l.e.device_lost);
        if (l.e.kind != ERROR_MEMORY)
            fail_msg("allocation %d, step %d: %s error: %s", k, i, error_kind_name(l.e.kind),
                     l.e.text);
        error_clear(&l.e);
        i--;
    }
    bool failed = failing_memory_failed();
    failing_memory_arm(0);
    give_back(&l);
    check_end(k, "an allocation", false);
    return failed ? HANDLED : NONE_LEFT;
}

static void silent(size_t bytes)
{
    (void)bytes;
}

static int fail_an_allocation(struct fixture *f, int k)
{
    int status = 0;
    fflush(NULL); /* otherwise the child would write the buffered text again */
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        memory_set_hook(silent);
        _exit(live_without(f, k)); /* a failed check ends the child with none of the three codes */
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void any_allocation_may_fail(void **state)
{
    int handled = 0, ended = 0, code = HANDLED;
    for (int k = 1; code != NONE_LEFT; k++) {
        code = fail_an_allocation(*state, k);
        if (code != HANDLED && code != EXIT_OUT_OF_MEMORY && code != NONE_LEFT)
            fail_msg("allocation %d: exit code %d", k, code);
        handled += code == HANDLED;
        ended += code == EXIT_OUT_OF_MEMORY;
    }
    print_message("%d allocations failed, one in each try; %d of them ended the process\n",
                  handled + ended, ended);
    assert_true(ended > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_call_may_fail),
        cmocka_unit_test(any_call_may_lose_the_device),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("cuda_calls", tests, choose_calls, close_fixture);
}
