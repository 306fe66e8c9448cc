/*
 * Comparing runs: verdicts, counts, two devices, and what programs get of it.
 */
#include "diff_fixture.h"

#include <math.h>

#include <cjson/cJSON.h>

#include "base/statistics.h"
#include "spec/folders.h"
#include "analyze/commands.h"

#define HEADER                                                                                     \
    "id,backend,device,kernel,type,op,n,block,unroll,grid,cache,scope,status,reason,"              \
    "time_us_median,time_us_ci95_lo,time_us_ci95_hi,peak_pct,sampled_share,gld_transactions,"      \
    "achieved_occupancy,result\n"

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
    assert_non_null(strstr(e.text, "no point is in both runs"));
    results_free(&a);
    results_free(&b);
}

/* A row: its status, and samples evenly spread over ± `width` of its median. */
struct planned {
    const char *kernel, *status;
    double median, width;
    int count;
};

static struct results planned_run(const char *folder, const struct planned *rows, int count)
{
    struct text csv = {0}, samples = {0};
    text_append(&csv, HEADER);
    text_append(&samples, "id,sample,time_us\n");
    for (int i = 0; i < count; i++) {
        const struct planned *p = &rows[i];
        double list[256];
        for (int s = 0; s < p->count; s++) {
            list[s] = p->median * (1 + p->width * (2.0 * s / (p->count - 1) - 1));
            text_append(&samples, "%d,%d,%.17g\n", i, s, list[s]);
        }
        struct summary sum;
        assert_true(summarize(list, (size_t)p->count, &sum));
        text_append(&csv, "%d,cuda,D,%s,int32,sum,16,64,1,1,cold,kernel,%s,,", i, p->kernel,
                    p->status);
        if (p->count)
            text_append(&csv, "%.17g", sum.median);
        if (!isnan(sum.ci95_lo))
            text_append(&csv, ",%.17g,%.17g", sum.ci95_lo, sum.ci95_hi);
        else
            text_append(&csv, ",,");
        text_append(&csv, ",,,,,\n");
    }
    put(folder, "samples.csv", samples.bytes);
    struct results r = read_run(put(folder, "results.csv", csv.bytes));
    text_free(&csv);
    text_free(&samples);
    return r;
}

static const struct planned before[] = {
    {"slow", "ok", 10, 0.02, 100}, {"fast", "ok", 10, 0.02, 100}, {"tiny", "ok", 10, 0.001, 100},
    {"same", "ok", 10, 0.02, 100}, {"noisy", "ok", 10, 0.3, 20},  {"vague", "ok", 10, 0.02, 200},
    {"few", "ok", 10, 0.01, 3},    {"breaks", "ok", 10, 0.02, 9}, {"heals", "wrong", 10, 0.02, 9},
    {"left", "ok", 10, 0.02, 9},
};
static const struct planned after[] = {
    {"slow", "ok", 10.5, 0.02, 100},   {"fast", "ok", 9.5, 0.02, 100},
    {"tiny", "ok", 10.03, 0.001, 100}, /* surely 0.3 % */
    {"same", "ok", 10, 0.02, 100},     {"noisy", "ok", 10.2, 0.3, 20},
    {"vague", "ok", 10.08, 0.02, 200}, /* a change is found, perhaps below and perhaps above 1 % */
    {"few", "ok", 11, 0.01, 3},        /* apart, but 3 and 3 samples cannot show p below 0.1 */
    {"breaks", "wrong", 9, 0.02, 9},   {"heals", "ok", 10, 0.02, 9},
    {"left", "skipped", 10, 0.02, 0},
};
enum { PLANNED = sizeof before / sizeof *before };

