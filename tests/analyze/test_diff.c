/*
 * Compares runs. Checks the verdicts, the comparison of counts, runs of two devices or two cards,
 * and the list of other changes.
 */
#include "planned.h"

static void test_no_match_is_an_error(void **state)
{
    (void)state;
    static struct error e;
    struct diff d;
    const char *row = HEADER "1,cuda,D,k,int32,sum,16,64,1,1,cold,kernel,ok,,5,4,6,1,,,,1\n";
    const char *other = HEADER "1,cuda,D,k,int32,max,16,64,1,1,cold,kernel,ok,,5,4,6,1,,,,1\n";
    struct results a = read_run(put("n-a", "results.csv", row));
    struct results b = read_run(put("n-b", "results.csv", other));
    assert_false(diff_runs(&a, &b, &usual, &d, &e));
    assert_int_equal(e.kind, ERROR_CONFIG);
    texts_expect("two runs without a common point", e.text);
    results_free(&a);
    results_free(&b);
}

static void test_verdicts(void **state)
{
    (void)state;
    struct results a = planned_run("v-a", before, PLANNED), b = planned_run("v-b", after, PLANNED);
    struct diff d;
    compare(&a, &b, &d);
    assert_true(d.same_device);
    assert_string_equal(verdict_name(point_of(&d, "slow")->verdict), "SLOW");
    assert_string_equal(verdict_name(point_of(&d, "fast")->verdict), "FAST");
    assert_string_equal(verdict_name(point_of(&d, "tiny")->verdict), "SAME");
    assert_true(point_of(&d, "tiny")->effect->p_family < 0.05); /* certain, but too small */
    assert_string_equal(verdict_name(point_of(&d, "same")->verdict), "SAME");
    assert_string_equal(verdict_name(point_of(&d, "noisy")->verdict), "UNKNOWN");
    assert_true(point_of(&d, "noisy")->effect->detectable > 0.1);
    const struct estimate *vague = &point_of(&d, "vague")->effect->ratio;
    assert_true(vague->value < 1.01 && vague->high > 1.01);
    assert_true(point_of(&d, "vague")->effect->p_family < 0.05);
    assert_string_equal(verdict_name(point_of(&d, "vague")->verdict), "UNKNOWN");
    assert_string_equal(verdict_name(point_of(&d, "few")->verdict), "UNKNOWN");
    assert_true(isnan(point_of(&d, "few")->effect->detectable)); /* nothing is detectable */
    assert_string_equal(verdict_name(point_of(&d, "breaks")->verdict), "BROKEN");
    assert_string_equal(verdict_name(point_of(&d, "heals")->verdict), "FIXED");
    /* The kernel `left` was skipped in both runs. */
    assert_string_equal(verdict_name(point_of(&d, "left")->verdict), "");
    assert_near(point_of(&d, "slow")->effect->ratio.value, 1.05, 1e-12);
    assert_true(point_of(&d, "slow")->effect->ratio.low > 1.03);
    assert_int_equal(d.all->timed, 7);
    assert_int_equal(d.summaries.count, PLANNED + 1);
    diff_free(&d);
    /* Times differ by 5 %. With a minimum effect of 20 %, no change is large enough to matter. */
    const struct diff_options coarse = {
        .minimum_effect = 0.2, .error_rate = 0.05, .fail_on = FAIL_BY_DEFAULT};
    assert_true(diff_runs(&a, &b, &coarse, &d, NULL));
    assert_int_equal(d.all->verdicts[VERDICT_SLOW] + d.all->verdicts[VERDICT_FAST], 0);
    diff_free(&d);
    results_free(&a);
    results_free(&b);
}

/* Makes a run with two rare cases. For kernel `holds`, the rank test finds a difference, although
 * the interval of the ratio contains 1. For kernel `three`, the interval does not contain 1, but
 * there are too few samples for a significant test. */
static struct results corner_run(const char *folder, double scale)
{
    struct text csv = {0}, samples = {0};
    text_append(&csv,
                HEADER "0,cuda,D,holds,int32,sum,16,64,1,1,cold,kernel,ok,,%g,5,20,,,,,\n"
                       "1,cuda,D,three,int32,sum,16,64,1,1,cold,kernel,ok,,%g,%g,%g,,,,,\n",
                10 * scale, 10 * scale, 9.9 * scale, 10.1 * scale);
    text_append(&samples, "id,sample,time_us\n");
    for (int i = 0; i < 100; i++)
        text_append(&samples, "0,%d,%g\n", i, (10 + 0.001 * i) * scale);
    for (int i = 0; i < 3; i++)
        text_append(&samples, "1,%d,%g\n", i, (10 + 0.01 * i) * scale);
    put(folder, "samples.csv", samples.bytes);
    struct results r = read_run(put(folder, "results.csv", csv.bytes));
    text_free(&csv);
    text_free(&samples);
    return r;
}

