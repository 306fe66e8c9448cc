/*
 * Checks the CPU device. For every function, type and operation, and for many n, the result must
 * match the reference. Times must grow with the amount of work, and the device must reject wrong
 * requests.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../texts/expected.h"
#include "base/clock.h"
#include "devices/device.h"
#include "plan/shape.h"
#include "compile/compile.h"
#include "plan/plan.h"
#include "spec/kernel.h"

extern const struct device_driver cpu_driver;

static struct catalogue catalogue;
static struct device *device;

static int open_all(void **state)
{
    (void)state;
    static const char *const folder = "kernels/cpu";
    struct error e = {0};
    if (!catalogue_read(&folder, 1, &catalogue, &e) || !cpu_driver.open("", NULL, &device, &e)) {
        fprintf(stderr, "%s\n", e.text);
        return -1;
    }
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    cpu_driver.close(device);
    catalogue_free(&catalogue);
    return 0;
}

static struct module *load(const struct kernel *k, enum element_type type, enum operation op)
{
    struct variant v = {.unroll = 1, .type = (uint8_t)type, .op = (uint8_t)op};
    struct compile_target target = {IMAGE_PTX, 90}; /* a GPU target has no effect */
    struct image image;
    struct module *m = NULL;
    struct error e = {0};
    if (!compile_variant(NULL, k, &v, &target, &image, &e) ||
        !cpu_driver.load(device, &image, &m, NULL, &e))
        fail_msg("%s", e.text);
    assert_int_equal(image.kind, IMAGE_NONE);
    return m;
}

static struct trial make_trial(struct launch *l, const struct input *input, struct buffer in,
                               struct buffer out)
{
    l->grid[0] = l->block[0] = 1;
    l->arguments[0].bits = in.address;
    l->arguments[1].bits = out.address;
    l->arguments[2].bits = input->n;
    l->argument_count = 3;
    return (struct trial){.restore = input, .input = in, .launches = l, .launch_count = 1};
}

static void check_one(const struct kernel *k, struct module *m, const struct input *input)
{
    struct error e = {0};
    struct reference r;
    struct buffer in, out;
    struct launch l = {.module = m};
    struct combination c = {
        .kernel = k, .type = input->type, .n = input->n, .block = 1, .unroll = 1};
    struct shape shape;
    assert_true(shape_evaluate(&c, &shape, NULL, &e));
    assert_int_equal(shape.grid, 1);
    size_t bytes = input->n * element_size(input->type);
    assert_true(cpu_driver.alloc(device, bytes, &in, &e));
    assert_true(cpu_driver.alloc(device, 16, &out, &e));
    assert_true(cpu_driver.fill(device, out, input_poison(input->type, input->op), &e));
    struct trial t = make_trial(&l, input, in, out);
    assert_true(cpu_driver.run(device, &t, &e));
    char host[16], result[RESULT_TEXT], why[256];
    double rel_error;
    assert_true(cpu_driver.read(device, out, 0, host, sizeof host, &e));
    struct work work = {
        .input = input, .n = input->n, .grid = 1, .complete = true, .depth = shape.depth};
    assert_true(k->workload->reference(input, 1, &r, &e));
    if (!k->workload->check(&work, &r, host, 1, result, &rel_error, why))
        fail_msg("%s %s %s n=%d: %s", k->name, element_type_name(input->type),
                 operation_name(input->op), (int)input->n, why);
    /* The function may change only one element. */
    for (size_t i = element_size(input->type); i < sizeof host; i++)
        assert_int_equal((uint8_t)host[i], input_poison(input->type, input->op));
    cpu_driver.free(device, in);
    cpu_driver.free(device, out);
}

static void every_function_is_right(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {1, 2, 3, 5, 31, 32, 33, 1000, 4099, 65537, 1000003, 1 << 22};
    assert_true(catalogue.count >= 2);
    for (int i = 0; i < catalogue.count; i++)
        for (int type = 0; type < TYPE_COUNT; type++)
            for (int op = 0; op < OP_COUNT; op++) {
                if (!kernel_supports(catalogue.kernels[i], (enum element_type)type,
                                     (enum operation)op))
                    continue;
                struct module *m =
                    load(catalogue.kernels[i], (enum element_type)type, (enum operation)op);
                for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                    if (sizes[s] > 1000003 && op != OP_PROD)
                        /*
                         * Only products are tested with the largest size, to check that no
                         * intermediate product, such as that of every second element, overflows.
                         */
                        continue;
                    struct input input = {.type = (enum element_type)type,
                                          .op = (enum operation)op,
                                          .n = sizes[s],
                                          .seed = sizes[s] + 77};
                    check_one(catalogue.kernels[i], m, &input);
                }
                cpu_driver.unload(device, m);
            }
}