static void test_verdicts(void **state)
{
    (void)state;
    struct results a = planned_run("v-a", before, PLANNED), b = planned_run("v-b", after, PLANNED);
    struct diff d = compare(&a, &b);
    assert_true(d.same_device);
    assert_string_equal(verdict_name(point_of(&d, "slow")->verdict), "SLOW");
    assert_string_equal(verdict_name(point_of(&d, "fast")->verdict), "FAST");
    assert_string_equal(verdict_name(point_of(&d, "tiny")->verdict), "SAME");
    assert_true(point_of(&d, "tiny")->effect->p_family < 0.05); /* certain, and does not matter */
    assert_string_equal(verdict_name(point_of(&d, "same")->verdict), "SAME");
    assert_string_equal(verdict_name(point_of(&d, "noisy")->verdict), "UNKNOWN");
    assert_true(point_of(&d, "noisy")->effect->detectable > 0.1);
    const struct estimate *vague = &point_of(&d, "vague")->ratio;
    assert_true(vague->value < 1.01 && vague->high > 1.01);
    assert_true(point_of(&d, "vague")->effect->p_family < 0.05);
    assert_string_equal(verdict_name(point_of(&d, "vague")->verdict), "UNKNOWN");
    assert_string_equal(verdict_name(point_of(&d, "few")->verdict), "UNKNOWN");
    assert_true(isnan(point_of(&d, "few")->effect->detectable)); /* no effect, however large */
    assert_string_equal(verdict_name(point_of(&d, "breaks")->verdict), "BROKEN");
    assert_string_equal(verdict_name(point_of(&d, "heals")->verdict), "FIXED");
    assert_string_equal(verdict_name(point_of(&d, "left")->verdict), ""); /* nobody ran it */
    assert_float_equal(point_of(&d, "slow")->ratio.value, 1.05, 1e-12);
    assert_true(point_of(&d, "slow")->ratio.low > 1.03);
    assert_int_equal(d.all->timed, 7);
    assert_int_equal(d.summaries.count, PLANNED + 1);
    diff_free(&d);
    /* with a minimum effect above 5 % nothing matters any more */
    const struct diff_options coarse = {
        .minimum_effect = 0.2, .rate = 0.05, .fail_on = FAIL_BY_DEFAULT};
    assert_true(diff_runs(&a, &b, &coarse, &d, NULL));
    assert_int_equal(d.all->verdicts[VERDICT_SLOW] + d.all->verdicts[VERDICT_FAST], 0);
    diff_free(&d);
    results_free(&a);
    results_free(&b);
}

/*
 * Corners of the table of verdicts: a difference that is found while the interval holds 1, and
 * intervals that are apart of samples that are too few for any test.
 */
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
    struct diff d = compare(&a, &b);
    assert_true(point_of(&d, "holds")->effect->p_family < 0.05);
    assert_true(point_of(&d, "holds")->ratio.low < 1);
    assert_string_equal(verdict_name(point_of(&d, "holds")->verdict), "UNKNOWN");
    assert_true(point_of(&d, "three")->effect->p_family > 0.05);
    assert_true(point_of(&d, "three")->ratio.low > 1);
    assert_string_equal(verdict_name(point_of(&d, "three")->verdict), "UNKNOWN");
    diff_free(&d);
    results_free(&a);
    results_free(&b);
}

/* The largest changes come first, and no more than were asked for. */
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
    struct diff d = compare(&a, &b);
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

/* Without samples.csv the intervals decide. */
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
    snprintf(path, sizeof path, "%s/w-b/results.csv", scratch); /* the file will do */
    b = read_run(path);
    struct diff d = compare(&a, &b);
    assert_true(point_of(&d, "slow")->effect->from_interval);
    assert_int_equal(point_of(&d, "slow")->verdict, VERDICT_SLOW);
    assert_int_equal(point_of(&d, "fast")->verdict, VERDICT_FAST);
    assert_non_null(strstr(d.changes.bytes, "has no run.json"));
    diff_free(&d);
    results_free(&a);
    results_free(&b);
}

#define COUNTED(kernel, counts)                                                                    \
    "1,cuda,D," kernel ",int32,sum,16,64,1,1,cold,kernel,ok,,,,,,," counts ",1\n"