static void test_corners(void **state)
{
    (void)state;
    struct results a = corner_run("k-a", 1), b = corner_run("k-b", 1.1);
    struct diff d;
    compare(&a, &b, &d);
    assert_true(point_of(&d, "holds")->effect->p_family < 0.05);
    assert_true(point_of(&d, "holds")->effect->ratio.low < 1);
    assert_string_equal(verdict_name(point_of(&d, "holds")->verdict), "UNKNOWN");
    assert_true(point_of(&d, "three")->effect->p_family > 0.05);
    assert_true(point_of(&d, "three")->effect->ratio.low > 1);
    assert_string_equal(verdict_name(point_of(&d, "three")->verdict), "UNKNOWN");
    diff_free(&d);
    results_free(&a);
    results_free(&b);
}

/* The largest changes come first, and the list is no longer than requested. */
static void test_largest(void **state)
{
    (void)state;
    struct planned x[5], y[5];
    const char *names[] = {"a", "b", "c", "d", "e"};
    const double slower[] = {1.1, 1.4, 1.2, 1.5, 1.3};
    for (int i = 0; i < 5; i++) {
        x[i] = (struct planned){names[i], "ok", 10, 0.01, 50};
        y[i] = (struct planned){names[i], "ok", 10 * slower[i], 0.01, 50};
    }
    struct results a = planned_run("l-a", x, 5), b = planned_run("l-b", y, 5);
    struct diff d;
    compare(&a, &b, &d);
    size_t pairs[6];
    assert_int_equal(diff_largest(&d, VERDICT_SLOW, pairs, 3), 3);
    assert_true(pairs[0] == 3 && pairs[1] == 1 && pairs[2] == 4);
    assert_int_equal(diff_largest(&d, VERDICT_SLOW, pairs, 6), 5);
    assert_true(pairs[0] == 3 && pairs[1] == 1 && pairs[2] == 4 && pairs[3] == 2 && pairs[4] == 0);
    assert_int_equal(diff_largest(&d, VERDICT_FAST, pairs, 6), 0);
    diff_free(&d);
    results_free(&a);
    results_free(&b);
}

/* Without samples.csv, the recorded confidence intervals decide the verdict. */
static void test_without_samples(void **state)
{
    (void)state;
    struct results a = planned_run("w-a", before, 2), b = planned_run("w-b", after, 2);
    results_free(&a);
    results_free(&b);
    char path[512];
    const char *folders[] = {"w-a", "w-b"};
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s/samples.csv", scratch, folders[i]);
        assert_int_equal(unlink(path), 0);
    }
    snprintf(path, sizeof path, "%s/w-a", scratch);
    a = read_run(path);
    snprintf(path, sizeof path, "%s/w-b/results.csv", scratch); /* a file instead of a folder */
    b = read_run(path);
    struct diff d;
    compare(&a, &b, &d);
    assert_true(point_of(&d, "slow")->effect->from_interval);
    assert_int_equal(point_of(&d, "slow")->verdict, VERDICT_SLOW);
    assert_int_equal(point_of(&d, "fast")->verdict, VERDICT_FAST);
    texts_expect("a run without samples and run.json", d.changes.bytes);
    diff_free(&d);
    results_free(&a);
    results_free(&b);
}

#define COUNTED(kernel, counts)                                                                    \
    kernel ",cuda,D," kernel ",int32,sum,16,64,1,1,cold,kernel,ok,,,,,,," counts ",1\n"

/* Counts that the kernel determines must be equal. Other counts may differ by up to the minimum
 * effect. */
