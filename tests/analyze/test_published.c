/*
 * Compares runs with published tables. Checks counts (to the printed digits), the order of kernels,
 * and missing values. A quantity may be in different columns for different chips, so the tests
 * also check which column is compared. All figures are invented.
 */
#include "diff_fixture.h"

#define AXES "id,backend,device,kernel,type,op,n,block,unroll,"
#define FACTS "grid,cache,scope,status,reason,time_us_median,time_us_ci95_lo,time_us_ci95_hi,"

/* Makes a published table or a run. */
static void make_run(const char *run, const char *chip, const char *csv)
{
    char json[1024];
    snprintf(json, sizeof json,
             "{\"schema\": 2, \"status\": \"%s\", \"provenance\": {\"compiler\": \"cc 1\", "
             "\"device\": {\"backend\": \"cuda\", \"name\": \"%s GPU\", \"chip\": \"%s\", "
             "\"exact_counts\": false}}, \"columns\": []}\n",
             strcmp(run, "published") == 0 ? "published" : "complete", chip, chip);
    put(run, "run.json", json);
    put(run, "results.csv", csv);
}

/* For each verdict, the number of counts and the number of orders of kernels with this verdict. */
struct totals {
    int counts[FIGURE_VERDICTS], orders[FIGURE_VERDICTS];
    int marked; /* number of rows that a page shows as bad */
};

static struct totals totals_of(const struct diff *d)
{
    struct totals t = {{0}, {0}, 0};
    for (size_t i = 0; i < d->figures.count; i++) {
        const struct figure *f = &d->figures.items[i];
        (f->kind == FIGURE_COUNT ? t.counts : t.orders)[f->verdict]++;
    }
    return t;
}

/* Compares published/ with run/. Stores the printed text in `text`, which the caller frees. */
static struct totals compare_published(char **text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/published", scratch);
    struct results published = read_run(path);
    snprintf(path, sizeof path, "%s/run", scratch);
    struct results run = read_run(path);
    struct diff d;
    compare(&published, &run, &d);
    *text = written(&d, view_write_text, "published");
    struct totals t = totals_of(&d);
    char *page = written(&d, view_write_html, "published");
    for (const char *row = page; (row = strstr(row, "<tr class=\"bad\">")); row++)
        t.marked++;
    free(page);
    char *cells = written(&d, view_write_csv, "published");
    assert_says(cells, "quantity,counted_as,kernel,setting,published,here,kind,verdict,why\n");
    free(cells);
    diff_free(&d);
    results_free(&published);
    results_free(&run);
    return t;
}

static void counts_are_equal_as_printed(void **state)
{
    (void)state;
    char *text;
    make_run("published", "GP107",
             AXES FACTS "gst_transactions,gld_efficiency\n"
                        ",cuda,old,one,int32,sum,64,32,1,,,kernel,ok,,,,,10,25.01\n"
                        ",cuda,old,two,int32,sum,64,32,1,,,kernel,ok,,,,,20,25.00\n"
                        ",cuda,old,three,int32,sum,64,32,1,,,kernel,ok,,,,,30,\n");
    make_run("run", "GH100",
             AXES FACTS "gst_transactions,gld_efficiency\n"
                        "1,cuda,new,one,int32,sum,64,32,1,2,cold,kernel,ok,,,,,10,25.0122\n"
                        "2,cuda,new,two,int32,sum,64,32,1,2,cold,kernel,ok,,,,,21,25.0051\n"
                        "3,cuda,new,three,int32,sum,64,32,1,2,cold,kernel,wrong,bad,,,,30,\n");
    struct totals r = compare_published(&text);
    assert_int_equal(r.counts[FIGURE_EQUAL], 2); /* 10 and 25.01 agree. */
    /* 21 differs from the published 20. 25.0051, which would be printed as 25.01, differs from
     * the published 25.00. */
    assert_int_equal(r.counts[FIGURE_DIFFERS], 2);
    assert_int_equal(r.counts[FIGURE_MISSING], 1); /* A wrong row has no counts. */
    assert_int_equal(r.marked, 3);                 /* All rows but the equal ones are marked. */
    texts_expect("counts", text);
    free(text);
}

static void lines_are_compared_with_lines(void **state)
{
    (void)state;
    char *text;
    static const char published[] =
        AXES FACTS "gld_transactions\n"
                   ",cuda,old,one,int32,sum,64,32,1,,,kernel,ok,,,,,100\n";
    make_run("published", "kepler", published);
    make_run("run", "GH100",
             AXES FACTS "gld_transactions,gld_lines\n"
                        "1,cuda,new,one,int32,sum,64,32,1,2,cold,kernel,ok,,,,,400,100\n");
    struct totals r = compare_published(&text);
    assert_int_equal(r.counts[FIGURE_EQUAL], 1);
    texts_expect("lines", text);
    make_run("run", "GH100",
             AXES FACTS "gld_transactions\n"
                        "1,cuda,new,one,int32,sum,64,32,1,2,cold,kernel,ok,,,,,100\n");
    free(text);
    r = compare_published(&text); /* 100 sectors do not agree with 100 lines. */
    assert_int_equal(r.counts[FIGURE_MISSING], 1);
    texts_expect("sectors that are no lines", text);
    make_run("run", "kepler",
             AXES FACTS "gld_transactions\n"
                        "1,sim,sim,one,int32,sum,64,32,1,2,cold,kernel,ok,,,,,100\n");
    free(text);
    r = compare_published(&text);
    assert_int_equal(r.counts[FIGURE_EQUAL], 1);
    free(text);
}

