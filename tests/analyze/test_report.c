/*
 * Checks the content of the report page. No string from a run can break out of its HTML element,
 * and the page needs no other file. tests/browser tests the page's scripts in a browser.
 */
#include "analyze/report.h"

#include <sys/stat.h>

#include "fixture.h"

static char *page_of(const char *path)
{
    static struct error e;
    struct results r = read_run(path);
    struct view v = {0};
    struct report *w = report_view(&r, NULL, NULL, &v, &e);
    if (!w)
        fail_msg("%s", e.text);
    char *page;
    size_t length;
    FILE *f = open_memstream(&page, &length);
    view_write_html(&v, NULL, f);
    assert_int_equal(fclose(f), 0);
    view_free(&v);
    report_free(w);
    results_free(&r);
    return page;
}

static void expect(const char *page, const char *part)
{
    if (!strstr(page, part))
        fail_msg("the page does not contain: %s", part);
}

/* If the text begins with a tag, returns the end of the tag, or of the whole element if its
 * content is not prose. Returns NULL if the text begins with words. */
static const char *behind_tag(const char *at)
{
    static const char *const mute[][2] = {
        {"<style", "</style>"}, {"<script", "</script>"}, {"<svg", "</svg>"}, {"<", ">"}};
    for (int i = 0; i < 4; i++)
        if (strncmp(at, mute[i][0], strlen(mute[i][0])) == 0)
            return strstr(at, mute[i][1]) + strlen(mute[i][1]);
    return NULL;
}

/* Returns the words of a page between two strings, one line per element. A NULL `from` or `to`
 * stands for the beginning or the end of the page. */
static char *words_of(const char *page, const char *from, const char *to)
{
    struct text words = {0};
    const char *at = from ? strstr(page, from) : page, *end = to ? strstr(at, to) : NULL;
    assert_true(at && (end || !to));
    while (*at && (!end || at < end)) {
        const char *behind = behind_tag(at);
        size_t length = behind ? 0 : strcspn(at, "<\n");
        if (length > strspn(at, " "))
            text_append(&words, "%.*s\n", (int)length, at);
        at = behind ? behind : at + length + (at[length] == '\n');
    }
    return words.bytes;
}

static void expect_words(const char *page, const char *from, const char *to, const char *name)
{
    char *words = words_of(page, from, to);
    texts_expect(name, words);
    free(words);
}

/* Checks whether a table's head has this column. */
static void expect_heading(const char *heads, const char *heading, bool there)
{
    char cell[80];
    snprintf(cell, sizeof cell, ">%s</th>", heading);
    if ((strstr(heads, cell) != NULL) != there)
        fail_msg("the column %s is %s", heading, there ? "missing" : "there");
}

static void expect_order(const char *page, const char *first, const char *second)
{
    expect(page, first);
    const char *behind = strstr(page, first);
    if (!strstr(behind, second))
        fail_msg("%s does not come before %s", first, second);
}

static size_t count_of(const char *page, const char *part)
{
    size_t count = 0;
    for (; (page = strstr(page, part)); page += strlen(part))
        count++;
    return count;
}

/* A simulator run also has rows of functions that run on the CPU. They have times, but never
 * win. */
static void a_simulators_run_has_no_winner(void **state)
{
    (void)state;
    char *page = page_of("results/reference/sim-quick");
    const char *best = strstr(page, "<h2 id=\"best\"");
    assert_non_null(best);
    expect_words(best, NULL, "<h2 id=\"warnings", "best of a simulator's run");
    const char *next = strstr(best + 1, "<h2"), *cpu = strstr(best, "cpu_");
    assert_true(next && (!cpu || cpu > next));
    free(page);
}

static void the_page_of_a_run_that_goes_on_asks_for_itself_again(void **state)
{
    (void)state;
    struct view v = {.refresh_s = 5};
    char *page;
    size_t length;
    FILE *f = open_memstream(&page, &length);
    view_title(&v, "a run");
    view_write_html(&v, NULL, f);
    assert_int_equal(fclose(f), 0);
    expect(page, "<meta http-equiv=\"refresh\" content=\"5\">");
    free(page);
    view_free(&v);
}