static void test_counts(void **state)
{
    (void)state;
    struct results a = read_run(put("c-a", "results.csv",
                                    HEADER COUNTED("k", "1000,0.5") COUNTED("l", "1000,0.5")
                                        COUNTED("m", ",0.5")));
    struct results b = read_run(put("c-b", "results.csv",
                                    HEADER COUNTED("k", "1000,0.504") COUNTED("l", "1001,0.6")
                                        COUNTED("m", "5,0.5")));
    struct diff d;
    compare(&a, &b, &d);
    assert_int_equal(d.all->timed, 0);
    assert_int_equal(d.metrics.count, 2);
    assert_true(d.metrics.items[0].deterministic);
    assert_int_equal(d.metrics.items[0].both, 2);
    assert_int_equal(d.metrics.items[0].equal, 1); /* 1000 and 1001 are different counts. */
    assert_near(d.metrics.items[0].largest, 1.001, 1e-12);
    assert_false(d.metrics.items[1].deterministic);
    assert_int_equal(d.metrics.items[1].both, 3);
    /* The counts of kernel k differ by 0.8 %, less than the minimum effect of 1 %. */
    assert_int_equal(d.metrics.items[1].equal, 2);
    assert_near(d.metrics.items[1].largest, 1.2, 1e-12);
    assert_string_equal(d.metrics.items[0].rule, "");
    assert_near(d.metrics.items[0].geometric_mean, sqrt(1.001), 1e-12);
    assert_near(d.metrics.items[1].geometric_mean, cbrt(1.008 * 1.2), 1e-12);
    char *text = written(&d, view_write_text, "metrics");
    assert_says(text,
                "  metric              points  equal  worse  better  compared     b/a  largest  "
                "of\n");
    assert_says(text,
                "  gld_transactions         2      1      1       0  exactly   1.0005   1.0010  "
                "l, n 16\n");
    assert_says(text,
                "  achieved_occupancy       3      2                 to 1 %    1.0655   1.2000  "
                "l, n 16\n");
    free(text);
    text = written(&d, view_write_csv, "metrics");
    assert_says(text, "\ngld_transactions,2,1,1,0,exactly,,1.0004");
    free(text);
    diff_free(&d);
    results_free(&a);
    results_free(&b);
}

/* Printed numbers are rounded, so 25.01 agrees with 25.0122, but 25.02 does not. */
static void test_rounded_counts(void **state)
{
    (void)state;
    struct results a = read_run(put("rc-a", "results.csv",
                                    "kernel,type,op,n,block,unroll,grid,cache,scope,status,"
                                    "gld_efficiency\n"
                                    "k,int32,sum,16,64,1,1,cold,kernel,ok,25.01\n"
                                    "l,int32,sum,16,64,1,1,cold,kernel,ok,25.02\n"
                                    "m,int32,sum,16,64,1,1,cold,kernel,ok,25\n"));
    struct results b = read_run(put("rc-b", "results.csv",
                                    "kernel,type,op,n,block,unroll,grid,cache,scope,status,"
                                    "gld_efficiency\n"
                                    "k,int32,sum,16,64,1,1,cold,kernel,ok,25.0122\n"
                                    "l,int32,sum,16,64,1,1,cold,kernel,ok,25.0122\n"
                                    "m,int32,sum,16,64,1,1,cold,kernel,ok,25.0122\n"));
    struct diff d;
    compare(&a, &b, &d);
    assert_int_equal(d.metrics.count, 1);
    assert_int_equal(d.metrics.items[0].both, 3);
    assert_int_equal(d.metrics.items[0].equal, 1);
    diff_free(&d);
    results_free(&a);
    results_free(&b);
}

#define DEVICE(name, chip, cc)                                                                     \
    "{\n\"schema\": 2,\n\"status\": \"complete\",\n\"provenance\": {\"device\": {\"backend\": "    \
    "\"cuda\", \"name\": \"" name "\", \"chip\": \"" chip "\", \"compute_capability\": \"" cc      \
    "\", \"driver\": \"" cc "\"}, \"kernels\": [{\"name\": \"k\", \"source_hash\": \"" chip        \
    "\"}], \"config\": {\"name\": \"x\", \"blocks\": " cc "}},\n\"columns\": []}\n"
#define ROW(device, block, times)                                                                  \
    block ",cuda," device ",k,int32,sum,16," block ",1,1,cold,kernel,ok,," times "\n"

/* The runs are from two devices. Run a's winner (block 64) takes 8 µs in run b. Run b's winner
 * takes 5 µs there, so a's winner takes 60 % longer. The ranks 1 2 3 4 become 2 1 3 4, and
 * Spearman's correlation is 1 − 6 · 2 / (4 · 15) = 0.8. */
