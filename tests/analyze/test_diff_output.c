/*
 * Checks what a comparison prints for people and for programs: text, CSV, JSON, HTML, Markdown,
 * JUnit, the conclusion, and the exit code.
 */
#include "planned.h"

#include <cjson/cJSON.h>

#include "analyze/diff_arguments.h"
#include "../table/cells.h"

static void assert_cell(const struct table *t, size_t row, const char *column, const char *cell)
{
    assert_true(table_column(t, column) >= 0);
    assert_string_equal(table_cell(t, row, table_column(t, column)), cell);
}

/* The CSV can be parsed and has every point with its axes. The JSON has the same content. */
static void test_outputs(void **state)
{
    (void)state;
    struct results a = planned_run("o-a", before, PLANNED), b = planned_run("o-b", after, 7);
    struct diff d;
    compare(&a, &b, &d);
    char *bytes = written(&d, view_write_csv, NULL);
    struct table t;
    assert_true(table_parse("diff.csv", bytes, strlen(bytes), NULL, NULL, &t, NULL));
    assert_int_equal(t.row_count, PLANNED);
    for (size_t row = 0; row < PLANNED; row++)
        for (int i = 0; i < AXIS_COUNT; i++)
            /* The runs have a column for this axis. */
            if (table_column(&a.rows, axis_table[i].name) >= 0)
                assert_cell(&t, row, axis_table[i].name, results_axis(&a, row, (enum axis_index)i));
    assert_cell(&t, 0, "kernel", "slow");
    assert_cell(&t, 0, "n", "16");
    assert_cell(&t, 0, "block", "64");
    assert_cell(&t, 0, "verdict", "SLOW");
    assert_cell(&t, 7, "verdict", "ONLY_A");
    assert_cell(&t, 7, "status_a", "ok");
    assert_cell(&t, 7, "status_b", "");
    assert_near(table_number(&t, 0, table_column(&t, "ratio")), 1.05, 1e-12);
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

/* Returns the length of the rest of `text` that begins with the first `part`, or 0 if `text` does
 * not contain `part`. */
static size_t length_from(const char *text, const char *part)
{
    const char *found = strstr(text, part);
    return found ? strlen(found) : 0;
}

/* Checks the text for people line by line. */
static void test_text(void **state)
{
    (void)state;
    struct results a = planned_run("p-a", before, PLANNED), b = planned_run("p-b", after, 8);
    struct diff d;
    compare(&a, &b, &d);
    char *text = written(&d, view_write_text, NULL);
    texts_expect("a text for people", text); /* one problem is too few for a verdict on a kernel */
    free(text);
    text = written(&d, view_write_csv, "slower"); /* every output has every table */
    struct table t;
    assert_true(table_parse("slower.csv", text, strlen(text), NULL, NULL, &t, NULL));
    assert_int_equal(t.row_count, 1);
    assert_cell(&t, 0, "kernel", "slow");
    table_free(&t);
    text = written(&d, view_write_html, NULL);
    assert_says(text, "<tr class=\"bad\"><th scope=\"row\" class=\"key\">breaks</th>"
                      "<td class=\"n\">16</td><td>block 64</td><td>int32</td><td>sum</td>");
    const char *conclusion = strstr(text, "<p class=\"conclusion fail\">");
    assert_non_null(conclusion);
    texts_expect_until("</ul>", "the conclusion of a page", conclusion);
    /* The page starts with its links, then shows the changes, and ends with the unchanged
     * winners. */
    size_t compared = length_from(text, "<h2 id=\"compared\">"),
           winners = length_from(text, "<h2 id=\"winners\">");
    assert_true(length_from(text, "<p>Slower:") > compared && compared > winners && winners > 0);
    assert_says(text, "id=\"rows-table\""); /* all points */
    assert_says(text, "<title>redsweep: ");
    free(text);
    diff_free(&d);
    results_free(&a);
    results_free(&b);
}

/* A SLOW kernel counts as bad only if --fail-on includes slow. */
static void test_bad_kernels(void **state)
{
    (void)state;
    struct results a = planned_run("k-a", before, PLANNED), b = planned_run("k-b", after, 8);
    for (int asked = 0; asked < 2; asked++) {
        struct diff_options how = usual;
        how.fail_on = asked ? FAIL_SLOW : FAIL_WRONG;
        struct diff d;
        static struct error e;
        assert_true(diff_runs(&a, &b, &how, &d, &e));
        /* The test sets the verdicts, because a single problem is not enough for a verdict on a
         * kernel. */
        for (size_t i = 0; i < d.kernels.texts.count; i++)
            d.times.kernels[i].verdict = TIME_SLOW;
        char *text = written(&d, view_write_html, NULL);
        assert_int_equal(
            strstr(text, "<tr class=\"bad\"><th scope=\"row\" class=\"key\">same<") != NULL, asked);
        free(text);
        diff_free(&d);
    }
    results_free(&a);
    results_free(&b);
}

/* If one of the runs lacks an axis, this axis is not used to match points, and the output names the
 * axis. */
static void test_unmatched_axes(void **state)
{
    (void)state;
    struct results a = read_run(put("x-a", "results.csv",
                                    "kernel,type,op,n,block,unroll,cache,scope,status\n"
                                    "k,int32,sum,16,64,,,kernel,ok\n"));
    struct results b = read_run(put("x-b", "results.csv",
                                    "kernel,type,op,n,block,unroll,cache,scope,status\n"
                                    "k,int32,sum,16,64,1,cold,kernel,ok\n"));
    struct diff d;
    compare(&a, &b, &d);
    char *text = written(&d, view_write_text, NULL);
    texts_expect("axes that only one run has", text);
    free(text);
    diff_free(&d);
    compare(&b, &b, &d);
    text = written(&d, view_write_text, NULL);
    texts_expect("axes that both runs have", text);
    free(text);
    diff_free(&d);
    results_free(&a);
    results_free(&b);
}

/* Runs the command and discards its output. */
static int run_diff(int count, const char **arguments, struct error *e)
{
    fflush(stdout);
    int saved = dup(1);
    assert_non_null(freopen("/dev/null", "w", stdout));
    int code = diff_command(count, (char **)(uintptr_t)arguments, NULL, e);
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
    assert_int_equal(DIFF(slow, quick), 0); /* Getting faster never fails. */
    assert_int_equal(DIFF(quick, quick), 0);
    assert_int_equal(DIFF(quick, slow, "--min-effect=10%"), 0);
    assert_int_equal(DIFF(quick, slow, "--fail-on=wrong,missing"), 0);
    assert_int_equal(DIFF(quick, slow, "--fail-on=wrong,missing,counts"),
                     2); /* The runs have no counts. */
    assert_int_equal(DIFF(quick, slow, "--fail-on=none"), 0);
    assert_int_equal(DIFF(quick, slow, "--fail-on=counts,slow"), 1);
    assert_int_equal(DIFF(quick, slow, "--fail-on=slower"), 2);
    /* The runs differ no more than two runs of one version. */
    assert_int_equal(DIFF(quick, slow, "--aa", slow), 0);
    assert_int_equal(DIFF(quick, slow, "--aa", quick), 1);
    assert_int_equal(DIFF(quick, slow, "--aa", quick, "--min-effect=1"), 2);
    assert_int_equal(DIFF(few, fewer), 0);
    assert_int_equal(DIFF(few, fewer, "--strict"), 3);
    assert_int_equal(DIFF(quick, slow, "--strict"), 1);
    assert_int_equal(DIFF(quick, slow, "--csv", csv), 1);
    assert_int_equal(access(csv, R_OK), 0);
    assert_int_equal(DIFF(quick, few), 2); /* The runs share no point. */
    assert_int_equal(DIFF(quick), 2);
    texts_expect("diff of one run", e.text);
    assert_int_equal(DIFF(quick, "/nowhere"), 2);
    assert_int_equal(DIFF(quick, slow, "--error-rate=x"), 2);
    assert_int_equal(DIFF(quick, slow, "--json", "/nowhere/x.json"), 2);
    assert_non_null(strstr(e.text, "/nowhere/x.json"));
}

/* Returns a run of two points with counts. The second point has the status `status`. */
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
                             int code, const char *name)
{
    const struct diff_options how = {
        .minimum_effect = 0.01, .error_rate = 0.05, .fail_on = fail_on};
    struct diff d;
    static struct error e;
    assert_true(diff_runs(a, b, &how, &d, &e));
    char *conclusion = diff_conclusion(&d, false);
    assert_int_equal(diff_exit_code(&d, false), code);
    texts_expect(name, conclusion);
    free(conclusion);
    diff_free(&d);
}