/* Counts: exact where the kernel fixes them, to the minimum effect where it does not. */
static void test_counts(void **state)
{
    (void)state;
    struct results a = read_run(put("c-a", "results.csv",
                                    HEADER COUNTED("k", "1000,0.5") COUNTED("l", "1000,0.5")
                                        COUNTED("m", ",0.5")));
    struct results b = read_run(put("c-b", "results.csv",
                                    HEADER COUNTED("k", "1000,0.504") COUNTED("l", "1001,0.6")
                                        COUNTED("m", "5,0.5")));
    struct diff d = compare(&a, &b);
    assert_int_equal(d.all->timed, 0);
    assert_int_equal(d.metrics.count, 2);
    assert_true(d.metrics.items[0].deterministic);
    assert_int_equal(d.metrics.items[0].both, 2);
    assert_int_equal(d.metrics.items[0].equal, 1); /* 1000 and 1001 are not the same count */
    assert_float_equal(d.metrics.items[0].largest, 1.001, 1e-12);
    assert_false(d.metrics.items[1].deterministic);
    assert_int_equal(d.metrics.items[1].both, 3);
    assert_int_equal(d.metrics.items[1].equal, 2); /* 0.8 % apart is within 1 % */
    assert_float_equal(d.metrics.items[1].largest, 1.2, 1e-12);
    assert_string_equal(d.metrics.items[0].rule, "");
    assert_float_equal(d.metrics.items[0].geometric_mean, sqrt(1.001), 1e-12);
    assert_float_equal(d.metrics.items[1].geometric_mean, cbrt(1.008 * 1.2), 1e-12);
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

/* Published numbers are rounded: 25.01 and 25.0122 agree, 25.02 does not, and counts are exact. */
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
    struct diff d = compare(&a, &b);
    assert_int_equal(d.metrics.count, 1);
    assert_int_equal(d.metrics.items[0].both, 3);
    assert_int_equal(d.metrics.items[0].equal, 1);
    diff_free(&d);
    results_free(&a);
    results_free(&b);
}

#define DEVICE(name, chip, cc)                                                                     \
    "{\n\"schema\": 1,\n\"status\": \"complete\",\n\"provenance\": {\"device\": {\"backend\": "    \
    "\"cuda\", \"name\": \"" name "\", \"chip\": \"" chip "\", \"compute_capability\": \"" cc      \
    "\", \"driver\": \"" cc "\"}, \"kernels\": [{\"name\": \"k\", \"source_hash\": \"" chip        \
    "\"}], \"config\": {\"name\": \"x\", \"blocks\": " cc                                          \
    "}},\n\"columns\": [],\n\"rows\": [\n]\n}\n"
#define ROW(device, block, times)                                                                  \
    "1,cuda," device ",k,int32,sum,16," block ",1,1,cold,kernel,ok,," times "\n"

/*
 * Two devices: a's winner (block 64) takes 8 µs on b, whose own takes 5: it costs 60 %. The ranks
 * 1 2 3 4 become 2 1 3 4: Spearman 1 − 6 · 2 / (4 · 15) = 0.8.
 */
static void test_two_devices(void **state)
{
    (void)state;
    put("t-a", "results.json", DEVICE("K80", "GK210", "3.7"));
    put("t-b", "results.json", DEVICE("H200", "GH100", "9.0"));
    struct results a = read_run(
        put("t-a", "results.csv",
            HEADER ROW("K80", "64", "10,9,11,50,,7,,1") ROW("K80", "128", "20,19,21,25,,7,,1")
                ROW("K80", "256", "30,29,31,20,,7,,1") ROW("K80", "512", "40,39,41,10,,7,,1")));
    struct results b = read_run(
        put("t-b", "results.csv",
            HEADER ROW("H200", "64", "8,7,9,5,,28,,1") ROW("H200", "128", "5,4,6,8,,28,,1")
                ROW("H200", "256", "9,8,10,4,,28,,1") ROW("H200", "512", "10,9,11,2,,28,,1")));
    struct diff d = compare(&a, &b);
    assert_false(d.same_device);
    assert_int_equal(d.all->verdicts[VERDICT_NONE], 4); /* times are not judged */
    assert_float_equal(d.all->share_a, 22.5, 1e-12);
    assert_float_equal(d.all->share_b, 4.5, 1e-12);
    assert_int_equal(d.transfers.count, 1);
    assert_float_equal(d.transfers.items[0].correlation, 0.8, 1e-12);
    assert_float_equal(d.transfers.items[0].cost, 1.6, 1e-12);
    assert_int_equal(d.transfers.items[0].winner_a, 0);
    assert_int_equal(d.transfers.items[0].winner_b, 1);
    assert_string_equal(d.metrics.items[0].rule,
                        "one counts lines of 128 bytes, the other sectors of 32 bytes");
    assert_non_null(strstr(d.changes.bytes, "device: K80 -> H200\n"));
    assert_non_null(strstr(d.changes.bytes, "driver: 3.7 -> 9.0\n"));
    assert_non_null(strstr(d.changes.bytes, "source code of kernels: k\n"));
    assert_non_null(strstr(d.changes.bytes, "config: blocks\n"));
    diff_free(&d);
    results_free(&a);
    results_free(&b);
}

