/* Disturbs runs at 200 random moments by killing the parent or the worker, or by sending a
 * signal that asks the run to stop. The run is resumed until it is complete. It must then have
 * the rows of an undisturbed run, except that points which a killed worker was measuring may
 * have failed. */
#include "fixture.h"
#include "../texts/expected.h"
#include "../table/cells.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

static const char config[] =
    "{\"kernels\": [\"alpha\", \"beta\", \"gamma\"], \"sizes\": [100, 200, 300, 400, 500, 600], "
    "\"blocks\": [32, 64], \"unrolls\": [2], "
    "\"timing\": {\"min_samples\": 3, \"max_samples\": 3, \"warmup\": 0, \"point_limit_s\": 60}}";
enum { POINTS = 36, KILLS = 200 };
static const char device[] = "fault:seed=3,slow=50,only=check";
static double whole_us; /* how long an undisturbed run takes */

static uint64_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Runs or resumes the sweep in a separate process. Exits with 0 if the sweep is complete, 3 if a
 * signal stopped it, 2 if no device could be opened, and 1 if it failed in another way. */
static pid_t start_on(struct bed *b, const char *with, bool resume)
{
    fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        bool ok = resume ? bed_resume(b, with, false) : bed_run(b, with);
        /* The only failure allowed here is a worker that was killed before its device was open. */
        bool opening = !ok && b->e.kind == ERROR_DEVICE;
        if (!ok && !opening && !b->result.stopped)
            printf("%s\n", b->e.text);
        fflush(NULL);
        _exit(b->result.stopped ? 3 : ok ? 0 : opening ? 2 : 1);
    }
    return pid;
}

static pid_t start(struct bed *b, bool resume)
{
    return start_on(b, device, resume);
}

/* Returns the process id of the parent's worker, or 0 if it has none right now. */
static pid_t worker_of(pid_t parent)
{
    char path[64];
    int worker = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", parent, parent);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    if (fscanf(file, "%d", &worker) != 1)
        worker = 0;
    fclose(file);
    return worker;
}

static int end_of(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        assert_int_equal(errno, EINTR);
    return status;
}

static bool exists(const struct bed *b, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", b->out, name);
    return access(path, F_OK) == 0;
}

/* Counts the points that failed because a worker was killed, and puts the expected rows in their
 * place. */
static size_t forgive_killed(const struct table *expected, struct table *actual)
{
    size_t killed = 0;
    int status = table_column(actual, "status"), reason = table_column(actual, "reason");
    for (size_t i = 0; i < actual->row_count; i++) {
        if (strcmp(table_cell(actual, i, status), "crashed") != 0)
            continue;
        assert_non_null(strstr(table_cell(actual, i, reason), "signal 9"));
        killed++;
        for (size_t j = 0; j < expected->row_count; j++)
            if (strcmp(table_cell(expected, j, 0), table_cell(actual, i, 0)) == 0)
                for (int c = 0; c < (int)actual->columns.count; c++)
                    table_set_cell(actual, i, c, table_cell(expected, j, c));
    }
    return killed;
}

struct tally {
    int parents, workers, signals, early, rows_cost;
};

/* Waits for a random time, then disturbs the running sweep once. Returns whether the sweep is
 * complete. */
static bool disturb(pid_t pid, uint64_t *random, struct tally *t)
{
    static const int asking[] = {SIGINT, SIGTERM, SIGHUP};
    usleep((useconds_t)(draw(random) % (uint64_t)whole_us));
    int kind = (int)(draw(random) % 3), status;
    if (kind == 0) {
        pid_t worker = worker_of(pid);
        if (worker && kill(worker, SIGKILL) == 0)
            t->workers++;
        status = end_of(pid);
        assert_true(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 2));
        return WEXITSTATUS(status) == 0;
    }
    int number = kind == 1 ? SIGKILL : asking[draw(random) % 3];
    kill(pid, number);
    status = end_of(pid);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true; /* The sweep was done before the signal. */
    if (kind == 1)
        t->parents++;
    else
        t->signals++;
    if (WIFEXITED(status)) {
        assert_int_equal(WEXITSTATUS(status), 3);
        return false;
    }
    /* Until the sweep has installed its signal handlers, a signal simply kills the process. */
    assert_int_equal(WTERMSIG(status), number);
    return false;
}

