/*
 * Checks that the parent's loop over lanes never waits for a worker: not for one that does not read
 * its request, not for one that has closed its pipe and ends slowly, and not for one that was
 * killed but still exists. Also checks a driver that hangs while it lists devices. The program is
 * linked so that waitpid() and device_list() below replace the original functions (ld --wrap).
 */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "../faults/skipping_clock.h"
#include "../texts/expected.h"
#include "run/device_names.h"
#include "run/supervisor.h"

/* Even on a busy machine, calls that do not block take less than this. Blocking calls would take
 * at least 0.1 s. */
#define AT_ONCE_S 0.05

pid_t __real_waitpid(pid_t pid, int *status, int options);
pid_t __wrap_waitpid(pid_t pid, int *status, int options);
bool __wrap_device_list(const char *option, struct text *names, struct error *e);

static bool held;   /* whether killed processes linger */
static int waiting; /* number of calls that wait for a process to exit */

pid_t __wrap_waitpid(pid_t pid, int *status, int options)
{
    waiting += !(options & WNOHANG);
    return held ? 0 : __real_waitpid(pid, status, options);
}

static _Noreturn void pause_for_ever(void)
{
    for (;;)
        pause();
}

bool __wrap_device_list(const char *option, struct text *names, struct error *e)
{
    (void)option;
    (void)names;
    (void)e;
    pause_for_ever();
}

static struct supervisor s;

/* Starts a worker that exits with the function's result. */
static void begin(int (*work)(int in, int out))
{
    int down[2], up[2];
    assert_int_equal(pipe(down), 0);
    assert_int_equal(pipe(up), 0);
    pid_t pid = fork();
    if (pid == 0) {
        close(down[1]);
        close(up[0]);
        _exit(work(down[0], up[1]));
    }
    close(down[0]);
    close(up[1]);
    assert_int_equal(fcntl(down[1], F_SETFL, O_NONBLOCK), 0);
    s = (struct supervisor){.worker = pid, .to_worker = down[1], .from_worker = up[0]};
    waiting = 0;
}

/* Calls the supervisor until it has an answer from the worker, and returns the answer. None of the
 * calls may wait for the worker. */
static enum received hear(struct message *m)
{
    enum received received;
    do {
        double began = clock_now_s();
        received = supervisor_receive(&s, m);
        assert_true(clock_now_s() - began < AT_ONCE_S);
        usleep(1000);
    } while (received == RECEIVED_TIMEOUT || received == RECEIVED_INTERRUPT);
    assert_int_equal(waiting, 0);
    return received;
}

enum { REQUEST_BYTES = 1 << 20 }; /* more than a pipe holds */

/* The worker is slow to read its request. It answers only if the request is complete. */
static int read_late(int in, int out)
{
    struct message m;
    usleep(300 * 1000);
    if (message_receive(in, -1, &m) != RECEIVED_MESSAGE || m.length != REQUEST_BYTES)
        return 1;
    for (uint32_t i = 0; i < REQUEST_BYTES; i++)
        if (m.payload[i] != (char)(i * 7))
            return 1;
    return !message_send(out, MESSAGE_COMPILED, NULL, 0, NULL);
}

static void a_request_that_is_not_read_blocks_nobody(void **state)
{
    (void)state;
    static char bytes[REQUEST_BYTES];
    struct message m;
    struct pollfd fds[2];
    for (uint32_t i = 0; i < REQUEST_BYTES; i++)
        bytes[i] = (char)(i * 7);
    begin(read_late);
    double began = clock_now_s();
    supervisor_request(&s, MESSAGE_COMPILE, bytes, sizeof bytes);
    assert_true(clock_now_s() - began < AT_ONCE_S);
    (void)supervisor_waits(&s, fds);
    assert_int_equal(fds[1].fd, s.to_worker);
    assert_int_equal(hear(&m), RECEIVED_MESSAGE);
    assert_int_equal(m.type, MESSAGE_COMPILED);
    message_free(&m);
    (void)supervisor_waits(&s, fds);
    assert_int_equal(fds[1].fd, -1);
    supervisor_stop(&s);
}

static int never_read(int in, int out)
{
    (void)in;
    (void)out;
    pause_for_ever();
}

static int never_end(int in, int out)
{
    close(in);
    close(out);
    pause_for_ever();
}

static int end_late(int in, int out)
{
    close(in);
    close(out);
    usleep(30 * 1000);
    return 7;
}

static int end_by_signal(int in, int out)
{
    (void)in;
    (void)out;
    return raise(SIGKILL);
}

static void a_worker_may_end_slowly(void **state)
{
    (void)state;
    struct message m;
    begin(end_late);
    assert_int_equal(hear(&m), RECEIVED_END);
    supervisor_kill(&s);
    texts_expect("a worker that ends with 7", s.end.how);
    begin(end_by_signal);
    assert_int_equal(hear(&m), RECEIVED_END);
    supervisor_kill(&s);
    texts_expect("a worker that signal 9 ends", s.end.how);
    begin(never_end);
    assert_int_equal(hear(&m), RECEIVED_END);
    supervisor_kill(&s);
    assert_string_equal(s.end.how, "");
    supervisor_stop(&s);
}

/* The killed worker still exists, as if a driver held it in a system call. */
static void a_killed_worker_is_not_waited_for(void **state)
{
    (void)state;
    begin(never_read);
    pid_t worker = s.worker;
    supervisor_kill(&s);
    assert_int_equal(waiting, 0);
    assert_int_equal(s.worker, 0);
    held = true;
    assert_false(supervisor_gone(&s));
    held = false;
    while (!supervisor_gone(&s))
        usleep(1000);
    assert_int_equal(waiting, 0);
    assert_int_equal(kill(worker, 0), -1);
}

/* The process that lists devices is killed after two minutes. */
static void a_driver_that_hangs_is_given_up(void **state)
{
    (void)state;
    struct device_names names;
    struct error e = {0};
    pid_t hanging = fork();
    if (hanging == 0) {
        clock_hang();
        pause_for_ever();
    }
    usleep(50 * 1000);
    assert_false(device_names_find("all", &names, &e));
    texts_expect("devices that cannot be listed", e.text);
    device_names_free(&names);
    assert_int_equal(kill(hanging, SIGKILL), 0);
    assert_int_equal(__real_waitpid(hanging, NULL, 0), hanging);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_that_is_not_read_blocks_nobody),
        cmocka_unit_test(a_worker_may_end_slowly),
        cmocka_unit_test(a_killed_worker_is_not_waited_for),
        cmocka_unit_test(a_driver_that_hangs_is_given_up),
    };
    (void)signal(SIGPIPE, SIG_IGN); /* a run ignores this signal, too */
    return cmocka_run_group_tests_name("supervisor", tests, NULL, NULL);
}
