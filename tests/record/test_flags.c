/*
 * Checks the flags of rows as words and as bits. In runs without the column `flags`, the flags are
 * derived from other cells.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "record/flags.h"

static void every_set_of_flags_is_words_and_back(void **state)
{
    (void)state;
    char text[FLAGS_TEXT];
    for (unsigned flags = 0; flags < FLAGS_END; flags++) {
        unsigned back = FLAGS_END;
        assert_true(flags_parse(flags_text(flags, text), &back));
        assert_int_equal(back, flags);
    }
    assert_string_equal(flags_text(FLAG_RACED | FLAG_UNRESOLVED, text), "unresolved raced");
}

static void other_words_are_refused(void **state)
{
    (void)state;
    unsigned flags;
    static const char *const wrong[] = {"race", "racedx", "raced  sampled", " raced", "Raced"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (flags_parse(wrong[i], &flags))
            fail_msg("'%s' is taken", wrong[i]);
}

/* the reasons that redsweep 0.2.0 wrote */
static void cells_of_older_runs_tell_the_flags(void **state)
{
    (void)state;
    static const struct {
        const char *backend, *status, *reason, *stopped_by;
        unsigned flags;
    } rows[] = {
        {"cuda", "ok", "", "width", 0},
        {"cuda", "ok", "", "raced", FLAG_RACED},
        {"cuda", "ok",
         "timed again: the first 7 samples (median 5 us) were taken under thermal; "
         "below the clock's resolution: the median of 0.9 us is less than 32 steps "
         "of the clock (0.03125 us each)",
         "width", FLAG_RETIMED | FLAG_UNRESOLVED},
        {"cuda", "ok",
         "queue slot not verified: times may be too long by the difference between "
         "slots (docs/measuring.md)",
         "samples", FLAG_UNPLACED},
        {"cuda", "skipped",
         "the driver has changed; the kernel was given up: at three points in a row its status was "
         "timeout",
         "", FLAG_GIVEN_UP_TIMEOUT},
        {"cuda", "skipped", "the kernel was given up: at three points in a row its status was ok",
         "", 0},
        {"replay", "ok", "samples drawn from a recorded median and its interval", "raced",
         FLAG_RECALLED | FLAG_RACED},
        {"replay", "ok", "", "width", FLAG_RECALLED},
        {"sim", "sampled", "", "", FLAG_SAMPLED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(
            flags_of_older(rows[i].backend, rows[i].status, rows[i].reason, rows[i].stopped_by),
            rows[i].flags);
}

static void statuses_of_kernels_that_were_given_up(void **state)
{
    (void)state;
    static const enum status statuses[] = {STATUS_LAUNCH_ERROR, STATUS_TIMEOUT, STATUS_CRASHED};
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        unsigned flag = flag_of_given_up(statuses[i]);
        assert_int_not_equal(flag, 0);
        assert_int_equal(flags_given_up(flag | FLAG_RESUMED), statuses[i]);
    }
    assert_int_equal(flags_given_up(FLAG_RESUMED), STATUS_COUNT);
    assert_int_equal(flag_of_given_up(STATUS_OK), 0);
    assert_int_equal(flag_of_given_up(STATUS_WRONG), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_set_of_flags_is_words_and_back),
        cmocka_unit_test(other_words_are_refused),
        cmocka_unit_test(cells_of_older_runs_tell_the_flags),
        cmocka_unit_test(statuses_of_kernels_that_were_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