static void random_ends_lose_nothing(void **state)
{
    (void)state;
    struct bed undisturbed;
    struct table expected;
    struct tally t = {0};
    uint64_t random = 11;
    bed_open(&undisturbed, config);
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    assert_true(bed_run(&undisturbed, device));
    clock_gettime(CLOCK_MONOTONIC, &end);
    whole_us =
        (double)(end.tv_sec - begin.tv_sec) * 1e6 + (double)(end.tv_nsec - begin.tv_nsec) / 1e3;
    bed_table(&undisturbed, &expected);
    assert_int_equal(expected.row_count, POINTS);
    while (t.parents + t.workers + t.signals < KILLS) {
        struct bed b;
        struct table actual;
        bed_open(&b, config);
        int before = t.workers;
        bool complete = false;
        while (!complete) {
            bool resume = exists(&b, "run.json");
            if (!resume && exists(&b, "")) { /* killed before there was any row */
                char command[256];
                snprintf(command, sizeof command, "rm -r '%s'", b.out);
                assert_int_equal(system(command), 0);
                t.early++;
            }
            complete = disturb(start(&b, resume), &random, &t);
        }
        bed_check_files(&b);
        bed_table(&b, &actual);
        size_t cost = forgive_killed(&expected, &actual);
        if (cost > (size_t)(t.workers - before))
            fail_msg("%d killed workers cost %zu points", t.workers - before, cost);
        t.rows_cost += (int)cost;
        same_rows(&expected, &actual);
        assert_false(exists(&b, ".lock") || exists(&b, "run.json.part") ||
                     exists(&b, "results.json.part"));
        table_free(&actual);
        bed_close(&b);
    }
    print_message("%.0f ms a run; killed: %d parents, %d workers (%d points say so); %d signals; "
                  "%d ends before "
                  "the first row\n",
                  whole_us / 1e3, t.parents, t.workers, t.rows_cost, t.signals, t.early);
    table_free(&expected);
    bed_close(&undisturbed);
}

/* Starts a sweep whose launches wait for release(). */
static pid_t start_held(struct bed *b)
{
    char with[200];
    snprintf(with, sizeof with, "%s,held=%s/held", device, b->base);
    FILE *file = fopen(strstr(with, "held=") + 5, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    pid_t pid = start_on(b, with, false);
    while (!exists(b, "run.json"))
        usleep(1000);
    return pid;
}

static void release(const struct bed *b)
{
    char path[128];
    snprintf(path, sizeof path, "%s/held", b->base);
    assert_int_equal(unlink(path), 0);
}

static void a_second_run_is_refused_while_the_first_one_lives(void **state)
{
    (void)state;
    struct bed b;
    char number[32];
    bed_open(&b, config);
    pid_t pid = start_held(&b);
    assert_false(bed_resume(&b, device, false));
    snprintf(number, sizeof number, "process %d", pid);
    texts_rename(number, "process $pid");
    texts_expect("resuming a run that goes on", b.e.text);
    assert_false(bed_run(&b, device));
    texts_expect("a run into the folder of another one", b.e.text);
    kill(pid, SIGKILL); /* A dead process does not hold the lock. */
    end_of(pid);
    if (!bed_resume(&b, device, false))
        fail_msg("%s", b.e.text);
    assert_int_equal(b.result.rows, POINTS);
    bed_close(&b);
}

/* A run started with nohup survives the closing of its terminal. */
static void an_ignored_hangup_stays_ignored(void **state)
{
    (void)state;
    struct bed b;
    bed_open(&b, config);
    signal(SIGHUP, SIG_IGN);
    pid_t pid = start_held(&b);
    signal(SIGHUP, SIG_DFL);
    kill(pid, SIGHUP);
    release(&b);
    int status = end_of(pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    bed_close(&b);
}

/* If the program that started redsweep ignores SIGCHLD, redsweep waits for its own child
 * processes anyway. */
static void ignored_children_are_waited_for(void **state)
{
    (void)state;
    struct bed b;
    bed_open(&b, config);
    signal(SIGCHLD, SIG_IGN);
    assert_true(bed_run(&b, "fault:seed=3,crash=100,kernel=beta"));
    /* After three crashes, the kernel is given up. */
    assert_int_equal(b.result.by_status[STATUS_CRASHED], 3);
    assert_int_equal(b.result.by_status[STATUS_SKIPPED], 9);
    assert_true(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD); /* no zombies */
    struct sigaction after;
    sigaction(SIGCHLD, NULL, &after);
    assert_true(after.sa_handler == SIG_IGN); /* The handler was restored. */
    signal(SIGCHLD, SIG_DFL);
    bed_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_ends_lose_nothing),
        cmocka_unit_test(a_second_run_is_refused_while_the_first_one_lives),
        cmocka_unit_test(an_ignored_hangup_stays_ignored),
        cmocka_unit_test(ignored_children_are_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
