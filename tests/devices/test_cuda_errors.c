/*
 * Checks the message for each failure on a GPU: there is no device, CUDA returns a status, a kernel
 * faults, memory is too small, or an image or a host library cannot be loaded.
 */
#include "cuda_rig.h"

#include "../texts/expected.h"

static void expect_no_device(struct fixture *f, const char *name, const char *argument,
                             enum error_kind kind)
{
    struct device *d = NULL;
    struct error e = {0};
    fresh_process();
    assert_false(cuda_driver.open(argument, &f->setup, &d, &e));
    if (e.kind != kind)
        fail_msg("cuda:%s: %s error, \"%s\"", argument, error_kind_name(e.kind), e.text);
    texts_expect(name, e.text);
    assert_int_equal(fake_cuda.live, 0);
    no_faults();
}

static void a_device_that_cannot_be_opened_says_why(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *fault;
        enum error_kind kind;
    } cases[] = {
        {"cudaGetDeviceCount:1=35", ERROR_DEVICE},
        {"cudaGetDeviceCount:1=100", ERROR_DEVICE},
        {"cudaGetDeviceCount:1=803", ERROR_DEVICE},
        {"cudaSetDevice:1=3", ERROR_DEVICE},
        {"cudaFree:1=46", ERROR_LAUNCH},
        {"cudaFree:1=2", ERROR_MEMORY},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        setenv("FAKE_CUDA_FAIL", cases[i].fault, 1);
        expect_no_device(f, cases[i].fault, "", cases[i].kind);
    }
    /* This machine has no CUDA driver. In the cases above, the driver may be too old. */
    setenv("FAKE_CUDA_DRIVER", "0", 1);
    setenv("FAKE_CUDA_FAIL", "cudaGetDeviceCount:1=35", 1);
    expect_no_device(f, "no driver", "", ERROR_DEVICE);
    unsetenv("FAKE_CUDA_DRIVER");
    setenv("FAKE_CUDA_DEVICES", "0", 1);
    expect_no_device(f, "no GPU", "", ERROR_DEVICE);
    setenv("FAKE_CUDA_DEVICES", "2", 1);
    expect_no_device(f, "cuda:2 of 2", "2", ERROR_DEVICE);
    expect_no_device(f, "cuda:1 of 1", "1", ERROR_DEVICE);
    static const char *const wrong[] = {"x", "-1", "1024", "0x", " 0", "99999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char name[32];
        snprintf(name, sizeof name, "cuda:%s", wrong[i]);
        expect_no_device(f, name, wrong[i], ERROR_USAGE);
    }
}

/*
 * "auto" searches for a GPU in another process. If it searched in this process, CUDA would remember
 * that there is no GPU, and the steps below would fail (devices/open.c).
 */
