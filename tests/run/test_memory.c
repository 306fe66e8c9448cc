/* Plans, runs and resumes a sweep of a million points. The parent must use less than 200 MB. */
#include "fixture.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

/* 5 types × 4 operations × 600 sizes × 2 cache states × 45 combinations of the other axes. */
static const char million[] =
    "{\"kernels\": [\"alpha\", \"beta\", \"gamma\"], \"sizes\": {\"range\": [1, 600], \"step\": "
    "1}, "
    "\"blocks\": [32, 64, 128, 256, 512], \"types\": [\"int32\", \"uint32\", \"int64\", "
    "\"float32\", "
    "\"float64\"], \"ops\": [\"sum\", \"max\", \"min\", \"prod\"], \"cache\": [\"cold\", "
    "\"warm\"], "
    "\"scope\": [\"kernel\", \"complete\"], \"metrics\": [], \"timing\": {\"max_samples\": 0}}";
enum { LEAST_POINTS = 1000000, MOST_KB = 200 * 1000, GROWN_BYTES = 1000000 };

struct measured {
    long kilobytes; /* largest resident size */
    uint64_t points, rows;
};

static off_t bytes_of_rows(const struct bed *b)
{
    char file[128];
    struct stat st;
    snprintf(file, sizeof file, "%s/results.csv", b->out);
    return stat(file, &st) == 0 ? st.st_size : 0;
}

/* Runs the parent in a separate process to measure its memory alone. (RUSAGE_SELF does not
 * include the worker, which is the parent's child.) Asks the parent to stop once results.csv has
 * grown by GROWN_BYTES. */
static struct measured run_for_a_while(struct bed *b, bool resume)
{
    int pipes[2], status;
    off_t before = bytes_of_rows(b);
    struct measured m = {0};
    assert_int_equal(pipe(pipes), 0);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        bool ok = resume ? bed_resume(b, "fault:", false) : bed_run(b, "fault:");
        struct rusage usage;
        getrusage(RUSAGE_SELF, &usage);
        m.kilobytes = usage.ru_maxrss;
        m.rows = b->result.rows;
        if (!ok || write(pipes[1], &m, sizeof m) != sizeof m)
            _exit(1);
        _exit(0);
    }
    close(pipes[1]);
    while (bytes_of_rows(b) < before + GROWN_BYTES) {
        assert_int_equal(waitpid(pid, &status, WNOHANG), 0); /* still running */
        usleep(10000);
    }
    kill(pid, SIGTERM);
    assert_int_equal(read(pipes[0], &m, sizeof m), sizeof m);
    close(pipes[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return m;
}

static void a_million_points_fit(void **state)
{
    (void)state;
    struct bed b;
    struct plan *plan;
    bed_open(&b, million);
    if (!plan_build(b.config, &b.kernels, NULL, &plan, &b.e))
        fail_msg("%s", b.e.text);
    uint32_t points = plan->point_count;
    plan_free(plan);
    assert_true(points >= LEAST_POINTS);
    struct measured first = run_for_a_while(&b, false);
    struct measured second = run_for_a_while(&b, true);
    print_message("%u points: %ld kB for %llu rows, %ld kB when gone on with, up to %llu rows\n",
                  points, first.kilobytes, (unsigned long long)first.rows, second.kilobytes,
                  (unsigned long long)second.rows);
    assert_true(first.rows > 0 && second.rows > first.rows);
    assert_true(first.kilobytes < MOST_KB && second.kilobytes < MOST_KB);
    bed_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_million_points_fit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
