/* Two runs may have different contexts and clocks. Tests the margins for these differences, within
 * which diff reports no change. */
#include "diff_fixture.h"

#include <math.h>

#include "analyze/launch.h"

#define HEADER                                                                                     \
    "id,backend,device,kernel,type,op,n,block,unroll,grid,cache,scope,status,time_us_median,"      \
    "time_us_ci95_lo,time_us_ci95_hi\n"

/* Returns a run with one kernel per time. Each kernel has 40 samples, which alternate between 0.1 %
 * below the time, the time itself, and 0.1 % above it. `launch` becomes part of the conditions of
 * the run's only session. If it is "", the run has no conditions. */
static struct results make_run(const char *folder, const char *launch, const char *rows)
{
    struct text csv = {0}, samples = {0};
    char kernel[32], json[512];
    double time;
    int used;
    text_append(&csv, HEADER);
    text_append(&samples, "id,sample,time_us\n");
    for (int id = 0; sscanf(rows, " %31s %lf%n", kernel, &time, &used) == 2; rows += used, id++) {
        text_append(&csv, "%d,cuda,D,%s,int32,sum,1024,64,1,1,cold,kernel,ok,%.9g,%.9g,%.9g\n", id,
                    kernel, time, time * 0.9995, time * 1.0005);
        for (int s = 0; s < 40; s++)
            text_append(&samples, "%d,%d,%.9g\n", id, s, time * (1 + 0.001 * (s % 3 - 1)));
    }
    snprintf(json, sizeof json,
             "{\n\"schema\": 2,\n\"provenance\": {\"device\": {\"backend\": \"cuda\", \"name\": "
             "\"D\"}},\n\"sessions\": [\n{\"since\": \"now\"%s}\n]}\n",
             launch);
    put(folder, "run.json", json);
    put(folder, "samples.csv", samples.bytes);
    struct results r = read_run(put(folder, "results.csv", csv.bytes));
    text_free(&csv);
    text_free(&samples);
    return r;
}

#define LAUNCH(step, least, most, refused)                                                         \
    ",\"launch\":{\"contexts\":12,\"step_us\":" #step ",\"min_us\":" #least ",\"max_us\":" #most   \
    ",\"refused_us\":" #refused "}"

static void the_margin_by_hand(void **state)
{
    (void)state;
    struct results a = make_run("h-a", LAUNCH(0.032, 4.25, 4.25, 4.5758), "k 5");
    struct results b = make_run("h-b", LAUNCH(0.001, 4.20, 4.28, 4.8516), "k 5");
    struct results few = make_run("h-few", LAUNCH(0.032, 4.25, 4.25, null), "k 5");
    struct results fewer = make_run("h-fewer", LAUNCH(0.001, 4.24, 4.28, null), "k 5");
    struct results old = make_run("h-old", "", "k 5");
    struct results untold = make_run("h-none", LAUNCH(null, null, null, null), "k 5");

    struct run_margins m = launch_margins(&a, &b);
    assert_near(m.step_us, 0.032, 1e-12);    /* the step of the coarser clock */
    assert_near(m.context_sd_us, 0.2, 1e-9); /* The larger value is 0.6516 / 3.258. */
    m = launch_margins(&a, &old);
    assert_near(m.context_sd_us, 0.1, 1e-9);
    m = launch_margins(&few, &fewer); /* two contexts, 0.04 apart */
    assert_near(m.context_sd_us, 0.04 / 1.128, 1e-9);
    m = launch_margins(&old, &untold);
    assert_true(m.step_us == 0 && m.context_sd_us == 0);
    struct results *runs[] = {&a, &b, &few, &fewer, &old, &untold};
    for (int i = 0; i < 6; i++)
        results_free(runs[i]);
}

/* A difference that different contexts can explain is not reported. A larger difference is judged
 * as usual. */
static void only_what_exceeds_the_margin_counts(void **state)
{
    (void)state;
    const char *rows_a = "near 4 far 4 fast 4 long 400 even 4",
               *rows_b = "near 4.09 far 4.5 fast 3.5 long 410 even 4.05";
    struct results a = make_run("m-a", LAUNCH(0.03, 4.20, 4.20, 4.3629), rows_a);
    struct results b = make_run("m-b", LAUNCH(0.03, 4.22, 4.22, 4.3), rows_b);
    struct diff d;
    compare(&a, &b, &d);
    assert_near(d.margins.context_sd_us, 0.05, 1e-9);
    /* the median of the five kernels' differences */
    assert_near(d.times.groups[0].removed_us, 0.09, 1e-9);
    /* The uncertainty of 0.08 us is 2 % of 4 us. */
    assert_int_equal(point_of(&d, "near")->verdict, VERDICT_UNKNOWN);
    assert_near(point_of(&d, "near")->effect->ratio.value, 1, 1e-9);
    assert_true(point_of(&d, "near")->effect->p > 0.5);
    assert_true(point_of(&d, "near")->effect->detectable > 0.02);
    assert_int_equal(point_of(&d, "even")->verdict, VERDICT_UNKNOWN);
    assert_int_equal(point_of(&d, "far")->verdict, VERDICT_SLOW);
    assert_near(point_of(&d, "far")->effect->ratio.value, 4.455 / 4.045, 1e-9);
    assert_int_equal(point_of(&d, "fast")->verdict, VERDICT_FAST);
    assert_int_equal(point_of(&d, "long")->verdict, VERDICT_SLOW);
    char *text = written(&d, view_write_text, NULL);
    texts_expect("the margins of launches", text);
    free(text);
    diff_free(&d);
    results_free(&a);
    results_free(&b);

    /* With the same times, but no conditions in the manifests, the margin is 0, so the
     * difference is reported. */
    a = make_run("m-c", "", rows_a);
    b = make_run("m-d", "", rows_b);
    compare(&a, &b, &d);
    assert_int_equal(point_of(&d, "near")->verdict, VERDICT_SLOW);
    assert_true(point_of(&d, "near")->effect->p < 1e-6);
    text = written(&d, view_write_text, NULL);
    assert_null(strstr(text, "Margins"));
    free(text);
    diff_free(&d);
    results_free(&a);
    results_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_margin_by_hand),
        cmocka_unit_test(only_what_exceeds_the_margin_counts),
    };
    return cmocka_run_group_tests_name("launch", tests, make_scratch, remove_scratch);
}