/* Changed counts, lost points and wrong results are reported even without times. Checks the exit
 * code for each of these, with a --fail-on that includes it and with one that does not. */
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
    assert_concludes(&a, &a, usually, 0, "a run and itself");
    assert_concludes(&a, &more, usually, 1, "more transactions");
    assert_concludes(&more, &a, every, 0, "fewer transactions, when nothing fails");
    assert_concludes(&a, &more, FAIL_WRONG | FAIL_MISSING, 0,
                     "more transactions, which do not fail");
    assert_concludes(&a, &loose, usually, 1, "a lower share of the best, which is worse");
    assert_concludes(&a, &skipped, usually, 1, "a point that is skipped");
    assert_concludes(&a, &crashed, usually, 1, "a point that crashed");
    assert_concludes(&a, &wrong, usually, 1, "a point that is wrong");
    assert_concludes(&wrong, &a, every, 0, "a point that is right again");
    assert_concludes(&skipped, &a, every, 0, "a point that a did not have and cannot lose");
    assert_concludes(&a, &wrong, FAIL_COUNTS, 0, "a point that is wrong, where counts fail");
    struct results wrong_more = counted_run("f-wrong-more", "2000", "wrong", "50");
    /* The counts of a point are compared even if it is wrong in both runs. */
    assert_concludes(&wrong, &wrong, usually, 0, "a point that is wrong in both");
    assert_concludes(&wrong, &wrong_more, usually, 1,
                     "more transactions, and a point that is wrong in both");
    results_free(&wrong_more);
    struct diff d;
    compare(&a, &more, &d);
    char *text = written(&d, view_write_text, NULL);
    assert_says(text, "\n\nCounts:\n");
    free(text);
    diff_free(&d);
    struct results *runs[] = {&a, &more, &loose, &skipped, &crashed, &wrong};
    for (int i = 0; i < 6; i++)
        results_free(runs[i]);
}

