/* Runs a sweep in which each of several devices measures all points, in step with the other
 * devices. If one device is lost, the others go on. */
#include "fixture.h"
#include "../texts/expected.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const char config[] =
    "{\"kernels\": [\"alpha\", \"beta\", \"gamma\"], \"sizes\": [100, 200, 300, 400], "
    "\"blocks\": [32, 64], \"unrolls\": [2], "
    "\"timing\": {\"min_samples\": 3, \"max_samples\": 3, \"warmup\": 0, \"point_limit_s\": 20}}";
enum { POINTS = 24 };

static struct bed bed;
static struct sweep_result results[3]; /* too large for the stack */

static int set_up(void **state)
{
    (void)state;
    bed_open(&bed, config);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    bed_close(&bed);
    return 0;
}

/* Returns the number of rows in the run OUT/NAME, or 0 if there is no such run. */
static size_t rows_of(const char *name)
{
    char path[128];
    struct table t;
    struct error e;
    snprintf(path, sizeof path, "%s/%s/results.csv", bed.out, name);
    if (access(path, F_OK) != 0 || !table_read(path, &t, &e))
        return 0;
    size_t rows = t.row_count;
    table_free(&t);
    return rows;
}

static void is_whole(const struct sweep_result *r, const char *name)
{
    if (r->error.kind != ERROR_NONE || r->stopped)
        fail_msg("%s: %s%s", name, r->error.text, r->stopped_why);
    assert_true(r->recorded);
    assert_int_equal(r->rows, POINTS);
    assert_int_equal(rows_of(name), POINTS);
}

static void each_device_measures_every_point(void **state)
{
    (void)state;
    char path[128];
    struct table first, other;
    struct error e;
    bed_run_each(&bed, "fault:uuid=A|fault:uuid=B|fault:nocount", results);
    is_whole(&results[0], "A");
    is_whole(&results[1], "B");
    is_whole(&results[2], "device-2"); /* a device without a UUID is named by its number */
    snprintf(path, sizeof path, "%s/A/results.csv", bed.out);
    assert_true(table_read(path, &first, &e));
    snprintf(path, sizeof path, "%s/B/results.csv", bed.out);
    assert_true(table_read(path, &other, &e));
    same_rows(&first, &other);
    table_free(&first);
    table_free(&other);
}

static void a_device_that_does_not_open_ends_no_other_run(void **state)
{
    (void)state;
    bed_run_each(&bed, "fault:uuid=A|fault:nonsense|fault:uuid=C", results);
    is_whole(&results[0], "A");
    texts_expect("fault:nonsense", results[1].error.text);
    assert_false(results[1].recorded);
    is_whole(&results[2], "C");
}

static void a_folder_that_cannot_be_made_ends_no_other_run(void **state)
{
    (void)state;
    bed_run_each(&bed, "fault:uuid=A|fault:uuid=A|fault:uuid=C", results);
    is_whole(&results[0], "A");
    texts_expect("two devices of one UUID", results[1].error.text);
    assert_false(results[1].recorded);
    is_whole(&results[2], "C");
}

/* A device that is lost at every launch is given up. Its rows are kept. */
static void a_device_that_is_lost_stops_its_own_run(void **state)
{
    (void)state;
    bed_run_each(&bed, "fault:lost=100,uuid=A|fault:uuid=B|fault:crash=100,uuid=C", results);
    assert_true(results[0].stopped && results[2].stopped);
    assert_int_equal(results[0].error.kind, ERROR_NONE);
    assert_int_equal(results[0].by_status[STATUS_LAUNCH_ERROR], rows_of("A"));
    assert_int_equal(results[2].by_status[STATUS_CRASHED], rows_of("C"));
    assert_true(rows_of("A") > 0 && rows_of("A") < POINTS);
    is_whole(&results[1], "B");
}

/* Devices measure their ceilings first. None of them starts on its points before all ceilings have
 * been measured, so a device whose launches wait holds up the other one. */
static void no_device_measures_while_one_is_at_its_ceilings(void **state)
{
    (void)state;
    char held[96], devices[256], folder[128];
    snprintf(held, sizeof held, "%s/held", bed.base);
    snprintf(devices, sizeof devices, "fault:uuid=A,held=%s|fault:uuid=B", held);
    snprintf(folder, sizeof folder, "%s/B/run.json", bed.out);
    fclose(fopen(held, "w"));
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        bed_run_each(&bed, devices, results);
        _exit(results[0].rows == POINTS && results[1].rows == POINTS ? 0 : 1);
    }
    while (access(folder, F_OK) != 0 && waitpid(pid, NULL, WNOHANG) == 0)
        usleep(1000);
    usleep(300000); /* Without waiting, B would be done by now. */
    assert_int_equal(rows_of("B"), 0);
    assert_int_equal(unlink(held), 0);
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    assert_int_equal(rows_of("B"), POINTS);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_device_measures_every_point),
        TEST(a_device_that_does_not_open_ends_no_other_run),
        TEST(a_folder_that_cannot_be_made_ends_no_other_run),
        TEST(a_device_that_is_lost_stops_its_own_run),
        TEST(no_device_measures_while_one_is_at_its_ceilings),
    };
    return cmocka_run_group_tests_name("each", tests, NULL, NULL);
}
