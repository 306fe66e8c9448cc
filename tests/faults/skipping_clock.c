/* A clock that advances without making a test wait (see skipping_clock.h). */
#include "skipping_clock.h"

#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define STOP_S 1e5
enum {
    NOTICED_READS = 6, /* more reads of the clock than an iteration of the parent's loop takes */
    NOTICE_US = 500
};

/* Shared by all processes of a test. */
static struct {
    atomic_int hanging; /* the process that hangs, or 0 */
    atomic_int stops;
    atomic_int stopper; /* the process that stops the clock until the others have noticed, or 0 */
    atomic_int reads;   /* how often the others have read the clock since then */
} * shared;

static double skipped_s; /* how much time this process has skipped */

double __real_clock_now_s(void);
double __wrap_clock_now_s(void);
int __real_poll(struct pollfd *fds, nfds_t count, int timeout_ms);
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout_ms);

static __attribute__((constructor)) void share(void)
{
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        abort();
}

/* This function and __wrap_poll() are weak, so that a test may define its own versions. */
__attribute__((weak)) double __wrap_clock_now_s(void)
{
    pid_t stopper = atomic_load(&shared->stopper);
    if (stopper && stopper != getpid())
        atomic_fetch_add(&shared->reads, 1);
    return __real_clock_now_s() + STOP_S * atomic_load(&shared->stops) + skipped_s;
}

__attribute__((weak)) int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
    pid_t hanging = atomic_load(&shared->hanging);
    /* The clock is stopped for longer than any timeout, so the wait may end at once. */
    if (timeout_ms > 0 && atomic_load(&shared->stopper))
        timeout_ms = 1;
    if (timeout_ms <= 0 || !hanging || hanging == getpid() || kill(hanging, 0) != 0)
        return __real_poll(fds, count, timeout_ms);
    int ready = __real_poll(fds, count, 0);
    if (ready == 0)
        skipped_s += timeout_ms * 1e-3;
    return ready;
}

void clock_hang(void)
{
    atomic_store(&shared->hanging, getpid());
}

void clock_stop(void)
{
    atomic_store(&shared->stopper, getpid());
    int enough = atomic_load(&shared->reads) + NOTICED_READS;
    atomic_fetch_add(&shared->stops, 1);
    while (atomic_load(&shared->reads) < enough)
        usleep(NOTICE_US);
    atomic_store(&shared->stopper, 0);
}
