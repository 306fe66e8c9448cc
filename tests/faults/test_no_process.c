/* The machine refuses to start a process for the compiler, or one that would replace a lost worker
 * (EAGAIN, because the user has too many processes). No kernel is at fault, so no point gets a row,
 * and the run stops. `redsweep resume` without options must then measure all points. If the machine
 * can start processes again a little later, nothing is lost. The linker replaces the C library's
 * fork() with the one below (ld --wrap). */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "../texts/expected.h"
#include "cli/commands.h"

pid_t __real_fork(void);
pid_t __wrap_fork(void);

/* Shared with the workers. */
static struct {
    /* the number of workers that exit after the last refused fork(), instead of starting a
     * process */
    int deaths;
    int workers_refused; /* how many workers the machine refuses to start after that */
} * shared;

static pid_t parent;
static int refusals; /* how many of a worker's forks are refused */
static char folder[] = "/tmp/redsweep-process-XXXXXX";
static char run[64];

pid_t __wrap_fork(void)
{
    bool own = getpid() == parent;
    int *left = own ? &shared->workers_refused : &refusals;
    if (!own && refusals == 0 && shared->deaths > 0) {
        shared->deaths--;
        _exit(3);
    }
    if (*left > 0 && (!own || shared->deaths == 0)) {
        --*left;
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

/* Returns how many lines results.csv has, which is one more than the number of rows. */
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
    texts_expect("a run without processes", e.text);
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
    refusals = 2; /* One fork is refused at the worker's start, and one for the variant. */
    assert_int_equal(sweep("neighbored", &e), EXIT_FINE) /* the cache has no code for it */;
    assert_int_equal(lines(), 3);
}

/* A worker that compiles exits, and then the machine refuses five times to start a new one. That
 * is more often than a run may lose a device before it stops. */
static void a_worker_is_started_later(void **state)
{
    (void)state;
    struct error e = {0};
    snprintf(run, sizeof run, "%s/worker", folder);
    refusals = 1; /* the fork at the worker's start is refused */
    shared->deaths = 1;
    shared->workers_refused = 5;
    int code = sweep("unroll", &e);
    assert_string_equal(e.text, "");
    assert_int_equal(code, EXIT_FINE);
    assert_int_equal(shared->deaths, 0);
    assert_int_equal(shared->workers_refused, 0);
    assert_true(lines() > 2);
}

/* Points that another program requests are compiled when their batch is measured. If no process can
 * be started for the compiler, they must not get rows that blame them. */
static void a_batch_is_not_blamed(void **state)
{
    (void)state;
    static const char asked[] = "kernel,n,block\nneighbored_less,64,64\n";
    int ends[2], before = dup(STDIN_FILENO);
    struct error e = {0};
    char *arguments[] = {"--kernels", "neighbored_less", "--sizes",  "64",  "--blocks",
                         "64",        "--metrics=",      "--device", "sim", "--out",
                         run,         "--quiet",         "--points", "-"};
    snprintf(run, sizeof run, "%s/asked", folder);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], asked, sizeof asked - 1), sizeof asked - 1);
    close(ends[1]);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    close(ends[0]);
    refusals = 1000;
    assert_int_equal(command_run(sizeof arguments / sizeof *arguments, arguments, &e),
                     EXIT_STOPPED);
    refusals = 0;
    assert_int_equal(dup2(before, STDIN_FILENO), STDIN_FILENO);
    close(before);
    texts_expect("points that are asked for", e.text);
    assert_int_equal(lines(), 1);
}

int main(void)
{
    char command[128], cache[64];
    parent = getpid();
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED || !mkdtemp(folder))
        return 1;
    snprintf(cache, sizeof cache, "%s/cache", folder);
    if (setenv("REDSWEEP_CACHE", cache, 1) != 0)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_machine_without_processes_stops_the_run),
        cmocka_unit_test(a_second_try_is_enough),
        cmocka_unit_test(a_worker_is_started_later),
        cmocka_unit_test(a_batch_is_not_blamed),
    };
    int failed = cmocka_run_group_tests_name("no process", tests, NULL, NULL);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) != 0 || failed;
}