static void test_two_devices(void **state)
{
    (void)state;
    put("t-a", "run.json", DEVICE("K80", "GK210", "3.7"));
    put("t-b", "run.json", DEVICE("H200", "GH100", "9.0"));
    struct results a = read_run(
        put("t-a", "results.csv",
            HEADER ROW("K80", "64", "10,9,11,50,,7,,1") ROW("K80", "128", "20,19,21,25,,7,,1")
                ROW("K80", "256", "30,29,31,20,,7,,1") ROW("K80", "512", "40,39,41,10,,7,,1")));
    struct results b = read_run(
        put("t-b", "results.csv",
            HEADER ROW("H200", "64", "8,7,9,5,,28,,1") ROW("H200", "128", "5,4,6,8,,28,,1")
                ROW("H200", "256", "9,8,10,4,,28,,1") ROW("H200", "512", "10,9,11,2,,28,,1")));
    struct diff d;
    compare(&a, &b, &d);
    assert_false(d.same_device);
    assert_int_equal(d.all->verdicts[VERDICT_NONE], 4); /* Times of two devices get no verdict. */
    assert_near(d.all->share_a, 22.5, 1e-12);
    assert_near(d.all->share_b, 4.5, 1e-12);
    assert_int_equal(d.transfers.count, 1);
    assert_near(d.transfers.items[0].correlation, 0.8, 1e-12);
    assert_near(d.transfers.items[0].cost, 1.6, 1e-12);
    assert_near(d.transfers.items[0].cost_back, 2, 1e-12);
    assert_int_equal(d.transfers.items[0].winner_a, 0);
    assert_int_equal(d.transfers.items[0].winner_b, 1);
    texts_expect("counts of lines and sectors", d.metrics.items[0].rule);
    texts_expect("what differs between two devices", d.changes.bytes);
    diff_free(&d);
    results_free(&a);
    results_free(&b);
}

#define COUNTS(backend, device, counts)                                                            \
    "kernel,backend,device,type,op,n,block,unroll,grid,cache,scope,status,inst_executed,"          \
    "gld_efficiency,inst_per_warp\nk," backend "," device                                          \
    ",int32,sum,16,64,1,1,cold,kernel,ok," counts "\n"

/* The same source has different instruction counts on different architectures, and on the
 * simulator and a GPU. */
static void test_counts_of_instructions(void **state)
{
    (void)state;
    static const struct {
        const char *told, *rows, *name;
    } cases[] = {
        {DEVICE("H200", "GH100", "9.0"), COUNTS("cuda", "H200", "100,25,10"), NULL},
        {DEVICE("A100", "GA100", "8.0"), COUNTS("cuda", "A100", "101,25,11"),
         "instructions of two architectures"},
        {"{\n\"schema\": 2,\n\"status\": \"complete\",\n\"provenance\": {\"device\": {\"backend\": "
         "\"sim\", \"name\": \"sim:hopper\", \"compute_capability\": \"9.0\"}},\n\"columns\": "
         "[]}\n",
         COUNTS("sim", "sim:hopper", "102,25,12"), "instructions of the simulator and of hardware"},
    };
    put("i-a", "run.json", cases[0].told);
    struct results a = read_run(put("i-a", "results.csv", cases[0].rows));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        put("i-b", "run.json", cases[i].told);
        struct results b = read_run(put("i-b", "results.csv", cases[i].rows));
        struct diff d;
        compare(&a, &b, &d);
        assert_int_equal(d.metrics.count, 3);
        for (size_t m = 0; m < d.metrics.count; m++)
            if (cases[i].name && strstr(d.metrics.items[m].a->name, "inst"))
                texts_expect(cases[i].name, d.metrics.items[m].rule);
            else
                assert_string_equal(d.metrics.items[m].rule, "");
        diff_free(&d);
        results_free(&b);
    }
    results_free(&a);
}

/* A GPU run may also have rows with CPU times. If the two hosts have different CPUs, these rows
 * get no verdict. */
static void test_rows_of_two_devices(void **state)
{
    (void)state;
    const char *rows = HEADER "1,cuda,G,k,int32,sum,16,64,1,1,cold,kernel,ok,,10,9,11,,,,,1\n"
                              "2,cpu,%s,c,int32,sum,16,1,1,1,cold,kernel,ok,,%s,,,,,1\n";
    char a_rows[1024], b_rows[1024];
    snprintf(a_rows, sizeof a_rows, rows, "Xeon", "10,9.99,10.01");
    snprintf(b_rows, sizeof b_rows, rows, "Ryzen", "20,19.99,20.01");
    struct results a = read_run(put("two-a", "results.csv", a_rows));
    struct results b = read_run(put("two-b", "results.csv", b_rows));
    struct diff d;
    compare(&a, &b, &d);
    assert_true(d.same_device);
    assert_int_equal(point_of(&d, "k")->verdict, VERDICT_UNKNOWN); /* the interval is ± 10 % */
    assert_int_equal(point_of(&d, "c")->verdict, VERDICT_NONE);
    diff_free(&d);
    compare(&a, &a, &d);
    assert_int_equal(point_of(&d, "c")->verdict, VERDICT_SAME);
    diff_free(&d);
    results_free(&a);
    results_free(&b);
}