static void times_and_instructions_are_orders(void **state)
{
    (void)state;
    char *text;
    make_run("published", "GP107",
             AXES FACTS "inst_per_warp\n"
                        ",cuda,old,one,int32,sum,64,32,1,,,kernel,ok,,30,,,300\n"
                        ",cuda,old,two,int32,sum,64,32,1,,,kernel,ok,,20,,,200\n"
                        ",cuda,old,two,int32,sum,64,32,4,,,kernel,ok,,10,,,100\n"
                        ",cuda,old,two,int32,sum,64,32,8,,,kernel,ok,,5,,,\n");
    make_run("run", "GH100",
             AXES FACTS "inst_per_warp\n"
                        "1,cuda,new,one,int32,sum,64,32,1,2,cold,kernel,ok,,3,2.9,3.1,9\n"
                        "2,cuda,new,two,int32,sum,64,32,1,2,cold,kernel,ok,,2,1.9,2.1,5\n"
                        "3,cuda,new,two,int32,sum,64,32,4,2,cold,kernel,ok,,2.1,2.0,2.2,6\n");
    struct totals r = compare_published(&text);
    assert_int_equal(r.counts[FIGURE_EQUAL] + r.counts[FIGURE_DIFFERS], 0);
    /* In both tables, kernel `one` has the same place by time and by count. */
    assert_int_equal(r.orders[FIGURE_SAME_ORDER], 2);
    assert_int_equal(r.orders[FIGURE_DIFFERS], 4);
    assert_int_equal(r.orders[FIGURE_MISSING], 1);
    texts_expect("orders", text);
    free(text);
}

/* An axis that the published table does not state (here the cache and a tunable) may have any value
 * in the run. An axis that the table states must match. */
static void printed_axes_choose_the_row(void **state)
{
    (void)state;
    char *text;
    make_run("published", "GP107",
             "id,backend,device,kernel,type,op,n,block,unroll,loads," FACTS "gst_transactions\n"
             ",cuda,old,one,int32,sum,64,32,1,4,,,kernel,ok,,,,,7\n");
    make_run("run", "GH100",
             "id,backend,device,kernel,type,op,n,block,unroll,loads,more," FACTS
             "gst_transactions\n"
             "1,cuda,new,one,int32,sum,64,32,1,2,1,2,cold,kernel,ok,,,,,5\n"
             "2,cuda,new,one,int32,sum,64,32,1,4,1,2,cold,complete,ok,,,,,6\n"
             "3,cuda,new,one,int32,sum,64,32,1,4,1,2,warm,kernel,ok,,,,,7\n");
    struct totals r = compare_published(&text);
    assert_int_equal(r.counts[FIGURE_EQUAL], 1);
    free(text);
}

static void a_table_without_figures_is_refused(void **state)
{
    (void)state;
    struct diff d;
    static struct error e;
    char path[128];
    make_run("published", "GP107",
             AXES FACTS "gst_transactions\n,cuda,old,one,int32,sum,64,32,1,,,kernel,ok,,,,,\n");
    snprintf(path, sizeof path, "%s/published", scratch);
    struct results published = read_run(path);
    assert_false(diff_runs(&published, &published, &usual, &d, &e));
    assert_int_equal(e.kind, ERROR_CONFIG);
    results_free(&published);
}

/* The transcribed tables can be read, and each agrees with itself. */
static void the_shipped_tables_agree_with_themselves(void **state)
{
    (void)state;
    static const char *const tables[] = {"k80-reduce", "k80-matrix", "k80-divergence",
                                         "1050ti-pairing", "1050ti-shared"};
    int counts = 0;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        char path[128];
        snprintf(path, sizeof path, "results/published/%s", tables[i]);
        struct results r = read_run(path);
        struct diff d;
        compare(&r, &r, &d);
        struct totals t = totals_of(&d);
        for (int v = FIGURE_DIFFERS; v < FIGURE_VERDICTS; v++)
            assert_int_equal(t.counts[v] + t.orders[v], 0);
        counts += t.counts[FIGURE_EQUAL];
        diff_free(&d);
        results_free(&r);
    }
    assert_int_equal(counts, 26 + 8 + 3);
}

/* A published table is compared cell by cell only if it is the first of the two runs. */
static void runs_have_no_figures(void **state)
{
    (void)state;
    static const char csv[] = AXES FACTS "gst_transactions\n"
                                         "1,cuda,x,one,int32,sum,64,32,1,1,cold,kernel,ok,,,,,7\n";
    make_run("published", "GP107", csv);
    make_run("run", "GP107", csv);
    char path[2][128];
    snprintf(path[0], sizeof path[0], "%s/published", scratch);
    snprintf(path[1], sizeof path[1], "%s/run", scratch);
    struct results table = read_run(path[0]), run = read_run(path[1]);
    struct diff d;
    compare(&run, &table, &d);
    assert_int_equal(d.figures.count, 0);
    diff_free(&d);
    compare(&table, &run, &d);
    assert_int_equal(d.figures.count, 1);
    diff_free(&d);
    results_free(&table);
    results_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_equal_as_printed),
        cmocka_unit_test(lines_are_compared_with_lines),
        cmocka_unit_test(times_and_instructions_are_orders),
        cmocka_unit_test(printed_axes_choose_the_row),
        cmocka_unit_test(a_table_without_figures_is_refused),
        cmocka_unit_test(the_shipped_tables_agree_with_themselves),
        cmocka_unit_test(runs_have_no_figures),
    };
    return cmocka_run_group_tests_name("published", tests, make_scratch, remove_scratch);
}
