/*
 * A machine that starts no process for the compiler (EAGAIN: too many of the user's): that is no
 * kernel's fault, so no point gets a row, the run stops, and a plain resume measures everything.
 * Where it starts one again a second later, nothing is lost. The program is linked so that fork
 * stands before the C library's (ld --wrap).
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/commands.h"

pid_t __real_fork(void);
pid_t __wrap_fork(void);

static pid_t parent; /* whose own workers start */
static int refusals; /* how many forks a worker is refused */
static char folder[] = "/tmp/redsweep-process-XXXXXX";
static char run[64];

pid_t __wrap_fork(void)
{
    if (getpid() != parent && refusals > 0) {
        refusals--;
        errno = EAGAIN;
        return -1;
    }
    return __real_fork();
}

static int sweep(char *kernel, struct error *e)
{
    char *arguments[] = {"--kernels",  kernel,     "--sizes", "64,128", "--blocks", "64",
                         "--metrics=", "--device", "sim",     "--out",  run,        "--quiet"};
    return command_run(sizeof arguments / sizeof *arguments, arguments, e);
}

/* How many lines results.csv has: one more than rows. */
static size_t lines(void)
{
    char path[96];
    size_t count = 0;
    snprintf(path, sizeof path, "%s/results.csv", run);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    for (int c; (c = fgetc(f)) != EOF;)
        count += c == '\n';
    fclose(f);
    return count;
}

static void a_machine_without_processes_stops_the_run(void **state)
{
    (void)state;
    struct error e = {0};
    snprintf(run, sizeof run, "%s/stopped", folder);
    refusals = 1000;
    assert_int_equal(sweep("interleaved", &e), EXIT_STOPPED);
    assert_non_null(strstr(e.text, "cannot start a process to compile in: "));
    assert_int_equal(lines(), 1);
    refusals = 0;
    char *again[] = {run, "--quiet"};
    assert_int_equal(command_resume(2, again, &e), EXIT_FINE);
    assert_int_equal(lines(), 3);
}

static void a_second_try_is_enough(void **state)
{
    (void)state;
    struct error e = {0};
    snprintf(run, sizeof run, "%s/late", folder);
    refusals = 2; /* at the worker's start, and for the variant */
    assert_int_equal(sweep("neighbored", &e), EXIT_FINE) /* of which the cache has nothing */;
    assert_int_equal(lines(), 3);
}

int main(void)
{
    char command[128], cache[64];
    parent = getpid();
    if (!mkdtemp(folder))
        return 1;
    snprintf(cache, sizeof cache, "%s/cache", folder);
    if (setenv("REDSWEEP_CACHE", cache, 1) != 0)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_machine_without_processes_stops_the_run),
        cmocka_unit_test(a_second_try_is_enough),
    };
    int failed = cmocka_run_group_tests_name("no process", tests, NULL, NULL);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) != 0 || failed;
}