/*
 * Checks that a thousand times the work takes longer than the work itself, with cold and warm
 * caches, and that even the smallest work takes some time. Uses the shortest of several times,
 * because an interruption may take longer than the work.
 */
static void times_are_real(void **state)
{
    (void)state;
    struct error e = {0};
    struct module *m = load(catalogue_find(&catalogue, "cpu_recursive"), TYPE_FLOAT64, OP_SUM);
    struct input small = {.type = TYPE_FLOAT64, .op = OP_SUM, .n = 1000, .seed = 1},
                 large = {.type = TYPE_FLOAT64, .op = OP_SUM, .n = 1000000, .seed = 1};
    struct buffer in, out;
    struct launch l[2] = {{.module = m}, {.module = m}};
    assert_true(cpu_driver.alloc(device, large.n * 8, &in, &e));
    assert_true(cpu_driver.alloc(device, 8, &out, &e));
    struct trial trials[4] = {
        make_trial(&l[0], &small, in, out), make_trial(&l[1], &large, in, out),
        make_trial(&l[0], &small, in, out), make_trial(&l[1], &large, in, out)};
    trials[2].cache = trials[3].cache = CACHE_WARM;
    trials[2].restore = trials[3].restore = NULL;
    double us[4], tried[4];
    for (int try = 0; try == 0 || (try < 50 && !(us[1] > us[0] && us[3] > us[2])); try++) {
        assert_true(cpu_driver.time(device, trials, 4, tried, &e));
        for (int i = 0; i < 4; i++)
            us[i] = try == 0 || tried[i] < us[i] ? tried[i] : us[i];
    }
    for (int i = 0; i < 4; i += 2) {
        assert_true(us[i] > 0);
        assert_true(us[i + 1] > us[i]);
    }
    cpu_driver.unload(device, m);
    cpu_driver.free(device, in);
    cpu_driver.free(device, out);
}

static void what_is_not_there_is_refused(void **state)
{
    (void)state;
    struct error e = {0};
    struct device *other;
    assert_false(cpu_driver.open("1", NULL, &other, &e));
    assert_int_equal(e.kind, ERROR_USAGE);
    struct image image = {.entry = "cpu_quantum"};
    struct module *m;
    assert_false(cpu_driver.load(device, &image, &m, NULL, &e));
    assert_int_equal(e.kind, ERROR_UNSUPPORTED);
    texts_expect("a kernel that is not in the program", e.text);
    struct buffer b;
    char host[16];
    assert_true(cpu_driver.alloc(device, 8, &b, &e));
    assert_false(cpu_driver.read(device, b, 4, host, 8, &e));
    cpu_driver.free(device, b);
}

static void it_says_what_it_is(void **state)
{
    (void)state;
    struct device_info info;
    cpu_driver.describe(device, &info);
    assert_string_equal(info.backend, "cpu");
    assert_true(info.can_time && !info.can_count && info.name[0] && info.counters_missing[0]);
    /*
     * The device's limits allow one call of one function. The memory is as large as the system
     * reports.
     */
    assert_true(info.limits.max_block == 1 && info.limits.sms == 1 && info.limits.max_grid_x == 1);
    assert_int_equal(info.memory_bytes,
                     (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE));
    assert_true(info.free_bytes > 0 && info.free_bytes < info.memory_bytes);
}

/*
 * The times of three trials must add up to at most the duration of the call, and to at least a
 * fifth of it.
 */
static void times_are_microseconds(void **state)
{
    (void)state;
    struct error e = {0};
    struct module *m = load(catalogue_find(&catalogue, "cpu_loop"), TYPE_FLOAT64, OP_SUM);
    struct input input = {.type = TYPE_FLOAT64, .op = OP_SUM, .n = 1 << 22, .seed = 1};
    struct buffer in, out;
    assert_true(cpu_driver.alloc(device, input.n * 8, &in, &e));
    assert_true(cpu_driver.alloc(device, 8, &out, &e));
    assert_true(cpu_driver.generate(device, in, &input, &e));
    struct launch l = {.module = m};
    struct trial t = make_trial(&l, &input, in, out);
    t.restore = NULL;
    t.cache = CACHE_WARM;
    struct trial trials[] = {t, t, t};
    double us[3], whole_us = 0, share = 0;
    for (int try = 0; try == 0 || (try < 50 && share < 0.2); try++) {
        double begin = clock_now_s();
        assert_true(cpu_driver.time(device, trials, 3, us, &e));
        whole_us = (clock_now_s() - begin) * 1e6;
        share = (us[0] + us[1] + us[2]) / whole_us;
        assert_true(share <= 1);
    }
    assert_true(share >= 0.2);
    cpu_driver.unload(device, m);
    cpu_driver.free(device, in);
    cpu_driver.free(device, out);
}

