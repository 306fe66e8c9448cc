/*
 * Comparing with published tables: counts to the printed digits, orders, what is missing, and the
 * column that counts the same thing on another chip. All figures are invented.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "compare/reproduce.h"

#define AXES "id,backend,device,kernel,type,op,n,block,unroll,"
#define FACTS "grid,cache,scope,status,reason,time_us_median,time_us_ci95_lo,time_us_ci95_hi,"

static char folder[] = "/tmp/redsweep-reproduce-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static void write_file(const char *run, const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, run);
    (void)mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/%s/%s", folder, run, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static void make_run(const char *run, const char *chip, const char *csv)
{
    char json[1024];
    snprintf(json, sizeof json,
             "{\"schema\": 1, \"status\": \"complete\", \"provenance\": {\"compiler\": \"cc 1\", "
             "\"device\": {\"backend\": \"cuda\", \"name\": \"%s GPU\", \"chip\": \"%s\", "
             "\"exact_counts\": false}}, \"columns\": [], \"rows\": []}\n",
             chip, chip);
    write_file(run, "results.json", json);
    write_file(run, "results.csv", csv);
}

/* Compares published/ with run/; `text` (8192 bytes) receives what was printed. */
static struct reproduction compare(char *text)
{
    struct results published, run;
    struct reproduction total = {0};
    struct error e = {0};
    char path[128];
    snprintf(path, sizeof path, "%s/published", folder);
    assert_true(results_read(path, &published, &e));
    snprintf(path, sizeof path, "%s/run", folder);
    assert_true(results_read(path, &run, &e));
    FILE *out = tmpfile();
    assert_non_null(out);
    if (!reproduce(&published, &run, out, &total, &e))
        fail_msg("%s", e.text);
    rewind(out);
    text[fread(text, 1, 8191, out)] = '\0';
    fclose(out);
    results_free(&published);
    results_free(&run);
    return total;
}

static void assert_says(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in:\n%s", part, text);
}

static void counts_are_equal_as_printed(void **state)
{
    (void)state;
    char text[8192];
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
    struct reproduction r = compare(text);
    assert_int_equal(r.counts[VERDICT_EQUAL], 2);   /* 10 and 25.01 */
    assert_int_equal(r.counts[VERDICT_DIFFERS], 2); /* 21 and 25.0051, which is printed 25.01 */
    assert_int_equal(r.counts[VERDICT_MISSING], 1); /* a wrong row has no counts */
    assert_says(text, "wrong here: bad");
    assert_says(text, "a count must be equal");
}

static void lines_are_compared_with_lines(void **state)
{
    (void)state;
    char text[8192];
    static const char published[] =
        AXES FACTS "gld_transactions\n"
                   ",cuda,old,one,int32,sum,64,32,1,,,kernel,ok,,,,,100\n";
    make_run("published", "kepler", published);
    make_run("run", "GH100",
             AXES FACTS "gld_transactions,gld_lines\n"
                        "1,cuda,new,one,int32,sum,64,32,1,2,cold,kernel,ok,,,,,400,100\n");
    struct reproduction r = compare(text);
    assert_int_equal(r.counts[VERDICT_EQUAL], 1);
    assert_says(text, "gld_transactions as gld_lines");
    make_run("run", "GH100",
             AXES FACTS "gld_transactions\n"
                        "1,cuda,new,one,int32,sum,64,32,1,2,cold,kernel,ok,,,,,100\n");
    r = compare(text); /* sectors that happen to be 100 are no lines */
    assert_int_equal(r.counts[VERDICT_MISSING], 1);
    assert_says(text, "the run did not count it");
    make_run("run", "kepler",
             AXES FACTS "gld_transactions\n"
                        "1,sim,sim,one,int32,sum,64,32,1,2,cold,kernel,ok,,,,,100\n");
    r = compare(text);
    assert_int_equal(r.counts[VERDICT_EQUAL], 1);
}

static void times_and_instructions_are_orders(void **state)
{
    (void)state;
    char text[8192];
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
    struct reproduction r = compare(text);
    assert_int_equal(r.counts[VERDICT_EQUAL] + r.counts[VERDICT_DIFFERS], 0);
    assert_int_equal(r.orders[VERDICT_SAME_ORDER], 2); /* both of kernel one */
    assert_int_equal(r.orders[VERDICT_DIFFERS], 4);
    assert_int_equal(r.orders[VERDICT_MISSING], 1);
    assert_says(text, "differs: here below two 4, because their intervals overlap");
    assert_says(text, "differs: here below two 4, because cc 1 made other machine code");
    assert_says(text, "no such row in the run");
}

/* What was not printed (cache, tunables) may be anything; what was must be equal. */
static void printed_axes_choose_the_row(void **state)
{
    (void)state;
    char text[8192];
    make_run("published", "GP107",
             "id,backend,device,kernel,type,op,n,block,unroll,loads," FACTS "gst_transactions\n"
             ",cuda,old,one,int32,sum,64,32,1,4,,,kernel,ok,,,,,7\n");
    make_run("run", "GH100",
             "id,backend,device,kernel,type,op,n,block,unroll,loads,more," FACTS
             "gst_transactions\n"
             "1,cuda,new,one,int32,sum,64,32,1,2,1,2,cold,kernel,ok,,,,,5\n"
             "2,cuda,new,one,int32,sum,64,32,1,4,1,2,cold,complete,ok,,,,,6\n"
             "3,cuda,new,one,int32,sum,64,32,1,4,1,2,warm,kernel,ok,,,,,7\n");
    struct reproduction r = compare(text);
    assert_int_equal(r.counts[VERDICT_EQUAL], 1);
}

static void a_table_without_figures_is_refused(void **state)
{
    (void)state;
    struct results published;
    struct reproduction total = {0};
    struct error e = {0};
    char path[128];
    make_run("published", "GP107",
             AXES FACTS "gst_transactions\n,cuda,old,one,int32,sum,64,32,1,,,kernel,ok,,,,,\n");
    snprintf(path, sizeof path, "%s/published", folder);
    assert_true(results_read(path, &published, &e));
    assert_false(reproduce(&published, &published, stdout, &total, &e));
    assert_int_equal(e.kind, ERROR_CONFIG);
    results_free(&published);
}

/* The transcribed tables themselves: they can be read, and agree with themselves. */
static void the_shipped_tables_agree_with_themselves(void **state)
{
    (void)state;
    static const char *const tables[] = {"k80-reduce", "k80-matrix", "k80-divergence",
                                         "1050ti-pairing", "1050ti-shared"};
    int counts = 0;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        char path[128];
        struct results r;
        struct reproduction total = {0};
        struct error e = {0};
        snprintf(path, sizeof path, "results/published/%s", tables[i]);
        if (!results_read(path, &r, &e))
            fail_msg("%s", e.text);
        FILE *out = fopen("/dev/null", "w");
        assert_non_null(out);
        assert_true(reproduce(&r, &r, out, &total, &e));
        fclose(out);
        for (int v = VERDICT_DIFFERS; v < VERDICT_COUNT; v++)
            assert_int_equal(total.counts[v] + total.orders[v], 0);
        counts += total.counts[VERDICT_EQUAL];
        results_free(&r);
    }
    assert_int_equal(counts, 24 + 8 + 3);
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
    };
    return cmocka_run_group_tests_name("reproduce", tests, make_folder, remove_folder);
}