/* Winners come first, and skipped points come last. */
static void rows_are_in_the_order_of_interest(void **state)
{
    (void)state;
    char *page = page_of(REAL_RUN);
    const char *rows = strstr(page, "<table id=\"rows-table\">");
    const char *first = strstr(rows, "<tbody>"), *end = strstr(first, "</tbody>");
    const char *best = strstr(first, "<tr class=\"best\">");
    assert_true(best && best < strstr(first, "<tr class=\"bad\">"));
    const char *last_best = best;
    while ((best = strstr(best + 1, "<tr class=\"best\">")) && best < end)
        last_best = best;
    for (const char *row = strstr(first, "<tr>"); row && row < end; row = strstr(row + 1, "<tr>"))
        assert_true(row > last_best);
    const char *skipped = strstr(first, ">skipped<");
    assert_non_null(skipped);
    for (const char *row = skipped; (row = strstr(row, "<tr")) && row < end; row++)
        assert_true(strncmp(row, "<tr class=\"bad\">", 16) == 0);
    free(page);
}

static void of_one_n_there_is_no_choice_for_all_sizes(void **state)
{
    (void)state;
    char *page = page_of(put("one", "results.csv",
                             "backend,device,kernel,type,op,n,block,unroll,grid,cache,scope,status,"
                             "time_us_median,time_us_ci95_lo,time_us_ci95_hi\n"
                             "cuda,D,slow,int32,sum,16,64,1,1,cold,kernel,ok,2,2,2\n"
                             "cuda,D,fast,int32,sum,16,64,1,1,cold,kernel,ok,1,1,1\n"));
    expect_words(page, "<h2 id=\"best\"", "<h2 id=\"warnings", "best of one n");
    free(page);
}

static void test_real_run(void **state)
{
    (void)state;
    char *page = page_of(REAL_RUN);
    expect_words(page, NULL, "<h2 id=\"rows\"", "a run of an H200, before its rows");
    expect_words(page, "<h2 id=\"rows\"", "<table id=\"rows-table\">",
                 "its rows, before the table");
    expect(page, "<title>redsweep: quick</title>");
    expect(page, "<a href=\"#rows&amp;status=%3Dskipped\">");
    assert_null(strstr(page, "http-equiv=\"refresh\""));
    expect(page, "<th scope=\"row\" class=\"key\">redux, block 128, unroll 4</th>");
    expect(page, ">device, driver</th><td>13.0</td></tr>");
    expect(page, "gld_<wbr>transactions (transactions)");
    expect_order(page, "<h2 id=\"best\"", "<h2 id=\"warnings\"");
    expect_order(page, "<form id=\"filter-form\" hidden>", "<table id=\"rows-table\">");
    expect(page, "<th scope=\"col\" data-name=\"n\" data-number data-choice");
    expect(page, "<th scope=\"col\" data-name=\"bandwidth_gbs\" data-number title");
    /* The row table leaves out columns that are empty or constant. */
    const char *rows = strstr(page, "<table id=\"rows-table\">");
    char *heads = strndup(rows, (size_t)(strstr(rows, "</thead>") - rows));
    static const char
        *const shown[] = {"kernel",          "type",   "op",     "n (elements)",
                          "block (threads)", "status", "reason", "time_<wbr>us_<wbr>median (µs)"},
               *hidden[] = {"id", "result", "rel_<wbr>error", "backend", "device", "throttle"};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        expect_heading(heads, shown[i], true);
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        expect_heading(heads, hidden[i], false);
    /* The kernel is the first column. Times come next. */
    expect_order(heads, ">kernel</th>", ">time_<wbr>us_<wbr>median (µs)</th>");
    expect_order(heads, ">time_<wbr>us_<wbr>median (µs)</th>", ">n (elements)</th>");
    expect_order(heads, ">bandwidth_<wbr>gbs (GB/s)</th>", ">type</th>");
    free(heads);
    assert_int_equal(count_of(page, "<tr>") + count_of(page, "<tr class"), count_of(page, "</tr>"));
    assert_int_equal(count_of(page, "<table"), count_of(page, "</table>"));
    assert_int_equal(count_of(page, "<td"), count_of(page, "</td>"));
    assert_int_equal(count_of(page, "<th "), count_of(page, "</th>"));
    assert_int_equal(count_of(page, "<tr class=\"bad\">"), 3);
    assert_int_equal(count_of(page, "<tr class=\"best\">"), 4);
    assert_null(strstr(page, "src=")); /* nothing is loaded from outside */
    assert_null(strstr(page, "://"));
    free(page);
}

/* A chart in the run's folder is embedded as an image, whatever it contains. Links to outside
 * files and FIFOs are left out. */
