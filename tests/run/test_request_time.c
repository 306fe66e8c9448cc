/*
 * Checks how the remaining time is estimated within a request, from the worker's reports, even if
 * the last points of the request take less time than the first ones. Also checks the estimate of a
 * resumed run, which is based on the recorded times.
 */
#include "run/request_time.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run/rows.h"

enum { GROUP_POINTS = 32, GROUPS = 6, POINTS = GROUP_POINTS * GROUPS };

/* The time of the clock, which only the test advances. The linker replaces the program's clock with
 * the function below (ld --wrap). */
static double now_s;

double __wrap_clock_now_s(void);

double __wrap_clock_now_s(void)
{
    return now_s;
}

static struct kernel kernel;
static struct kernel *kernels[] = {&kernel};
static struct catalogue catalogue = {.kernels = kernels, .count = 1};
static struct config config;
static struct point points[POINTS];
static struct plan plan = {
    .config = &config, .catalogue = &catalogue, .points = points, .point_count = POINTS};
static struct row_times rows[POINTS];
static struct conditions sessions[2];
static struct sweep_side side;
static struct lane lane;
static const struct sweep_options options = {.setup = {.config = &config}};
static struct sweep sweep;

/* Begins a run of groups in which n doubles from group to group. An earlier session recorded the
 * first `recorded` groups, which took `took`. On this device, counting takes no longer than
 * running. */
static void begin_after(int recorded, struct phase_times took)
{
    memset(&lane, 0, sizeof lane);
    lane.supervisor.hello.info.estimate_gbs = 1;
    lane.supervisor.hello.info.count_is_run = true;
    lane.sweep = &sweep;
    for (int i = 0; i < 2; i++)
        conditions_clear(&sessions[i]);
    sessions[0].phases = took;
    lane.session = recorded > 0;
    lane.conditions = &sessions[lane.session];
    side.manifest.sessions.items = sessions;
    sweep = (struct sweep){.options = &options,
                           .plan = &plan,
                           .lanes = &lane,
                           .lane_count = 1,
                           .sides = &side,
                           .side_count = 1,
                           .conditions = &sessions[lane.session],
                           .rows = rows};
    for (int i = 0; i < POINTS; i++) {
        points[i] = (struct point){.n = 1000000u << (i / GROUP_POINTS), .type = TYPE_INT32};
        rows[i].status = i < recorded * GROUP_POINTS ? STATUS_OK : STATUS_COUNT;
    }
    requests_begin(&sweep);
}

static void begin(int recorded, double seconds)
{
    begin_after(recorded, (struct phase_times){.measuring_s = seconds, .rows_s = seconds});
}

static void end(void)
{
    time_left_free(&sweep.time_left[0]);
    time_left_free(&sweep.time_left[1]);
}

/* Returns how long a point takes, in seconds. In the first half of a group, it is four times as
 * long as in the second half. */
static double time_of(int group, int place)
{
    return ldexp(place < GROUP_POINTS / 2 ? 4 : 1, group) * 1e-2;
}

static struct group_request *request(int group)
{
    struct group_request *r = xcalloc(1, sizeof *r + GROUP_POINTS * sizeof r->points[0]);
    r->count = GROUP_POINTS;
    for (int i = 0; i < GROUP_POINTS; i++)
        r->points[i].point = points[group * GROUP_POINTS + i];
    lane.request = r;
    lane.left = GROUP_POINTS;
    lane.began_s = now_s;
    memset(&lane.reports, 0, sizeof lane.reports);
    return r;
}

/* Ends a group as if its rows were written and its request was done. */
static void end_group(struct group_request *r)
{
    for (int i = 0; i < GROUP_POINTS; i++)
        rows_left(&sweep, &r->points[i].point, -1);
    lane.left = 0;
    request_ended(&lane, r);
    lane.request = NULL;
    free(r);
}

/* Measures a group. During the last group, compares the estimate with the true remaining time.
 * Returns the largest factor between them. */
static double measure(int group)
{
    struct group_request *r = request(group);
    double worst = 1, left = 0;
    for (int i = 0; i < GROUP_POINTS; i++)
        left += time_of(group, i);
    for (int i = 0; i < GROUP_POINTS; i++) {
        now_s += time_of(group, i);
        left -= time_of(group, i);
        request_heard(&lane, &(struct report){.type = REPORT_CHECKED, .point = (uint32_t)i});
        double factor = requests_left_s(&sweep) / left;
        if (group == GROUPS - 1 && i < GROUP_POINTS - 1)
            worst = fmax(worst, fmax(factor, 1 / factor));
    }
    for (int i = 0; i < GROUP_POINTS; i++)
        request_heard(&lane, &(struct report){.type = REPORT_DONE, .point = (uint32_t)i});
    end_group(r);
    return worst;
}

static void the_last_points_may_take_less(void **state)
{
    (void)state;
    double worst = 0;
    begin(0, 0);
    for (int g = 0; g < GROUPS; g++)
        worst = measure(g);
    assert_true(worst < 1.2); /* If all points counted the same, the factor would be 3.2. */
    end();
}

/* Until a resumed run has measured a point, it uses the recorded times instead of the plan's
 * guess, which is far off. */
