/*
 * The page of a run that goes on: when it is written.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/clock.h"
#include "run/live_page.h"

static int written;

static void count_page(const char *folder)
{
    assert_string_equal(folder, "a/run");
    written++;
}

static struct sweep_result result = {.folder = "a/run"};
static struct plan plan = {.point_count = 10};
static char some_record, some_source;

/* A sweep that measures, with a row that its page does not have. */
static struct sweep make(const struct sweep_options *options, struct sweep_side *side)
{
    side->record = (struct record *)&some_record;
    result.rows = 1;
    written = 0;
    return (struct sweep){.options = options,
                          .result = &result,
                          .plan = &plan,
                          .sides = side,
                          .side_count = 1,
                          .source = (struct source *)&some_source};
}

static void it_is_written_for_new_rows_and_not_too_often(void **state)
{
    (void)state;
    const struct sweep_options options = {.page = count_page};
    struct sweep_side side = {0};
    struct sweep s = make(&options, &side);
    live_page_write(&s);
    assert_int_equal(written, 1);
    assert_true(s.page_due_s > clock_now_s() + 1);
    result.rows = 2;
    live_page_write(&s); /* too soon */
    assert_int_equal(written, 1);
    s.page_due_s = 0;
    live_page_write(&s);
    assert_int_equal(written, 2);
    s.page_due_s = 0;
    live_page_write(&s); /* no new row */
    assert_int_equal(written, 2);
}

static void it_is_not_written_without_a_run_that_has_one(void **state)
{
    (void)state;
    const struct sweep_options options = {.page = count_page}, none = {0};
    struct sweep_side side = {0};
    struct sweep s = make(&none, &side);
    live_page_write(&s); /* --quiet */
    s = make(&options, &side);
    s.side_count = 2; /* a gate */
    live_page_write(&s);
    s = make(&options, &side);
    side.record = NULL; /* not begun */
    live_page_write(&s);
    s = make(&options, &side);
    s.source = NULL;
    live_page_write(&s);
    s = make(&options, &side);
    plan.point_count = 1000000; /* reading them would take seconds */
    live_page_write(&s);
    plan.point_count = 10;
    assert_int_equal(written, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_written_for_new_rows_and_not_too_often),
        cmocka_unit_test(it_is_not_written_without_a_run_that_has_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
