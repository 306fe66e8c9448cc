/* Checks when the page of a run in progress is written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/clock.h"
#include "run/live_page.h"

/* Shared with the processes that write pages. */
static struct {
    int count, firsts;
    bool fails, hangs;
} * written;

static bool count_page(const char *folder, bool first)
{
    if (written->hangs)
        sleep(60);
    if (written->fails || strcmp(folder, "a/run") != 0)
        return false;
    written->count++;
    written->firsts += first;
    return true;
}

static struct sweep_result result = {.folder = "a/run"};
static struct plan plan = {.point_count = 10};
static char some_record, some_source;

/* Returns a sweep in progress, with one row that its page lacks. */
static struct sweep make(const struct sweep_options *options, struct sweep_side *side)
{
    side->record = (struct record *)&some_record;
    result.rows = 1;
    memset(written, 0, sizeof *written);
    result.page_written = false;
    return (struct sweep){.options = options,
                          .result = &result,
                          .plan = &plan,
                          .sides = side,
                          .side_count = 1,
                          .source = (struct source *)&some_source};
}

/* Starts writing a page if one is due, and waits for it. */
static void write_now(struct sweep *s)
{
    live_page_write(s);
    live_page_end(s);
}

static void it_is_written_for_new_rows_and_not_too_often(void **state)
{
    (void)state;
    const struct sweep_options options = {.page = count_page};
    struct sweep_side side = {0};
    struct sweep s = make(&options, &side);
    write_now(&s);
    assert_int_equal(written->count, 1);
    assert_true(result.page_written && s.page.due_s > clock_now_s() + 1);
    result.rows = 2;
    write_now(&s); /* too soon after the last page */
    assert_int_equal(written->count, 1);
    s.page.due_s = 0;
    write_now(&s);
    assert_int_equal(written->count, 2);
    assert_int_equal(written->firsts, 1);
    s.page.due_s = 0;
    write_now(&s); /* no new row */
    assert_int_equal(written->count, 2);
}

/* While a page is being written, the parent's loop goes on and starts no other page. */
static void nothing_waits_for_it(void **state)
{
    (void)state;
    const struct sweep_options options = {.page = count_page};
    struct sweep_side side = {0};
    struct sweep s = make(&options, &side);
    written->hangs = true;
    double since_s = clock_now_s();
    live_page_write(&s);
    pid_t process = s.page.process;
    result.rows = 2;
    s.page.due_s = 0;
    live_page_write(&s);
    assert_true(clock_now_s() - since_s < 30 && process > 0 && s.page.process == process);
    kill(process, SIGKILL);
    live_page_end(&s);
    assert_true(s.page.failed && !result.page_written);
}

static void after_one_that_failed_no_other_is_tried(void **state)
{
    (void)state;
    const struct sweep_options options = {.page = count_page};
    struct sweep_side side = {0};
    struct sweep s = make(&options, &side);
    written->fails = true;
    write_now(&s);
    written->fails = false;
    result.rows = 2;
    s.page.due_s = 0;
    write_now(&s);
    assert_int_equal(written->count, 0);
}

static void it_is_not_written_without_a_run_that_has_one(void **state)
{
    (void)state;
    const struct sweep_options options = {.page = count_page}, none = {0};
    struct sweep_side side = {0};
    struct sweep s = make(&none, &side);
    write_now(&s); /* without a function that writes pages, as with --quiet */
    s = make(&options, &side);
    s.side_count = 2; /* a gate has two sides */
    write_now(&s);
    s = make(&options, &side);
    side.record = NULL; /* the run has not begun */
    write_now(&s);
    s = make(&options, &side);
    s.source = NULL;
    write_now(&s);
    s = make(&options, &side);
    plan.point_count = 1000000; /* Reading that many rows would take seconds. */
    write_now(&s);
    plan.point_count = 10;
    assert_int_equal(written->count, 0);
}

int main(void)
{
    written =
        mmap(NULL, sizeof *written, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (written == MAP_FAILED)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_waits_for_it),
        cmocka_unit_test(after_one_that_failed_no_other_is_tried),
        cmocka_unit_test(it_is_written_for_new_rows_and_not_too_often),
        cmocka_unit_test(it_is_not_written_without_a_run_that_has_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