static void a_resumed_run_knows_what_it_took(void **state)
{
    (void)state;
    double took = 0, left = 0;
    for (int g = 0; g < GROUPS; g++)
        for (int i = 0; i < GROUP_POINTS; i++)
            *(g < GROUPS - 2 ? &took : &left) += time_of(g, i);
    begin(0, 0);
    double guessed = requests_left_s(&sweep);
    end();
    assert_true(guessed < (took + left) / 5);
    begin(GROUPS - 2, took);
    double resumed = requests_left_s(&sweep);
    end();
    assert_true(resumed > left / 1.5 && resumed < left * 1.5);
    begin(GROUPS - 2, 0); /* The session was killed, so its time is unknown. */
    assert_true(requests_left_s(&sweep) < guessed);
    end();
}

/* The run stops within a group, after `rows_there` of its rows have arrived and a long time has
 * gone into its other points. The other points are measured again. The time that was lost must not
 * change the estimate. */
static void stopped_in(int group, int rows_there)
{
    double since_s, took = 0, left = 0, wasted = 0;
    begin(0, 0);
    since_s = now_s;
    for (int g = 0; g < group; g++)
        measure(g);
    took = now_s - since_s;
    struct group_request *r = request(group);
    for (int i = 0; i < rows_there; i++) {
        now_s += time_of(group, i);
        request_heard(&lane, &(struct report){.type = REPORT_DONE, .point = (uint32_t)i});
        took += time_of(group, i);
    }
    for (int i = rows_there; wasted < 4 * took; i = i + 1 < GROUP_POINTS ? i + 1 : rows_there) {
        now_s += time_of(group, i);
        wasted += time_of(group, i);
        request_heard(&lane, &(struct report){.type = REPORT_CHECKED, .point = (uint32_t)i});
    }
    free(r);
    end();
    struct phase_times phases = sessions[0].phases;
    phases.measuring_s = now_s - since_s;
    assert_true(fabs(phases.rows_s - took) < 1e-9);
    for (int g = group; g < GROUPS; g++)
        for (int i = 0; i < GROUP_POINTS; i++)
            left += time_of(g, i);
    begin_after(group, phases);
    double resumed = requests_left_s(&sweep);
    end();
    /* If the lost time counted, the estimate would be 5 times the true time. */
    assert_true(resumed > left / 2 && resumed < left * 2);
}

static void what_a_stop_threw_away_does_not_count(void **state)
{
    (void)state;
    stopped_in(GROUPS - 2, 0);
    stopped_in(GROUPS - 2, 3);
}

/* Measures a group as a GPU does. Samples take half of the group's time, and counts, which arrive
 * together at the end, take three tenths. Compares the estimate with the true remaining time while
 * the last group is counted. Returns the largest factor between them, ignoring differences of up to
 * a second. */
static double measure_profiled(int group, double slower)
{
    enum { SAMPLES = 20, PARTS = 20 };
    const double all = ldexp(slower, group);
    double worst = 1, left = all;
    struct group_request *r = request(group);
    for (int i = 0; i < GROUP_POINTS; i++) {
        now_s += 0.2 * all / GROUP_POINTS;
        request_heard(&lane, &(struct report){.type = REPORT_CHECKED, .point = (uint32_t)i});
    }
    for (int i = 0; i < SAMPLES; i++) {
        now_s += 0.5 * all / SAMPLES;
        for (int k = 0; k < GROUP_POINTS; k++)
            request_heard(
                &lane, &(struct report){.type = REPORT_SAMPLES, .point = (uint32_t)k, .count = 1});
    }
    left = 0.3 * all;
    for (int i = 1; i < PARTS; i++) {
        now_s += 0.3 * all / PARTS;
        left -= 0.3 * all / PARTS;
        double shown = requests_left_s(&sweep), factor = shown / left;
        if (group == GROUPS - 1 && fabs(shown - left) > 1)
            worst = fmax(worst, fmax(factor, 1 / factor));
    }
    now_s += left;
    for (int i = 0; i < GROUP_POINTS; i++)
        request_heard(&lane, &(struct report){.type = REPORT_COUNTS, .point = (uint32_t)i});
    end_group(r);
    return worst;
}

static void counts_may_come_at_the_end(void **state)
{
    (void)state;
    for (double slower = 0.8; slower < 1.3;
         slower += 0.2) { /* The last request takes `slower` times as long. */
        double worst = 0;
        begin(0, 0);
        lane.supervisor.hello.info.count_is_run = false;
        lane.supervisor.hello.info.can_time = true;
        sweep.metrics.counter_count = 1;
        time_left_free(&sweep.time_left[0]);
        requests_begin(&sweep);
        for (int g = 0; g < GROUPS; g++)
            worst = measure_profiled(g, g == GROUPS - 1 ? slower : 1);
        assert_true(worst < 1.5);
        end();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_points_may_take_less),
        cmocka_unit_test(a_resumed_run_knows_what_it_took),
        cmocka_unit_test(counts_may_come_at_the_end),
        cmocka_unit_test(what_a_stop_threw_away_does_not_count),
    };
    return cmocka_run_group_tests_name("request time", tests, NULL, NULL);
}