/* A run of the GPU may hold rows of the CPU: those of another host are not judged. */
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
    struct diff d = compare(&a, &b);
    assert_true(d.same_device);
    assert_int_equal(point_of(&d, "k")->verdict, VERDICT_UNKNOWN); /* ± 10 % */
    assert_int_equal(point_of(&d, "c")->verdict, VERDICT_NONE);
    diff_free(&d);
    d = compare(&a, &a);
    assert_int_equal(point_of(&d, "c")->verdict, VERDICT_SAME);
    diff_free(&d);
    results_free(&a);
    results_free(&b);
}

/* Ceilings, clocks and throttling stand among what changed. */
static void test_conditions(void **state)
{
    (void)state;
    const char *json = "{\n\"schema\": 1,\n\"provenance\": {},\n\"conditions\": [\n"
                       "{\"ceilings_start\": {\"read_gbs\": 1}},\n"
                       "{\"ceilings_start\": {\"read_gbs\": %d}}\n],\n\"rows\": [\n]\n}\n";
    const char *rows = "kernel,type,op,n,block,unroll,grid,cache,scope,status,sm_clock_mhz,"
                       "throttle\nk,int32,sum,16,64,1,1,cold,kernel,ok,%s\n";
    char text[1024];
    struct results runs[2];
    for (int i = 0; i < 2; i++) {
        const char *folder = i ? "cond-b" : "cond-a";
        snprintf(text, sizeof text, json, i ? 4400 : 4600);
        put(folder, "results.json", text);
        snprintf(text, sizeof text, rows, i ? "1500,power_cap" : "1980,");
        runs[i] = read_run(put(folder, "results.csv", text));
    }
    struct diff d = compare(&runs[0], &runs[1]);
    assert_string_equal(d.changes.bytes, "achievable read bandwidth (GB/s): 4600 -> 4400\n"
                                         "points measured while the clock was throttled: 0 -> 1\n"
                                         "SM clock while timing (MHz, median): 1980 -> 1500\n");
    diff_free(&d);
    d = compare(&runs[0], &runs[0]);
    assert_null(d.changes.bytes);
    diff_free(&d);
    results_free(&runs[0]);
    results_free(&runs[1]);
}

static void assert_cell(const struct table *t, size_t row, const char *column, const char *cell)
{
    assert_true(table_column(t, column) >= 0);
    assert_string_equal(table_cell(t, row, table_column(t, column)), cell);
}

