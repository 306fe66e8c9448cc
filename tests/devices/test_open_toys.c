/*
 * Checks how a name selects a device, with four toy drivers in place of the real ones: the first
 * finds no device, the second finds one but cannot open it, the third opens one, and the fourth
 * runs host functions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../texts/expected.h"
#include "base/text.h"
#include "devices/device.h"

struct device {
    const char *name;
};

static struct device broken = {"broken"}, whole = {"whole"}, host = {"host"};
static bool whole_opens = true;

static int find_nothing(struct device_found *out, int max, bool *present, char why[512])
{
    (void)out;
    (void)max;
    *present = false;
    snprintf(why, 512, "no card is in its slot");
    return 0;
}

static int find_one(struct device_found *out, int max, bool *present, char why[512])
{
    (void)why;
    *present = true;
    *out = (struct device_found){.argument = "0"};
    return max;
}

static bool open_broken(const char *argument, const struct device_setup *setup, struct device **out,
                        struct error *e)
{
    (void)setup;
    *out = &broken;
    return FAIL(e, ERROR_DEVICE, "its fan stands still%s", argument);
}

static bool open_whole(const char *argument, const struct device_setup *setup, struct device **out,
                       struct error *e)
{
    (void)setup;
    *out = &whole;
    return (whole_opens && !*argument) || FAIL(e, ERROR_DEVICE, "it is asleep");
}

static bool open_host(const char *argument, const struct device_setup *setup, struct device **out,
                      struct error *e)
{
    (void)setup;
    (void)argument;
    *out = &host;
    return FAIL(e, ERROR_DEVICE, "it is busy");
}

static bool list_two(const char *argument, struct text *arguments, struct error *e)
{
    if (strcmp(argument, "all") != 0)
        return FAIL(e, ERROR_USAGE, "'%s' names none", argument);
    text_append_bytes(arguments, "first", 6);
    text_append_bytes(arguments, "2", 2);
    return true;
}

static const struct device_driver nothing = {.name = "nothing",
                                             .called = "card",
                                             .find = find_nothing,
                                             .open = open_broken,
                                             .list = list_two},
                                  found = {.name = "found",
                                           .called = "board",
                                           .find = find_one,
                                           .open = open_broken},
                                  opens = {.name = "opens", .open = open_whole},
                                  runs = {
                                      .name = "runs", .open = open_host, .host_functions = true};

/* replaces drivers.c, which is not linked here */
const struct device_driver *const device_drivers[] = {&nothing, &found, &opens, &runs, NULL};

static void auto_takes_the_first_that_opens_and_says_why_not_the_others(void **state)
{
    (void)state;
    const struct device_driver *driver;
    struct device *d;
    struct text passed_over = {0};
    struct error e = {0};
    assert_true(device_open("auto", NULL, &driver, &d, &passed_over, &e));
    assert_ptr_equal(driver, &opens);
    assert_ptr_equal(d, &whole);
    texts_expect("passed over for auto", passed_over.bytes);
    text_free(&passed_over);
    assert_true(device_open("auto", NULL, &driver, &d, NULL, &e));
}

static void where_none_opens_the_error_has_a_line_for_each(void **state)
{
    (void)state;
    const struct device_driver *driver;
    struct device *d;
    struct error e = {0};
    whole_opens = false;
    bool opened = device_open("auto", NULL, &driver, &d, NULL, &e);
    whole_opens = true;
    assert_false(opened);
    assert_int_equal(e.kind, ERROR_DEVICE);
    texts_expect("none opens for auto", e.text);
}

static void a_name_takes_its_driver_and_hands_on_what_follows(void **state)
{
    (void)state;
    const struct device_driver *driver;
    struct device *d;
    struct error e = {0};
    assert_true(device_open("opens", NULL, &driver, &d, NULL, &e));
    assert_ptr_equal(driver, &opens);
    assert_false(device_open("found:, says the label", NULL, &driver, &d, NULL, &e));
    texts_expect("found:, says the label", e.text);
}

static void told(const char *name)
{
    const struct device_driver *driver;
    struct device *d;
    struct error e = {0};
    assert_false(device_open(name, NULL, &driver, &d, NULL, &e));
    assert_int_equal(e.kind, ERROR_USAGE);
    texts_expect(name, e.text);
}

static void a_wrong_name_is_told_the_one_that_is_meant(void **state)
{
    (void)state;
    told("card");
    told("card:first");
    told("board");
    told("cards");
}

/* Expects that device_list() returns these names, each in brackets. */
static void listed(const char *name, const char *names)
{
    struct text found_names = {0}, shown = {0};
    struct error e = {0};
    if (!device_list(name, &found_names, &e))
        fail_msg("%s: %s", name, e.text);
    for (size_t at = 0; at < found_names.length; at += strlen(found_names.bytes + at) + 1)
        text_append(&shown, "[%s]", found_names.bytes + at);
    assert_string_equal(shown.bytes, names);
    text_free(&found_names);
    text_free(&shown);
}

static void a_name_that_means_several_is_taken_apart(void **state)
{
    (void)state;
    listed("nothing:all", "[nothing:first][nothing:2]");
    listed("nothing", "[nothing]");
    listed("opens:all", "[opens:all]");
    listed("auto", "[auto]");
    struct text names = {0};
    struct error e = {0};
    assert_false(device_list("nothing:some", &names, &e));
    texts_expect("nothing:some", e.text);
    assert_false(device_list("other", &names, &e));
    assert_int_equal(e.kind, ERROR_USAGE);
    assert_int_equal(names.length, 0);
}

static void functions_of_the_host_run_where_a_driver_says_so(void **state)
{
    (void)state;
    const struct device_driver *driver;
    struct device *d;
    struct error e = {0};
    assert_false(device_open_host(NULL, &driver, &d, &e));
    assert_ptr_equal(driver, &runs);
    texts_expect("functions of the host where the device is busy", e.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(auto_takes_the_first_that_opens_and_says_why_not_the_others),
        cmocka_unit_test(where_none_opens_the_error_has_a_line_for_each),
        cmocka_unit_test(a_name_takes_its_driver_and_hands_on_what_follows),
        cmocka_unit_test(a_wrong_name_is_told_the_one_that_is_meant),
        cmocka_unit_test(a_name_that_means_several_is_taken_apart),
        cmocka_unit_test(functions_of_the_host_run_where_a_driver_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
