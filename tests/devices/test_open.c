/*
 * Opens devices by name. Checks which device is chosen if there is no GPU, and the message for a
 * wrong name.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <dirent.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "devices/device.h"

/* The expected messages are in tests/texts/devices.txt. */
static void wrong_names_are_refused_by_name(void **state)
{
    (void)state;
    static const char *const names[] = {
        "simm", "tpu", "", "gpu:0", "1", "sim:sms=0", "sim:sms=4,sms=4", "sim:lines=128", "cpu:1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct device_driver *driver;
        struct device *d;
        struct error e = {0};
        assert_false(device_open(names[i], NULL, &driver, &d, NULL, &e));
        if (e.kind != ERROR_USAGE || !strstr(e.text, names[i]))
            fail_msg("%s: %s error: %s", names[i], error_kind_name(e.kind), e.text);
        error_clear(&e);
    }
}

static void names_choose_a_driver(void **state)
{
    (void)state;
    static const char *const names[] = {"sim", "sim:kepler,sms=13", "cpu"};
    static const char *const backends[] = {"sim", "sim", "cpu"};
    for (int i = 0; i < 3; i++) {
        const struct device_driver *driver;
        struct device *d;
        struct error e = {0};
        struct device_info info = {0};
        if (!device_open(names[i], NULL, &driver, &d, NULL, &e))
            fail_msg("%s: %s", names[i], e.text);
        driver->describe(d, &info);
        assert_string_equal(info.backend, backends[i]);
        assert_int_equal(info.limits.sms == 13, i == 1);
        driver->close(d);
    }
}

/* "auto" chooses a GPU if it can be opened, and otherwise the simulator. */
static void some_device_opens_everywhere(void **state)
{
    (void)state;
    const struct device_driver *driver, *wanted = device_drivers[0];
    struct device *d, *gpu;
    struct error e = {0}, none = {0};
    bool has_gpu = wanted->open("", NULL, &gpu, &none);
    if (has_gpu)
        wanted->close(gpu);
    else
        wanted = device_drivers[1];
    struct text passed_over = {0};
    if (!device_open("auto", NULL, &driver, &d, &passed_over, &e))
        fail_msg("%s", e.text);
    assert_ptr_equal(driver, wanted);
    char *advice = strstr(none.text, "; --device sim needs no GPU");
    if (advice) /* The simulator is already chosen, so the message does not advise it. */
        *advice = '\0';
    if (has_gpu) /* If no GPU opens, the message says why. */
        assert_int_equal(passed_over.length, 0);
    else if (strncmp(passed_over.bytes, "cuda: ", 6) != 0 ||
             !strstr(passed_over.bytes, none.text) || strstr(passed_over.bytes, "--device sim"))
        fail_msg("%s", passed_over.bytes);
    text_free(&passed_over);
    driver->close(d);
}

static int open_descriptors(void)
{
    DIR *d = opendir("/proc/self/fd");
    assert_non_null(d);
    int count = 0;
    while (readdir(d))
        count++;
    closedir(d);
    return count;
}

static void looking_for_a_device_leaves_nothing_open(void **state)
{
    (void)state;
    int before = 0;
    for (int i = 0; i < 3; i++) {
        const struct device_driver *driver;
        struct device *d;
        struct error e = {0};
        assert_true(device_open("auto", NULL, &driver, &d, NULL, &e));
        driver->close(d);
        /*
         * During the first call, libraries open files that they keep open, so the test counts open
         * files only after that call.
         */
        if (i == 0)
            before = open_descriptors();
    }
    assert_int_equal(open_descriptors(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_names_are_refused_by_name),
        cmocka_unit_test(names_choose_a_driver),
        cmocka_unit_test(some_device_opens_everywhere),
        cmocka_unit_test(looking_for_a_device_leaves_nothing_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
