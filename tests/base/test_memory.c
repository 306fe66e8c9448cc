/*
 * Limits a process's memory. Checks how much memory the process can map, which memory is counted
 * only when it is used, and how a process ends that exceeds the limit. Each case runs in a separate
 * process.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/memory.h"

#define MIB ((size_t)1 << 20)

static void *map(size_t bytes)
{
    return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                -1, 0);
}

static bool maps(size_t bytes)
{
    void *p = map(bytes);
    return p != MAP_FAILED && munmap(p, bytes) == 0;
}

static void say_nothing(size_t bytes)
{
    (void)bytes;
}

/* Calls `what` in a new process and returns its exit code, which is 0 if `what` returns true. */
static int outcome(bool what(void))
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        memory_set_hook(say_nothing);
        _exit(what() ? 0 : 1);
    }
    assert_true(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
    return WEXITSTATUS(status);
}

static bool maps_what_is_allowed(void)
{
    memory_limit(64 * MIB);
    return maps(48 * MIB) && !maps(80 * MIB) && maps(48 * MIB);
}

static bool asks_for_more(void)
{
    memory_limit(64 * MIB);
    void *kept = malloc(80 * MIB);
    if (kept) /* malloc() may fail here, and xmalloc() must not return. */
        return false;
    return xmalloc(80 * MIB) == NULL;
}

static bool has_no_limit_any_more(void)
{
    memory_limit(64 * MIB);
    memory_limit_end();
    return maps(256 * MIB);
}

static bool spares(void)
{
    memory_limit(64 * MIB);
    memory_limit_spare(256 * MIB);
    void *lazy = map(256 * MIB);
    if (lazy == MAP_FAILED || !maps(48 * MIB) || maps(80 * MIB))
        return false;
    /* 40 MiB of the mapped memory are in use, so 24 of the 64 MiB are left. */
    memory_limit_count(40 * MIB);
    if (!maps(16 * MIB) || maps(32 * MIB))
        return false;
    munmap(lazy, 256 * MIB);
    memory_limit_count(216 * MIB);
    return maps(48 * MIB) && !maps(80 * MIB);
}

static bool uses_more_than_allowed(void)
{
    memory_limit(64 * MIB);
    memory_limit_spare(256 * MIB);
    if (map(256 * MIB) == MAP_FAILED)
        return false;
    memory_limit_count(80 * MIB);
    return true;
}

static bool counts_without_a_limit(void)
{
    memory_limit_spare(256 * MIB);
    memory_limit_count(256 * MIB);
    return maps(256 * MIB);
}

static void a_limit_holds(void **state)
{
    (void)state;
    assert_int_equal(outcome(maps_what_is_allowed), 0);
    assert_int_equal(outcome(asks_for_more), EXIT_OUT_OF_MEMORY);
    assert_int_equal(outcome(has_no_limit_any_more), 0);
}

static void spared_memory_counts_when_it_is_used(void **state)
{
    (void)state;
    assert_int_equal(outcome(spares), 0);
    assert_int_equal(outcome(uses_more_than_allowed), EXIT_OUT_OF_MEMORY);
    assert_int_equal(outcome(counts_without_a_limit), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_limit_holds),
        cmocka_unit_test(spared_memory_counts_when_it_is_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