/* If the runs share nothing that could have made the comparison fail, it exits with 2. Runs in
 * which all points were skipped have neither times nor counts, so comparing them exits with 2 for
 * every --fail-on. */
static void test_nothing_compared(void **state)
{
    (void)state;
    struct results bare = counted_run("z-a", "", "ok", ""); /* only l has counts */
    struct results other = counted_run("z-b", "1000", "wrong", "50");
    struct results failed = read_run(put("z-c", "results.csv",
                                         "kernel,type,op,n,block,unroll,cache,scope,status,"
                                         "time_us_median\n"
                                         "k,int32,sum,16,64,1,cold,kernel,skipped,\n"));
    struct results loose = read_run(put("z-d", "results.csv",
                                        "kernel,type,op,n,block,unroll,cache,scope,status,"
                                        "achieved_occupancy\n"
                                        "k,int32,sum,16,64,1,cold,kernel,ok,0.5\n"));
    assert_concludes(&bare, &other, FAIL_COUNTS, 2, "no count in both, where counts fail");
    assert_concludes(&bare, &other, FAIL_BY_DEFAULT, 1, "no count in both");
    assert_concludes(&bare, &bare, FAIL_SLOW, 2, "no times, where times fail");
    assert_concludes(&bare, &bare, FAIL_SLOW | FAIL_COUNTS, 0,
                     "no times, where times and counts fail");
    assert_concludes(&failed, &failed, FAIL_BY_DEFAULT, 2, "all is skipped in both");
    assert_concludes(&failed, &failed, 0, 2, "all is skipped in both, where nothing fails");
    assert_concludes(&failed, &failed, FAIL_WRONG, 2,
                     "all is skipped in both, where wrong points fail");
    assert_concludes(&bare, &bare, FAIL_WRONG, 0, "no times, where wrong points fail");
    assert_concludes(&loose, &loose, FAIL_BY_DEFAULT, 2, "no exact count");
    struct diff d;
    compare(&failed, &failed, &d);
    assert_int_equal(diff_exit_code(&d, true), 2); /* --strict does not change the exit code. */
    char *text = written(&d, view_write_junit, NULL);
    texts_expect("nothing was compared: JUnit", text);
    free(text);
    text = written(&d, view_write_markdown, NULL);
    texts_expect("nothing was compared: Markdown", text);
    free(text);
    diff_free(&d);
    struct results *runs[] = {&bare, &other, &failed, &loose};
    for (int i = 0; i < 4; i++)
        results_free(runs[i]);
}