/* Differences in ceilings, clocks and throttling are listed as changes. */
static void test_conditions(void **state)
{
    (void)state;
    const char *json = "{\n\"schema\": 2,\n\"provenance\": {},\n\"sessions\": [\n"
                       "{\"ceilings_start\": {\"read_gbs\": 1}},\n"
                       "{\"ceilings_start\": {\"read_gbs\": %d}}\n]}\n";
    const char *rows = "kernel,type,op,n,block,unroll,grid,cache,scope,status,sm_clock_mhz,"
                       "throttle\nk,int32,sum,16,64,1,1,cold,kernel,ok,%s\n";
    char text[1024];
    struct results runs[2];
    for (int i = 0; i < 2; i++) {
        const char *folder = i ? "cond-b" : "cond-a";
        snprintf(text, sizeof text, json, i ? 4400 : 4600);
        put(folder, "run.json", text);
        snprintf(text, sizeof text, rows, i ? "1500,power_cap" : "1980,");
        runs[i] = read_run(put(folder, "results.csv", text));
    }
    struct diff d;
    compare(&runs[0], &runs[1], &d);
    texts_expect("other conditions", d.changes.bytes);
    diff_free(&d);
    compare(&runs[0], &runs[0], &d);
    assert_null(d.changes.bytes);
    diff_free(&d);
    results_free(&runs[0]);
    results_free(&runs[1]);
}

/* The times of the 20 points differ by 1, 2, … 20 %, so 95 % of the points differ by at most
 * 19 %. For runs of two devices, this spread is not computed. */
static void test_spread(void **state)
{
    (void)state;
    struct planned x[20], y[20];
    char names[20][4];
    for (int i = 0; i < 20; i++) {
        snprintf(names[i], sizeof names[i], "k%d", i);
        x[i] = (struct planned){names[i], "ok", 10, 0.01, 20};
        /* The changes are not sorted by size, and every second point gets faster. */
        double change = 1 + (7 * i % 20 + 1) / 100.0;
        y[i] = (struct planned){names[i], "ok", i % 2 ? 10 * change : 10 / change, 0.01, 20};
    }
    struct results a = planned_run("sp-a", x, 20), b = planned_run("sp-b", y, 20);
    double share;
    assert_true(diff_spread(&a, &b, &share, NULL));
    assert_true(fabs(share - 0.19) < 1e-9);
    results_free(&b);
    static struct error e;
    b = read_run(put("sp-c", "results.csv",
                     HEADER "1,cuda,E,k0,int32,sum,16,64,1,1,cold,kernel,ok,,5,4,6,1,,,,1\n"));
    assert_false(diff_spread(&a, &b, &share, &e));
    texts_expect("no spread", e.text);
    results_free(&a);
    results_free(&b);
}

#define CARD(uuid)                                                                                 \
    "{\n\"schema\": 2,\n\"status\": \"complete\",\n\"provenance\": {\"device\": {\"backend\": "    \
    "\"cuda\", \"name\": \"D\", \"uuid\": " uuid "}},\n\"columns\": []}\n"

/* Times from two cards of one model get no verdict unless an option asks for it. */
static void test_two_cards(void **state)
{
    (void)state;
    put("card-a", "run.json", CARD("\"GPU-1\""));
    put("card-b", "run.json", CARD("\"GPU-2\""));
    put("card-c", "run.json", CARD("null"));
    struct results a = planned_run("card-a", before, 1), b = planned_run("card-b", after, 1),
                   c = planned_run("card-c", after, 1);
    struct diff d;
    compare(&a, &b, &d);
    assert_true(d.other_card && !d.same_device);
    assert_int_equal(point_of(&d, "slow")->verdict, VERDICT_NONE);
    char *line = diff_conclusion(&d, true);
    texts_expect("two cards of one model", line);
    free(line);
    diff_free(&d);
    struct diff_options across = usual;
    across.across_cards = true;
    assert_true(diff_runs(&a, &b, &across, &d, NULL));
    assert_int_equal(point_of(&d, "slow")->verdict, VERDICT_SLOW);
    assert_int_equal(diff_exit_code(&d, false), 1);
    diff_free(&d);
    compare(&a, &c, &d); /* An unknown card may be the other run's card. */
    assert_int_equal(point_of(&d, "slow")->verdict, VERDICT_SLOW);
    diff_free(&d);
    results_free(&a);
    results_free(&b);
    results_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_match_is_an_error),
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_corners),
        cmocka_unit_test(test_largest),
        cmocka_unit_test(test_without_samples),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_rounded_counts),
        cmocka_unit_test(test_two_devices),
        cmocka_unit_test(test_counts_of_instructions),
        cmocka_unit_test(test_rows_of_two_devices),
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_spread),
        cmocka_unit_test(test_two_cards),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