/* What programs read: CSV that parses and holds every point with its names, JSON that agrees. */
static void test_outputs(void **state)
{
    (void)state;
    struct results a = planned_run("o-a", before, PLANNED), b = planned_run("o-b", after, 7);
    struct diff d = compare(&a, &b);
    char *bytes = written(&d, view_write_csv, NULL);
    struct table t;
    assert_true(table_parse("diff.csv", bytes, strlen(bytes), &t, NULL));
    assert_int_equal(t.row_count, PLANNED);
    for (size_t row = 0; row < PLANNED; row++)
        for (int i = 0; i < AXIS_COUNT; i++)
            if (table_column(&a.rows, axis_table[i].name) >= 0) /* an axis that the runs have */
                assert_cell(&t, row, axis_table[i].name, results_axis(&a, row, (enum axis_index)i));
    assert_cell(&t, 0, "kernel", "slow");
    assert_cell(&t, 0, "n", "16");
    assert_cell(&t, 0, "block", "64");
    assert_cell(&t, 0, "verdict", "SLOW");
    assert_cell(&t, 7, "verdict", "ONLY_A");
    assert_cell(&t, 7, "status_a", "ok");
    assert_cell(&t, 7, "status_b", "");
    assert_float_equal(table_number(&t, 0, table_column(&t, "ratio")), 1.05, 1e-12);
    assert_cell(&t, PLANNED - 1, "verdict", "ONLY_A");
    table_free(&t);
    bytes = written(&d, view_write_json, NULL);
    cJSON *o = cJSON_Parse(bytes);
    assert_non_null(o);
    free(bytes);
    assert_int_equal(cJSON_GetObjectItem(o, "schema")->valueint, 2);
    const cJSON *points = cJSON_GetObjectItem(o, "points"),
                *kernels = cJSON_GetObjectItem(o, "kernels");
    assert_int_equal(cJSON_GetArraySize(points), PLANNED);
    assert_string_equal(cJSON_GetObjectItem(cJSON_GetArrayItem(points, 0), "kernel")->valuestring,
                        "slow");
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(cJSON_GetArrayItem(points, 7), "ratio")));
    const cJSON *all = cJSON_GetArrayItem(kernels, cJSON_GetArraySize(kernels) - 1);
    assert_string_equal(cJSON_GetObjectItem(all, "kernel")->valuestring, "all");
    assert_int_equal(cJSON_GetObjectItem(all, "SLOW")->valueint, 1);
    cJSON_Delete(o);
    diff_free(&d);
    results_free(&a);
    results_free(&b);
}

/* What people read: every line of the tables, whole. */
static void test_text(void **state)
{
    (void)state;
    struct results a = planned_run("p-a", before, PLANNED), b = planned_run("p-b", after, 8);
    struct diff d = compare(&a, &b);
    char *text = written(&d, view_write_text, NULL);
    assert_says(text, "8 points are in both runs, 2 only in a, 0 only in b.");
    assert_says(text, "only in a: heals (1), left (1)");
    assert_says(text, "Times of b against a: points by verdict, then each kernel over all its "
                      "problems, at a minimum\neffect of 1 %");
    assert_says(text, "  kernel  points  FAST  SLOW  SAME  UNKNOWN  verdict   change  from  to  "
                      "detectable\n");
    /* one problem is too few for a verdict on a kernel */
    assert_says(text, "  slow         1     0     1     0        0  UNKNOWN   +5.0 %\n");
    assert_says(text, "Points that are ok in a and missing in b:\n  kernel  vanished  not run  "
                      "failed\n");
    assert_says(text, "  left           1        0       0\n");
    assert_says(text, "No longer right: 1\n");
    assert_says(text, "  breaks  int32  sum  16  cold   kernel  block 64  ok  wrong\n");
    assert_says(text, "Slower:\n  kernel  type   op    n  cache  scope   setting   ");
    assert_says(text, "  a µs    b µs  change    from      to  ");
    assert_says(text, "  slow    int32  sum  16  cold   kernel  block 64    10  10.500  +5.0 %  ");
    assert_says(text, "  fast    int32  sum  16  cold   kernel  block 64    10  9.5000  -5.0 %  ");
    assert_says(text, "\nExit code 1: slower: 1 point; wrong: 1 point; missing: 1 point vanished. "
                      "Besides, faster: 1 point; the same: 2 points; unknown: 3 points.\n");
    free(text);
    text = written(&d, view_write_csv, "slower"); /* every table has every output */
    struct table t;
    assert_true(table_parse("slower.csv", text, strlen(text), &t, NULL));
    assert_int_equal(t.row_count, 1);
    assert_cell(&t, 0, "kernel", "slow");
    table_free(&t);
    text = written(&d, view_write_html, NULL);
    assert_says(text, "<tr class=\"bad\"><td>breaks</td><td>int32</td><td>sum</td><td class=\"n\" "
                      "data-v=\"16\">16</td>");
    assert_says(text, "<title>redsweep: ");
    free(text);
    diff_free(&d);
    results_free(&a);
    results_free(&b);
}

