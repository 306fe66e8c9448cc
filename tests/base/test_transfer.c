/*
 * Reads and writes a given number of bytes, which may arrive in parts. If the deadline passes
 * first, data that has arrived is not lost.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../faults/skipping_clock.h"
#include "base/awake.h"
#include "base/clock.h"
#include "base/transfer.h"

static void parts_become_a_whole(void **state)
{
    (void)state;
    int ends[2];
    char got[4096 * 3];
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        char part[4096];
        for (int i = 0; i < 3; i++) {
            memset(part, 'a' + i, sizeof part);
            usleep(20000);
            if (!write_exactly(ends[1], part, sizeof part, NO_DEADLINE))
                _exit(1);
        }
        _exit(0);
    }
    assert_true(read_exactly(ends[0], got, sizeof got, awake_now_s() + 30));
    for (int i = 0; i < 3; i++)
        assert_int_equal(got[i * 4096 + 4095], 'a' + i);
    close(ends[0]);
    close(ends[1]);
}

static void a_read_ends_at_its_deadline(void **state)
{
    (void)state;
    int ends[2];
    char got[4];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "ab", 2), 2);
    double begin = clock_now_s();
    assert_false(read_exactly(ends[0], got, 4, awake_now_s() + 0.05));
    assert_int_equal(errno, ETIMEDOUT);
    assert_true(clock_now_s() - begin >= 0.05);
    assert_int_equal(write(ends[1], "cd", 2), 2);
    /* The deadline has passed, but all bytes are there, so the call succeeds. */
    assert_true(read_exactly(ends[0], got, 2, awake_now_s()));
    assert_memory_equal(got, "cd", 2);
    close(ends[1]);
    assert_false(read_exactly(ends[0], got, 1, NO_DEADLINE)); /* The other end is closed. */
    close(ends[0]);
}

/* If both processes are stopped together (Ctrl-Z), the deadline moves by as long as they were
 * stopped. */
static void a_stop_does_not_bring_the_deadline(void **state)
{
    (void)state;
    int ends[2];
    char got[2];
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        clock_stop();
        _exit(write(ends[1], "ab", 2) == 2 ? 0 : 1);
    }
    assert_true(read_exactly(ends[0], got, 2, awake_now_s() + 30));
    assert_memory_equal(got, "ab", 2);
    close(ends[0]);
    close(ends[1]);
}

static void a_write_ends_at_its_deadline(void **state)
{
    (void)state;
    int ends[2];
    static char much[1 << 20];
    assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
    assert_false(write_exactly(ends[1], much, sizeof much, awake_now_s() + 0.05));
    assert_int_equal(errno, ETIMEDOUT);
    while (read(ends[0], much, sizeof much) > 0)
        ;
    assert_true(write_exactly(ends[1], much, 100, awake_now_s() + 0.05));
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_become_a_whole),
        cmocka_unit_test(a_read_ends_at_its_deadline),
        cmocka_unit_test(a_stop_does_not_bring_the_deadline),
        cmocka_unit_test(a_write_ends_at_its_deadline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