/* Simulator runs have times for functions that run on the CPU. These do not make up for missing
 * counts. */
static void test_times_of_the_cpu(void **state)
{
    (void)state;
    const char *rows = HEADER "1,sim,S,k,int32,sum,16,64,1,1,cold,kernel,ok,,,,,,,%s,,1\n"
                              "2,cpu,C,c,int32,sum,16,1,1,1,cold,kernel,ok,,10,9,11,,,,,1\n";
    const char *counts[] = {"7", "8", ""};
    struct results runs[3];
    char csv[1024];
    for (int i = 0; i < 3; i++) {
        const char *folders[] = {"cpu-a", "cpu-b", "cpu-c"};
        snprintf(csv, sizeof csv, rows, counts[i]);
        runs[i] = read_run(put(folders[i], "results.csv", csv));
    }
    assert_concludes(&runs[0], &runs[1], FAIL_BY_DEFAULT, 1, "a count beside a time of the CPU");
    assert_concludes(&runs[0], &runs[2], FAIL_BY_DEFAULT, 2, "a time of the CPU alone");
    for (int i = 0; i < 3; i++)
        results_free(&runs[i]);
}

/* A point that is right in both runs but was timed in only one is reported as missing, whichever
 * run lacks the time, and whether the cell is empty or 0. */
static void test_untimed(void **state)
{
    (void)state;
    const char *rows = HEADER "1,cuda,D,k,int32,sum,16,64,1,1,cold,kernel,ok,,10,9,11,,,,,1\n"
                              "2,cuda,D,l,int32,sum,16,64,1,1,cold,kernel,ok,,%s,,,,,,,1\n";
    const char *lacks[] = {"", "0"};
    char csv[1024];
    snprintf(csv, sizeof csv, rows, "12");
    struct results timed = read_run(put("u-a", "results.csv", csv));
    for (int i = 0; i < 2; i++) {
        snprintf(csv, sizeof csv, rows, lacks[i]);
        struct results not_timed = read_run(put("u-b", "results.csv", csv));
        assert_concludes(&timed, &not_timed, FAIL_BY_DEFAULT, 1, "no time in b");
        assert_concludes(&not_timed, &timed, FAIL_BY_DEFAULT, 1, "no time in a");
        assert_concludes(&not_timed, &not_timed, FAIL_BY_DEFAULT, 0, "no time in either");
        struct diff d;
        compare(&timed, &not_timed, &d);
        assert_string_equal(verdict_name(point_of(&d, "l")->verdict), "UNTIMED");
        char *text = written(&d, view_write_text, NULL);
        texts_expect("timed in one run only: text", text);
        free(text);
        text = written(&d, view_write_junit, NULL);
        texts_expect("timed in one run only: JUnit", text);
        free(text);
        text = written(&d, view_write_markdown, NULL);
        texts_expect("timed in one run only: Markdown", text);
        free(text);
        diff_free(&d);
        results_free(&not_timed);
    }
    results_free(&timed);
}

/* The Markdown for merge requests begins with the conclusion. In JUnit, each bad row is a
 * failure. */
static void test_merge_requests(void **state)
{
    (void)state;
    struct results a = planned_run("m-a", before, PLANNED), b = planned_run("m-b", after, 8);
    struct diff d;
    compare(&a, &b, &d);
    char *text = written(&d, view_write_markdown, NULL);
    texts_expect("a merge request: Markdown", text);
    free(text);
    text = written(&d, view_write_junit, NULL);
    texts_expect("a merge request: JUnit", text);
    free(text);
    diff_free(&d);
    results_free(&a);
    results_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outputs),        cmocka_unit_test(test_text),
        cmocka_unit_test(test_exit_codes),     cmocka_unit_test(test_findings),
        cmocka_unit_test(test_merge_requests), cmocka_unit_test(test_unmatched_axes),
        cmocka_unit_test(test_bad_kernels),    cmocka_unit_test(test_nothing_compared),
        cmocka_unit_test(test_untimed),        cmocka_unit_test(test_times_of_the_cpu),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