static bool all_bytes(struct buffer b, uint8_t byte)
{
    char host[512];
    struct error e = {0};
    assert_true(b.bytes <= sizeof host);
    assert_true(cpu_driver.read(device, b, 0, host, b.bytes, &e));
    for (size_t i = 0; i < b.bytes; i++)
        if ((uint8_t)host[i] != byte)
            return false;
    return true;
}

/*
 * Checks that a trial zeroes the buffers in `zero` before its launches, and makes `launch_count`
 * launches.
 */
static void a_trial_zeroes_what_it_names_and_calls_what_it_counts(void **state)
{
    (void)state;
    struct error e = {0};
    struct module *m = load(catalogue_find(&catalogue, "cpu_loop"), TYPE_INT32, OP_SUM);
    struct input input = {.type = TYPE_INT32, .op = OP_SUM, .n = 1000, .seed = 1};
    struct buffer in, out, b[3];
    assert_true(cpu_driver.alloc(device, 4000, &in, &e) && cpu_driver.alloc(device, 4, &out, &e));
    for (int i = 0; i < 3; i++) {
        assert_true(cpu_driver.alloc(device, 300, &b[i], &e));
        assert_int_equal(b[i].address % 256, 0);
        assert_true(cpu_driver.fill(device, b[i], 0xa5, &e));
    }
    struct launch l[2] = {{.module = m}}; /* the second launch has no usable arguments */
    struct trial t = make_trial(l, &input, in, out);
    t.zero = b[0];
    assert_true(cpu_driver.run(device, &t, &e));
    assert_true(all_bytes(b[0], 0) && all_bytes(b[1], 0xa5));
    t.zero = (struct buffer){0};
    t.zero_output = b[1];
    double us;
    assert_true(cpu_driver.time(device, &t, 1, &us, &e));
    assert_true(all_bytes(b[1], 0) && all_bytes(b[2], 0xa5));
    /* CPU functions have no known number of registers */
    struct image image = {.entry = "cpu_loop", .type = TYPE_INT32, .op = OP_SUM};
    struct module *other;
    struct module_info info = {0};
    assert_true(cpu_driver.load(device, &image, &other, &info, &e));
    assert_int_equal(info.registers, -1);
    cpu_driver.unload(device, other);
    cpu_driver.unload(device, m);
    for (int i = 0; i < 3; i++)
        cpu_driver.free(device, b[i]);
    cpu_driver.free(device, in);
    cpu_driver.free(device, out);
}

/* The device's name is the CPU's in /proc/cpuinfo, trimmed. */
static void its_name_is_that_of_the_processor(void **state)
{
    (void)state;
    struct device_info info;
    char line[256], model[256] = "CPU";
    cpu_driver.describe(device, &info);
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "model name : %255[^\n]", model) == 1)
            break;
    if (f)
        fclose(f);
    assert_string_equal(info.name, model);
}

static void inputs_are_generated_in_place(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    const struct input input = {.type = TYPE_INT32, .op = OP_SUM, .seed = 3, .n = COUNT};
    int32_t expected[COUNT], found[COUNT];
    struct buffer b;
    struct error e = {0};
    input_generate(&input, 0, COUNT, expected);
    assert_true(cpu_driver.alloc(device, sizeof found, &b, &e));
    assert_true(cpu_driver.generate(device, b, &input, &e));
    assert_true(cpu_driver.read(device, b, 0, found, sizeof found, &e));
    assert_memory_equal(found, expected, sizeof found);
    cpu_driver.free(device, b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_is_right),
        cmocka_unit_test(times_are_real),
        cmocka_unit_test(what_is_not_there_is_refused),
        cmocka_unit_test(it_says_what_it_is),
        cmocka_unit_test(times_are_microseconds),
        cmocka_unit_test(a_trial_zeroes_what_it_names_and_calls_what_it_counts),
        cmocka_unit_test(its_name_is_that_of_the_processor),
        cmocka_unit_test(inputs_are_generated_in_place),
    };
    return cmocka_run_group_tests_name("cpu", tests, open_all, close_all);
}