static void auto_asks_for_a_gpu_in_another_process(void **state)
{
    (void)state;
    const struct device_driver *driver;
    struct device *d;
    struct text passed_over = {0};
    struct error e = {0};
    setenv("FAKE_CUDA_DEVICES", "0", 1);
    fresh_process();
    must(device_open("auto", NULL, &driver, &d, &passed_over, &e), &e);
    assert_string_equal(driver->name, "sim");
    texts_expect("passed over for auto", passed_over.bytes);
    assert_int_equal(fake_cuda.calls, 0);
    driver->close(d);
    text_free(&passed_over);
    no_faults();
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

/*
 * The kind of error follows from the status. The device is lost if CUDA's header says that the
 * process must end.
 */
static void every_status_has_its_meaning(void **state)
{
    static const struct {
        int status;
        enum error_kind kind;
        bool lost;
    } cases[] = {
        {1, ERROR_LAUNCH, false},   {2, ERROR_MEMORY, false},   {46, ERROR_LAUNCH, true},
        {200, ERROR_LAUNCH, false}, {209, ERROR_LAUNCH, false}, {214, ERROR_LAUNCH, true},
        {220, ERROR_LAUNCH, true},  {222, ERROR_LAUNCH, false}, {226, ERROR_LAUNCH, true},
        {600, ERROR_LAUNCH, false}, {700, ERROR_LAUNCH, true},  {701, ERROR_LAUNCH, false},
        {702, ERROR_LAUNCH, true},  {709, ERROR_LAUNCH, true},  {710, ERROR_LAUNCH, true},
        {714, ERROR_LAUNCH, true},  {715, ERROR_LAUNCH, true},  {716, ERROR_LAUNCH, true},
        {717, ERROR_LAUNCH, true},  {718, ERROR_LAUNCH, true},  {719, ERROR_LAUNCH, true},
        {720, ERROR_LAUNCH, false}, {721, ERROR_LAUNCH, true},  {801, ERROR_UNSUPPORTED, false},
        {810, ERROR_LAUNCH, true},  {911, ERROR_LAUNCH, true},  {999, ERROR_LAUNCH, true},
    };
    setenv("FAKE_CUDA_RUN", "no", 1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char fault[64];
        /* The input generator makes the first call of this function. The second call fails. */
        snprintf(fault, sizeof fault, "cudaStreamSynchronize:2=%d", cases[i].status);
        setenv("FAKE_CUDA_FAIL", fault, 1);
        struct rig *r = open_rig(*state);
        struct launch l = launch_of(r);
        struct trial t = trial_of(r, &l, CACHE_WARM);
        struct error e = {0};
        assert_false(cuda_driver.run(r->device, &t, &e));
        if (e.kind != cases[i].kind || e.device_lost != cases[i].lost)
            fail_msg("status %d: %s, %s: %s", cases[i].status, error_kind_name(e.kind),
                     e.device_lost ? "lost" : "not lost", e.text);
        texts_expect(fault, e.text);
        if (!cases[i].lost) { /* the status is returned only once */
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

/* If a kernel reads from an invalid address, the fake device is lost, as a GPU would be. */
static void a_real_fault_loses_the_device(void **state)
{
    struct rig *r = open_rig(*state);
    struct launch l = launch_of(r);
    struct trial t = trial_of(r, &l, CACHE_WARM);
    double us;
    l.arguments[0].bits += 1ull << 40;
    assert_false(cuda_driver.time(r->device, &t, 1, &us, &r->e));
    assert_true(r->e.device_lost);
    texts_expect("a read where nothing is", r->e.text);
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
    texts_expect("1 GiB of too little memory", r->e.text);
    assert_int_equal(b.address, 0);
    assert_false(cuda_driver.read(r->device, r->input, BYTES, &byte, 1, &r->e));
    texts_expect("a read beyond the buffer", r->e.text);
    assert_false(cuda_driver.read(r->device, r->input, SIZE_MAX, &byte, 2, &r->e));
    assert_int_equal(r->e.kind, ERROR_INTERNAL);
    close_rig(r);
}

static void expect_no_load(struct rig *r, const char *name, struct image *image,
                           enum error_kind kind)
{
    struct module *m = NULL;
    assert_false(cuda_driver.load(r->device, image, &m, NULL, &r->e));
    if (r->e.kind != kind)
        fail_msg("%s error, \"%s\"", error_kind_name(r->e.kind), r->e.text);
    texts_expect(name, r->e.text);
    fake_cuda.misuse[0] = '\0'; /* deliberate misuse */
}

/* Removes the machine-dependent list of searched folders from the message. */
static void name_searched_folders(struct rig *r, struct image *image)
{
    struct module *m = NULL;
    assert_false(cuda_driver.load(r->device, image, &m, NULL, &r->e));
    char *folders = strchr(r->e.text, '/'), *last = folders;
    assert_non_null(folders);
    for (char *at = folders; (at = strstr(at, "/lib64")) != NULL; at++)
        last = at;
    last[strlen("/lib64")] = '\0';
    texts_rename(folders, "$folders");
}

static void images_that_do_not_load_say_why(void **state)
{
    struct rig *r = open_rig(*state);
    struct image image = {.kind = IMAGE_PTX, .entry = "some"};
    expect_no_load(r, "PTX", &image, ERROR_INTERNAL);
    image.kind = IMAGE_CUBIN;
    image.bytes = "nothing";
    expect_no_load(r, "not a cubin", &image, ERROR_LAUNCH);
    image.bytes = ".version 8.0\n.target sm_90\n.address_size 64\n";
    expect_no_load(r, "a cubin without the kernel", &image, ERROR_LAUNCH);
    snprintf(image.library, sizeof image.library, "libnowhere.so");
    name_searched_folders(r, &image);
    expect_no_load(r, "libnowhere.so", &image, ERROR_SYSTEM);
    char path[PATH_MAX];
    beside("fake_nvml.so", path);
    texts_rename(path, "$library");
    /* the library is in this program's folder */
    snprintf(image.library, sizeof image.library, "fake_nvml.so");
    expect_no_load(r, "a library without the function", &image, ERROR_SYSTEM);
    close_rig(r);
}

/* The library made from tests/devices/fake_host_code.c replaces cub. */
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
    texts_expect("host code with 3 arguments", r->e.text);
    l.arguments[2].size = 8;
    add_argument(&l, 0, 8);
    add_argument(&l, 0, 8);
    assert_false(cuda_driver.run(r->device, &t, &r->e));
    texts_expect("host code with a wrong argument", r->e.text);
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
    struct buffer b = {0};
    struct error e = {0};
    const struct input input = {.type = TYPE_INT32, .op = OP_SUM, .n = 16, .seed = 1};
    fresh_process();
    must(cuda_driver.open("", NULL, &d, &e) && cuda_driver.alloc(d, 64, &b, &e), &e);
    assert_false(cuda_driver.generate(d, b, &input, &e));
    texts_expect("generating without a compiler", e.text);
    cuda_driver.free(d, b);
    cuda_driver.close(d);

    struct catalogue none = {0};
    struct device_setup setup = {.compiler = f->compiler, .support = &none};
    must(cuda_driver.open("", &setup, &d, &e) && cuda_driver.alloc(d, 64, &b, &e), &e);
    assert_false(cuda_driver.generate(d, b, &input, &e));
    texts_expect("generating without kernels/support/generate.cu", e.text);
    cuda_driver.free(d, b);
    cuda_driver.close(d);
    assert_int_equal(fake_cuda.live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_device_that_cannot_be_opened_says_why),
        cmocka_unit_test(auto_asks_for_a_gpu_in_another_process),
        cmocka_unit_test(the_second_device_can_be_opened),
        cmocka_unit_test(every_status_has_its_meaning),
        cmocka_unit_test(a_real_fault_loses_the_device),
        cmocka_unit_test(memory_is_refused_with_numbers),
        cmocka_unit_test(images_that_do_not_load_say_why),
        cmocka_unit_test(host_code_runs_in_the_stream),
        cmocka_unit_test(without_a_compiler_nothing_is_generated),
    };
    return cmocka_run_group_tests_name("cuda_errors", tests, open_fixture, close_fixture);
}
