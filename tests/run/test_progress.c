/*
 * Checks the progress line. When a phase has lasted a second, a terminal shows the line with the
 * remaining time. In short phases and in quiet runs, there is no line.
 */
#include "../texts/expected.h"
#include "run/progress.h"

#include <fcntl.h>
#include <pty.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static int terminal, standard_error;
static char said[4096];

/* Connects stderr to a pseudoterminal, whose other end is `terminal`. */
static int open_terminal(void **state)
{
    (void)state;
    int inner;
    if (openpty(&terminal, &inner, NULL, NULL, NULL) != 0)
        return -1;
    standard_error = dup(STDERR_FILENO);
    return standard_error < 0 || dup2(inner, STDERR_FILENO) < 0 || close(inner) != 0 ||
           fcntl(terminal, F_SETFL, O_NONBLOCK) != 0;
}

static int close_terminal(void **state)
{
    (void)state;
    (void)dup2(standard_error, STDERR_FILENO);
    return close(standard_error) != 0 || close(terminal) != 0;
}

/* Returns what the terminal received since the last call. */
static const char *shown(void)
{
    ssize_t length = read(terminal, said, sizeof said - 1);
    said[length > 0 ? length : 0] = '\0';
    return said;
}

/* The time of the clock, which only the test advances. The linker replaces the program's clock with
 * the function below (ld --wrap). */
static double now_s = 1000;

double __wrap_clock_now_s(void);

double __wrap_clock_now_s(void)
{
    return now_s;
}

static void wait_ms(double ms)
{
    now_s += ms * 1e-3;
}

static struct phase phase_of(enum phase_kind kind, uint64_t done, uint64_t total)
{
    return (struct phase){.kind = (unsigned)kind, .done = done, .total = total};
}

static void a_long_phase_says_what_is_done_and_how_long_it_takes(void **state)
{
    (void)state;
    struct progress p = {0};
    struct phase phase = phase_of(PHASE_REFERENCE, 0, 1000);
    progress_phase(&p, &phase, false);
    phase.done = 400;
    wait_ms(1200);
    progress_phase(&p, &phase, false);
    texts_expect("a long phase", shown());
    /* The next phase gets its own line, not shown before a second has passed. No line remains at
     * the end. */
    phase = phase_of(PHASE_CONTEXTS, 1, 8);
    progress_phase(&p, &phase, false);
    assert_string_equal(shown(), "");
    phase.kind = PHASE_NONE;
    progress_phase(&p, &phase, false);
    progress_clear(&p);
    assert_null(strstr(shown(), "left"));
}

static void a_name_of_others_stays_in_the_line(void **state)
{
    (void)state;
    struct progress p = {0};
    progress_start(&p, "points", 10, false);
    wait_ms(1200);
    progress_show(&p, 5, "k\nredsweep: done\r\x1b]0;t\x07\xc2\x9b");
    texts_expect("a name with control characters", shown());
    assert_null(strchr(said, '\n'));
    progress_clear(&p);
    (void)shown();
}

static void a_short_phase_is_not_shown(void **state)
{
    (void)state;
    struct progress p = {0};
    struct phase phase = phase_of(PHASE_PLAN, 0, 10);
    for (; phase.done < 10; phase.done++) {
        progress_phase(&p, &phase, false);
        wait_ms(20);
    }
    phase.kind = PHASE_NONE;
    progress_phase(&p, &phase, false);
    assert_string_equal(shown(), "");
}

static void a_quiet_run_shows_nothing(void **state)
{
    (void)state;
    struct progress p = {0};
    struct phase phase = phase_of(PHASE_PLAN, 0, 10);
    progress_phase(&p, &phase, true);
    wait_ms(1200);
    phase.done = 5;
    progress_phase(&p, &phase, true);
    assert_string_equal(shown(), "");
}

/* The worker may have damaged the memory that holds the phase. */
static void an_impossible_phase_is_none(void **state)
{
    (void)state;
    struct progress p = {0};
    struct phase phase = {.kind = 12345, .done = UINT64_MAX, .total = 3};
    progress_phase(&p, &phase, false);
    wait_ms(1200);
    progress_phase(&p, &phase, false);
    assert_string_equal(shown(), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_phase_says_what_is_done_and_how_long_it_takes),
        cmocka_unit_test(a_name_of_others_stays_in_the_line),
        cmocka_unit_test(a_short_phase_is_not_shown),
        cmocka_unit_test(a_quiet_run_shows_nothing),
        cmocka_unit_test(an_impossible_phase_is_none),
    };
    return cmocka_run_group_tests_name("progress", tests, open_terminal, close_terminal);
}