static void test_charts(void **state)
{
    (void)state;
    char folder[256], path[320];
    snprintf(folder, sizeof folder, "%s",
             put("charts", "results.csv", "kernel,type,op,n,block,unroll,cache,scope,status\n"));
    put("charts/plots", "time.svg",
        "<svg viewBox=\"0 0 960 520\"><script>alert(1)</script><image "
        "onerror=\"alert(2)\"/></svg>");
    put("charts/plots", "speedup.svg", "<svg>\"><script>alert(3)</script>");
    put("elsewhere", "secret.svg", "<svg/>");
    snprintf(path, sizeof path, "%s/plots/winners.svg", folder);
    (void)unlink(path);
    assert_int_equal(symlink("../../elsewhere/secret.svg", path), 0);
    snprintf(path, sizeof path, "%s/plots/cache.svg", folder);
    (void)unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    char *page = page_of(folder);
    assert_int_equal(count_of(page, "<figure>"), 2);
    const char *image = "<img width=\"960\" alt=\"";
    expect(page, image);
    texts_expect_until("\"", "what a chart is called", strstr(page, image) + strlen(image));
    expect(page,
           "src=\"data:image/svg+xml;base64,"
           "PHN2ZyB2aWV3Qm94PSIwIDAgOTYwIDUyMCI+PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0PjxpbWFnZSBvbm"
           "Vycm9yPSJhbGVydCgyKSIvPjwvc3ZnPg==\">");
    assert_null(strstr(page, "alert("));
    assert_null(strstr(page, "<svg"));
    assert_int_equal(count_of(page, "<script"), 1);
    expect_words(page, NULL, NULL, "a page with charts, and files that are none");
    free(page);
}

/* The data for the page's script are inert: no string in them ends their element or begins
 * another one. */
static void charts_of_a_page_are_data(void **state)
{
    (void)state;
    struct text html = {0};
    view_html_charts(&html, "[\"</script><script>alert(1)</script><!--\"]");
    expect(html.bytes, "<script type=\"application/json\" id=\"charts-data\">");
    expect(html.bytes, "[\"\\u003c/script>\\u003cscript>alert(1)\\u003c/script>\\u003c!--\"]");
    assert_int_equal(count_of(html.bytes, "</script"), 1);
    assert_int_equal(count_of(html.bytes, "<script"), 1);
    text_free(&html);
}

/* Strings from a run show up as text and are never executed. */
static void test_hostile_texts(void **state)
{
    (void)state;
    put("hostile", "run.json",
        "{\n\"schema\": 2,\n\"status\": \"stopped\",\n"
        "\"sessions\": [{\"drift_pct\": -3.21, \"self_checks\": [{\"meaning\": \"<2>\", "
        "\"expected\": 2, \"found\": 3, \"ok\": false}, {\"meaning\": \"all well\", \"ok\": "
        "true}]}],\n"
        "\"provenance\": {\"run\": \"<script>alert(1)</script>\", \"config_text\": "
        "\"</pre><script>alert(2)</script>\", \"kernels\": [{\"name\": \"k<i>\", \"racy\": \"a & "
        "b\", \"source_hash\": \"0\"}]},\n\"columns\": [{\"name\": \"foo\", \"type\": \"number\", "
        "\"unit\": \"\\\"<u>\", \"meaning\": \"\\\" onclick=\\\"alert(3)\", \"missing\": \"no "
        "<x>\"}"
        "]}\n");
    char *page = page_of(put("hostile", "results.csv",
                             "kernel,type,op,n,block,unroll,grid,cache,scope,status,reason,foo\n"
                             "<img src=x>,int32,sum,16,64,1,1,cold,kernel,wrong,<b>,1\n"));
    assert_int_equal(count_of(page, "<script>"), 1); /* the page's own script */
    assert_null(strstr(page, "<img"));
    assert_null(strstr(page, "\" onclick"));
    expect(page, "&lt;img src=x&gt;");
    expect_words(page, NULL, NULL, "a page with hostile texts");
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_simulators_run_has_no_winner),
        cmocka_unit_test(the_page_of_a_run_that_goes_on_asks_for_itself_again),
        cmocka_unit_test(rows_are_in_the_order_of_interest),
        cmocka_unit_test(of_one_n_there_is_no_choice_for_all_sizes),
        cmocka_unit_test(test_real_run),
        cmocka_unit_test(test_charts),
        cmocka_unit_test(charts_of_a_page_are_data),
        cmocka_unit_test(test_hostile_texts),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
