/*
 * Checks which points drop out of a race, and when. A race compares its points whenever all of them
 * have a certain number of samples (a rung), and drops the slow ones. The numbers of samples,
 * medians and interval widths are given. Nothing is launched.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "measure/subject.h"

enum { SUBJECTS = 6, SAMPLES = 12 };

struct racers {
    struct config_timing timing;
    struct bench bench;
    struct group_task task;
    struct subject subjects[SUBJECTS];
    double samples[SUBJECTS][SAMPLES];
    struct group_run run;
};

/* Makes six points with `count` samples each, every one faster than the one before. */
static void line_up(struct racers *r, size_t count)
{
    static int rungs[] = {3, 7, 9};
    const struct config_search search = {
        .rungs = rungs, .rung_count = 3, .keep_one_in = 3, .keep_min = 1};
    memset(r, 0, sizeof *r);
    r->timing = (struct config_timing){.min_samples = 5, .max_samples = 100, .relative_width = 0.1};
    r->bench.timing = &r->timing;
    sampling_race(&search, &r->task.sampling);
    for (int i = 0; i < SUBJECTS; i++) {
        struct subject *s = &r->subjects[i];
        outcome_clear(&s->outcome);
        s->active = true;
        s->samples = r->samples[i];
        s->sample_count = count;
        for (int k = 0; k < SAMPLES; k++)
            r->samples[i][k] = 100 - 10 * i + 0.01 * (k % 3);
    }
    r->run = (struct group_run){
        .bench = &r->bench, .task = &r->task, .subjects = r->subjects, .count = SUBJECTS};
}

static int left(const struct racers *r)
{
    int count = 0;
    for (int i = 0; i < SUBJECTS; i++)
        count += subject_is_timed(&r->subjects[i]);
    return count;
}

static void a_rung_is_due_when_all_have_its_samples(void **state)
{
    (void)state;
    struct racers r;
    line_up(&r, 7);
    assert_int_equal(racing_rung(&r.run, 0), 3);
    assert_int_equal(racing_rung(&r.run, 2), 9);
    assert_int_equal(racing_rung(&r.run, 3), 0); /* the race has passed all rungs */
    assert_true(racing_is_due(&r.run, 7));
    assert_false(racing_is_due(&r.run, 8));
    r.subjects[2].sample_count = 6;
    assert_false(racing_is_due(&r.run, 7));
    r.subjects[2].active = false; /* the race does not wait for an inactive point */
    assert_true(racing_is_due(&r.run, 7));
    r.task.sampling.keep_min = 5; /* a race does not go on with this many points or fewer */
    assert_int_equal(racing_rung(&r.run, 0), 0);
    r.task.sampling.keep_min = 4;
    assert_int_equal(racing_rung(&r.run, 0), 3);
    r.run.solo = true;
    assert_int_equal(racing_rung(&r.run, 0), 0);
}

static void the_slow_ones_leave(void **state)
{
    (void)state;
    struct racers r;
    line_up(&r, 3);
    racing_drop(&r.run);
    assert_int_equal(left(&r), 2);
    assert_true(subject_is_timed(&r.subjects[5]) && subject_is_timed(&r.subjects[4]));
    racing_drop(&r.run);
    assert_int_equal(left(&r), 1);
    line_up(&r, 3);
    r.task.sampling.keep_min = 4;
    racing_drop(&r.run);
    assert_int_equal(left(&r), 4);
    line_up(&r, 3); /* equal points stay in group order */
    memcpy(r.samples[5], r.samples[0], sizeof r.samples[0]);
    memcpy(r.samples[4], r.samples[0], sizeof r.samples[0]);
    memcpy(r.samples[3], r.samples[0], sizeof r.samples[0]);
    memcpy(r.samples[2], r.samples[0], sizeof r.samples[0]);
    memcpy(r.samples[1], r.samples[0], sizeof r.samples[0]);
    racing_drop(&r.run);
    assert_true(left(&r) == 2 && subject_is_timed(&r.subjects[0]) &&
                subject_is_timed(&r.subjects[1]));
}

static void a_race_is_decided_when_intervals_are_narrow(void **state)
{
    (void)state;
    struct racers r;
    line_up(&r, 12);
    assert_int_equal(racing_decided_from(&r.run), 5);
    r.task.sampling.decided_from = 8;
    assert_int_equal(racing_decided_from(&r.run), 8);
    assert_true(racing_decided(&r.run));
    r.subjects[1].sample_count = 7; /* too few samples so far */
    assert_false(racing_decided(&r.run));
    r.subjects[1].sample_count = 8;
    assert_true(racing_decided(&r.run));
    for (int k = 0; k < SAMPLES; k++)
        r.samples[3][k] = k % 2 ? 50 : 90; /* makes a wide interval */
    assert_false(racing_decided(&r.run));
    r.subjects[3].active = false;
    assert_true(racing_decided(&r.run));
}

static void only_races_are_decided(void **state)
{
    (void)state;
    struct racers r;
    line_up(&r, 12);
    r.timing.relative_width = 0;
    assert_int_equal(racing_decided_from(&r.run), 0);
    assert_false(racing_decided(&r.run));
    line_up(&r, 12);
    r.run.solo = true;
    assert_int_equal(racing_decided_from(&r.run), 0);
    assert_false(racing_decided(&r.run));
    line_up(&r, 12);
    r.task.sampling.rung_count = 0;
    assert_int_equal(racing_decided_from(&r.run), 0);
    assert_false(racing_decided(&r.run));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rung_is_due_when_all_have_its_samples),
        cmocka_unit_test(the_slow_ones_leave),
        cmocka_unit_test(a_race_is_decided_when_intervals_are_narrow),
        cmocka_unit_test(only_races_are_decided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
