/*
 * Compares runs with many rows. A diff's time and memory must grow no faster than the number of
 * rows, and the memory per row must stay below a limit.
 */
#include <sys/resource.h>
#include <sys/wait.h>

#include "planned.h"

enum { FEW = 20000, MANY = 80000 };

struct cost {
    long kilobytes;
    double seconds;
};

/* All times in the run differ. `step` is added to each time. */
static const char *write_run(const char *folder, int rows, double step)
{
    struct text csv = {0};
    text_append(&csv, HEADER);
    for (int i = 0; i < rows; i++) {
        double time = 10 + step + 1e-6 * (double)(i * 7919 % 1000003);
        text_append(
            &csv,
            "%016x,cuda,D,k%d,int32,sum,%d,%d,1,%d,cold,kernel,ok,,%.15g,%.15g,%.15g,,,%d,,%u\n", i,
            i % 5, 1000 + i / 40, 32 << i % 40 / 5, i, time, time * 0.999, time * 1.001, i,
            (unsigned)i * 2654435761u);
    }
    const char *path = put(folder, "results.csv", csv.bytes);
    text_free(&csv);
    return path;
}

static void compare_runs(const char *a, const char *b)
{
    struct results runs[] = {read_run(a), read_run(b)};
    struct diff d;
    compare(&runs[0], &runs[1], &d);
    struct view v = {0};
    diff_view(&d, false, NULL, &v);
    FILE *nowhere = fopen("/dev/null", "w");
    assert_non_null(nowhere);
    view_write_text(&v, NULL, nowhere);
    assert_int_equal(fclose(nowhere), 0);
    assert_int_equal(d.match.pairs.count, runs[0].rows.row_count);
    view_free(&v);
    diff_free(&d);
    results_free(&runs[0]);
    results_free(&runs[1]);
}

/* Measures a diff in a separate process, so that earlier diffs' memory does not count. */
static struct cost cost_of(const char *a, const char *b)
{
    int status;
    struct rusage usage;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        compare_runs(a, b);
        _exit(0);
    }
    assert_true(pid > 0);
    assert_int_equal(wait4(pid, &status, 0, &usage), pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return (struct cost){usage.ru_maxrss,
                         (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec};
}

static void a_diff_grows_as_its_rows_do(void **state)
{
    (void)state;
    const char *few_a = write_run("few-a", FEW, 0), *few_b = write_run("few-b", FEW, 0.01);
    const char *many_a = write_run("many-a", MANY, 0), *many_b = write_run("many-b", MANY, 0.01);
    struct cost few = cost_of(few_a, few_b), many = cost_of(many_a, many_b);
    /* Other programs disturb the measurement, so this takes the shortest of up to ten tries. */
    for (int tries = 1; tries < 10 && many.seconds >= 8 * few.seconds; tries++) {
        struct cost again = cost_of(many_a, many_b);
        many.seconds = again.seconds < many.seconds ? again.seconds : many.seconds;
    }
    double bytes = 1024.0 * (double)(many.kilobytes - few.kilobytes) / (MANY - FEW);
    print_message("%d rows: %.2f s, %ld kB; %d rows: %.2f s, %ld kB; %.0f bytes for each more\n",
                  FEW, few.seconds, few.kilobytes, MANY, many.seconds, many.kilobytes, bytes);
    /* Each of the two runs stores a row in 8 bytes per number and 4 bytes per string. Each row
     * has two strings of its own. */
    assert_true(bytes < 800);
    /* The second diff has 4 times as many rows. With quadratic growth, it would take 16 times as
     * long. */
    assert_true(many.seconds < 8 * few.seconds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_diff_grows_as_its_rows_do)};
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