/*
 * 20 points, of which a second run differs by 1, 2, … 20 %: 95 of 100 differ by 19 % or less.
 * Points of two devices have no spread.
 */
static void test_spread(void **state)
{
    (void)state;
    struct planned x[20], y[20];
    char names[20][4];
    for (int i = 0; i < 20; i++) {
        snprintf(names[i], sizeof names[i], "k%d", i);
        x[i] = (struct planned){names[i], "ok", 10, 0.01, 20};
        double change = 1 + (i + 1) / 100.0; /* up and down by turns */
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
    assert_non_null(strstr(e.text, "no times of one device in common"));
    results_free(&a);
    results_free(&b);
}

/* Runs the command with its output thrown away. */
static int run_diff(int count, const char **arguments, struct error *e)
{
    fflush(stdout);
    int saved = dup(1);
    assert_non_null(freopen("/dev/null", "w", stdout));
    int code = command_diff(count, (char **)(uintptr_t)arguments, e);
    fflush(stdout);
    dup2(saved, 1);
    close(saved);
    return code;
}
#define DIFF(...)                                                                                  \
    run_diff((int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)),                        \
             (const char *[]){__VA_ARGS__}, &e)

static void test_exit_codes(void **state)
{
    (void)state;
    static struct error e;
    const struct planned *plans[] = {&before[0], &after[0], &before[6], &after[6]};
    const char *names[] = {"e-1", "e-2", "e-3", "e-4"};
    char quick[64], slow[64], few[64], fewer[64], csv[64], *paths[] = {quick, slow, few, fewer};
    for (int i = 0; i < 4; i++) {
        struct results r = planned_run(names[i], plans[i], 1);
        results_free(&r);
        snprintf(paths[i], sizeof quick, "%s/%s", scratch, names[i]);
    }
    snprintf(csv, sizeof csv, "%s/diff.csv", scratch);
    assert_int_equal(DIFF(quick, slow), 1);
    assert_int_equal(DIFF(slow, quick), 0); /* faster is never a failure */
    assert_int_equal(DIFF(quick, quick), 0);
    assert_int_equal(DIFF(quick, slow, "--least-effect=10%"), 0);
    assert_int_equal(DIFF(quick, slow, "--fail-on=wrong,missing,counts"), 0);
    assert_int_equal(DIFF(quick, slow, "--fail-on=none"), 0);
    assert_int_equal(DIFF(quick, slow, "--fail-on=counts,slow"), 1);
    assert_int_equal(DIFF(quick, slow, "--fail-on=slower"), 2);
    assert_int_equal(DIFF(quick, slow, "--aa", slow), 0); /* as far apart as the same is */
    assert_int_equal(DIFF(quick, slow, "--aa", quick), 1);
    assert_int_equal(DIFF(quick, slow, "--aa", quick, "--least-effect=1"), 2);
    assert_int_equal(DIFF(few, fewer), 0);
    assert_int_equal(DIFF(few, fewer, "--strict"), 3);
    assert_int_equal(DIFF(quick, slow, "--strict"), 1);
    assert_int_equal(DIFF(quick, slow, "--csv", csv), 1);
    assert_int_equal(access(csv, R_OK), 0);
    assert_int_equal(DIFF(quick, few), 2); /* nothing in common */
    assert_int_equal(DIFF(quick), 2);
    assert_non_null(strstr(e.text, "needs two runs"));
    assert_int_equal(DIFF(quick, "/nowhere"), 2);
    assert_int_equal(DIFF(quick, slow, "--rate=x"), 2);
    assert_int_equal(DIFF(quick, slow, "--json", "/nowhere/x.json"), 2);
    assert_non_null(strstr(e.text, "/nowhere/x.json"));
}

/* A run of two points that count; the second one's status is `status`. */
static struct results counted_run(const char *folder, const char *first, const char *status,
                                  const char *efficiency)
{
    char csv[1024];
    snprintf(csv, sizeof csv,
             "kernel,type,op,n,block,unroll,grid,cache,scope,status,time_us_median,"
             "gld_transactions,gld_efficiency\n"
             "k,int32,sum,16,64,1,1,cold,kernel,ok,,%s,%s\n"
             "l,int32,sum,16,64,1,1,cold,kernel,%s,,7,50\n",
             first, efficiency, status);
    return read_run(put(folder, "results.csv", csv));
}

static void assert_concludes(const struct results *a, const struct results *b, unsigned fail_on,
                             int code, const char *line)
{
    const struct diff_options how = {.minimum_effect = 0.01, .rate = 0.05, .fail_on = fail_on};
    struct diff d;
    static struct error e;
    assert_true(diff_runs(a, b, &how, &d, &e));
    char *conclusion = diff_conclusion(&d, false);
    assert_int_equal(diff_exit_code(&d, false), code);
    assert_string_equal(conclusion, line);
    free(conclusion);
    diff_free(&d);
}

/* What is no matter of times: counts, lost points, wrong results; each alone, and not asked for. */
static void test_findings(void **state)
{
    (void)state;
    struct results a = counted_run("f-a", "1000", "ok", "50");
    struct results more = counted_run("f-more", "2000", "ok", "50");
    struct results loose = counted_run("f-loose", "1000", "ok", "40");
    struct results skipped = counted_run("f-skip", "1000", "skipped", "50");
    struct results crashed = counted_run("f-crash", "1000", "crashed", "50");
    struct results wrong = counted_run("f-wrong", "1000", "wrong", "50");
    const unsigned usually = FAIL_BY_DEFAULT, every = usually - 1;
    const char *fine = "Exit code 0: nothing fails. No times to compare.";
    assert_concludes(&a, &a, usually, 0, fine);
    assert_concludes(&a, &more, usually, 1,
                     "Exit code 1: worse counts: 1 value. No times to compare.");
    assert_concludes(&more, &a, every, 0,
                     "Exit code 0: nothing fails. Found: better counts: 1 value. No times to "
                     "compare.");
    assert_concludes(&a, &more, FAIL_SLOW | FAIL_MISSING, 0,
                     "Exit code 0: nothing fails. Found: worse counts: 1 value. No times to "
                     "compare.");
    assert_concludes(&a, &loose, usually, 1, /* a share of the best: less is worse */
                     "Exit code 1: worse counts: 1 value. No times to compare.");
    assert_concludes(&a, &skipped, usually, 1,
                     "Exit code 1: missing: 1 not run. No times to compare.");
    assert_concludes(&a, &crashed, usually, 1,
                     "Exit code 1: missing: 1 failed. No times to compare.");
    assert_concludes(&a, &wrong, usually, 1, "Exit code 1: wrong: 1 point. No times to compare.");
    assert_concludes(&wrong, &a, every, 0,
                     "Exit code 0: nothing fails. Found: ok again: 1 point. No times to compare.");
    assert_concludes(&skipped, &a, every, 0, fine); /* what a did not have cannot be lost */
    assert_concludes(&a, &wrong, FAIL_COUNTS, 0,
                     "Exit code 0: nothing fails. Found: wrong: 1 point. No times to compare.");
    struct results *runs[] = {&a, &more, &loose, &skipped, &crashed, &wrong};
    for (int i = 0; i < 6; i++)
        results_free(runs[i]);
}

#define CARD(uuid)                                                                                 \
    "{\n\"schema\": 1,\n\"status\": \"complete\",\n\"provenance\": {\"device\": {\"backend\": "    \
    "\"cuda\", \"name\": \"D\", \"uuid\": " uuid "}},\n\"columns\": [],\n\"rows\": [\n]\n}\n"

/* Two cards of one model: no verdict on times, unless the options say so. */
static void test_two_cards(void **state)
{
    (void)state;
    put("card-a", "results.json", CARD("\"GPU-1\""));
    put("card-b", "results.json", CARD("\"GPU-2\""));
    put("card-c", "results.json", CARD("null"));
    struct results a = planned_run("card-a", before, 1), b = planned_run("card-b", after, 1),
                   c = planned_run("card-c", after, 1);
    struct diff d = compare(&a, &b);
    assert_true(d.other_card && !d.same_device);
    assert_int_equal(point_of(&d, "slow")->verdict, VERDICT_NONE);
    char *line = diff_conclusion(&d, true);
    assert_string_equal(line, "Exit code 0: nothing fails. Two cards of one model: no verdict on "
                              "times without --across-cards.");
    free(line);
    diff_free(&d);
    struct diff_options across = usual;
    across.across_cards = true;
    assert_true(diff_runs(&a, &b, &across, &d, NULL));
    assert_int_equal(point_of(&d, "slow")->verdict, VERDICT_SLOW);
    assert_int_equal(diff_exit_code(&d, false), 1);
    diff_free(&d);
    d = compare(&a, &c); /* a card that is not known may be the same one */
    assert_int_equal(point_of(&d, "slow")->verdict, VERDICT_SLOW);
    diff_free(&d);
    results_free(&a);
    results_free(&b);
    results_free(&c);
}

/* For merge requests: the conclusion first, a failure per bad row. */
static void test_merge_requests(void **state)
{
    (void)state;
    struct results a = planned_run("m-a", before, PLANNED), b = planned_run("m-b", after, 8);
    struct diff d = compare(&a, &b);
    char *text = written(&d, view_write_markdown, NULL);
    assert_says(text, "### redsweep: ");
    assert_says(text, "\n\n**Exit code 1: slower: 1 point; wrong: 1 point;");
    assert_says(text, "| kernel | points | FAST | SLOW | SAME | UNKNOWN | verdict | change | from |"
                      " to | detectable |\n| --- | ---: |");
    assert_says(text, "\n| slow | 1 | 0 | 1 | 0 | 0 | UNKNOWN | +5.0 % |  |  |  |\n");
    assert_says(text, "\n| **slow** | **int32** | **sum** | **16** | **cold** | **kernel** | "
                      "**block 64** | **10** | **10.500** | **+5.0 %** |");
    free(text);
    text = written(&d, view_write_junit, NULL);
    assert_says(text, "\" tests=\"11\" failures=\"3\" errors=\"0\" skipped=\"0\">\n");
    assert_says(text, "  <testcase classname=\"redsweep.kernels\" name=\"fast\"/>\n");
    assert_says(text, "  <testcase classname=\"redsweep.missing\" name=\"left\"><failure message=\""
                      "vanished 1, not run 0, failed 0\"/></testcase>\n");
    assert_says(text, "name=\"slow, int32, sum, 16, cold, kernel, block 64\"><failure message=\"a "
                      "µs 10, b µs 10.500, change +5.0 %");
    assert_says(text, "<system-out>Exit code 1: ");
    free(text);
    diff_free(&d);
    results_free(&a);
    results_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_findings),       cmocka_unit_test(test_two_cards),
        cmocka_unit_test(test_merge_requests), cmocka_unit_test(test_no_match_is_an_error),
        cmocka_unit_test(test_verdicts),       cmocka_unit_test(test_corners),
        cmocka_unit_test(test_largest),        cmocka_unit_test(test_without_samples),
        cmocka_unit_test(test_counts),         cmocka_unit_test(test_two_devices),
        cmocka_unit_test(test_outputs),        cmocka_unit_test(test_text),
        cmocka_unit_test(test_spread),         cmocka_unit_test(test_rows_of_two_devices),
        cmocka_unit_test(test_conditions),     cmocka_unit_test(test_rounded_counts),
        cmocka_unit_test(test_exit_codes),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
