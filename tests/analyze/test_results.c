/*
 * Reads runs in every version of the format, and files that are not runs. Also checks which rows
 * `show` selects, and how it sorts and prints them.
 */
#include "analyze/results.h"

#include <math.h>

#include "fixture.h"
#include "analyze/show.h"

/* a real run that redsweep 0.1.0 began */
static void test_real_run(void **state)
{
    (void)state;
    struct results r = read_run(REAL_RUN "/");
    assert_int_equal(r.rows.row_count, 60);
    assert_string_equal(results_device(&r), "NVIDIA H200");
    assert_string_equal(results_backend(&r), "cuda");
    char text[64];
    assert_string_equal(manifest_value(&r.manifest, "provenance.device.driver", text, sizeof text),
                        "13.0");
    assert_string_equal(manifest_value(&r.manifest, "provenance.nothing.here", text, sizeof text),
                        "");
    assert_int_equal(r.manifest.schema, 2);
    assert_near(r.manifest.provenance.device.peak_gbs, 4814.304, 0);
    assert_int_equal(r.manifest.provenance.device.memory_bytes, 150109880320);
    assert_string_equal(r.manifest.provenance.device.health_missing, ""); /* not yet recorded */
    int loads = table_column(&r.rows, "t_loads"), grid = table_column(&r.rows, "grid");
    int sectors = table_column(&r.rows, "gld_transactions");
    assert_int_equal(r.columns[loads].role, ROLE_TUNABLE);
    assert_int_equal(r.columns[grid].role, ROLE_FACT);
    assert_int_equal(r.columns[sectors].role, ROLE_METRIC);
    assert_int_equal(r.columns[table_column(&r.rows, "cache")].role, ROLE_AXIS);
    assert_true(strlen(r.rows.columns.items[sectors]->unit) > 0);
    size_t all = 0, count;
    for (size_t i = 0; i < r.rows.row_count; i++) {
        const double *samples = results_samples(&r, i, &count);
        all += count;
        if (results_ok(&r, i)) {
            assert_int_equal(count, (size_t)column_number(r.known.samples, i));
            for (size_t s = 0; s < count; s++)
                assert_true(samples[s] >= column_number(r.known.time_us_min, i));
        } else {
            assert_int_equal(count, 0);
        }
    }
    assert_int_equal(all, 5595);
    results_free(&r);
}

/* A stopped run: it has no run.json, its last row is truncated, and samples.csv has samples of a
 * row that is missing. */
static void test_stopped_run(void **state)
{
    (void)state;
    put("stopped", "samples.csv", "id,sample,time_us\ny,0,5\nx,0,1\nx,1,2\nz,0,7\nx,2,");
    const char *path = put("stopped", "results.csv",
                           "id,kernel,type,op,n,block,unroll,depth,grid,cache,scope,status,foo\n"
                           "x,k,int32,sum,16,64,1,2,1,cold,kernel,ok,3.5\n"
                           "y,k,int32,sum,16,64,4,,1,cold,kernel,ok,\n"
                           "z,k,int32,sum,16,12");
    struct results r = read_run(path);
    assert_true(r.rows.torn);
    assert_int_equal(r.rows.row_count, 2);
    size_t count;
    const double *samples = results_samples(&r, 0, &count);
    assert_int_equal(count, 2);
    assert_true(samples[0] == 1 && samples[1] == 2);
    samples = results_samples(&r, 1, &count);
    assert_true(count == 1 && samples[0] == 5);
    assert_int_equal(r.columns[7].role, ROLE_TUNABLE);
    assert_int_equal(r.columns[12].role, ROLE_METRIC);
    struct text setting = {0};
    results_setting(&r, 0, &setting);
    text_append(&setting, "; ");
    results_setting(&r, 1, &setting);
    assert_string_equal(setting.bytes, "block 64, depth 2; block 64, unroll 4");
    text_free(&setting);
    assert_string_equal(results_kernel(&r, 0)->racy, "");
    results_free(&r);
}

static char *shown(const struct results *r, const char *where, const char *columns,
                   const char *sort, size_t most)
{
    static struct error e;
    const struct show_options o = {
        .where = where, .columns = columns, .sort = sort, .max_rows = most};
    char *bytes;
    size_t length;
    FILE *f = open_memstream(&bytes, &length);
    struct show s;
    struct view v = {0};
    if (!show_rows(r, &o, &s, &v, &e))
        fail_msg("%s", e.text);
    view_write_text(&v, NULL, f);
    assert_int_equal(fclose(f), 0);
    view_free(&v);
    show_free(&s);
    return bytes;
}

static void expect_shown(const struct results *r, const char *where, const char *columns,
                         const char *sort, size_t most, const char *name)
{
    char *bytes = shown(r, where, columns, sort, most);
    texts_expect(name, bytes);
    free(bytes);
}

static void test_show(void **state)
{
    (void)state;
    struct results r =
        read_run(put("show", "results.csv",
                     "kernel,type,op,n,block,unroll,grid,cache,scope,status,time_us_median,foo\n"
                     "smem,int32,sum,1048576,64,1,1,cold,kernel,ok,6.59200024604797,\n"
                     "unroll,int32,sum,1048576,128,8,1,cold,kernel,ok,10.5,3\n"
                     "unroll,int32,sum,16384,64,2,1,cold,kernel,ok,4.5,12\n"
                     "unroll,int32,sum,1048576,64,8,1,cold,kernel,skipped,,\n"));
    expect_shown(&r, "kernel=unroll and n>=2^20", "kernel,n,block,time_us_median", NULL, 0,
                 "kernel=unroll and n>=2^20");
    /* Rows without a value sort last. */
    expect_shown(&r, NULL, "kernel,time*", "-n,time_us_median", 3,
                 "three rows by n downwards, then by time upwards");
    /* Values that are the same in all rows are printed above the table. Empty columns are left
     * out. */
    expect_shown(&r, "block = 64 and status = ok", NULL, "kernel", 0, "block = 64 and status = ok");
    expect_shown(&r, "foo > 3 or kernel = \"sm*\"", "kernel", "-kernel", 0,
                 "foo > 3 or kernel = \"sm*\"");
    expect_shown(&r, "kernel = unrol", NULL, NULL, 0, "kernel = unrol");
    expect_shown(&r, "kernel = unrol", "n", NULL, 0, "kernel = unrol, and its n");
    results_free(&r);
}

/* In older runs, a tunable's column lacks the prefix t_, so its name may be an SQL keyword. */
static void tunables_have_a_prefix_and_are_found_without_it(void **state)
{
    (void)state;
    static const char *const headers[] = {"order,t_loads", "t_order,t_loads", "order,loads"};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        char csv[256];
        snprintf(csv, sizeof csv,
                 "kernel,type,op,n,block,unroll,%s,grid,cache,scope,status\n"
                 "k,int32,sum,16,64,1,1,4,1,cold,kernel,ok\n"
                 "k,int32,sum,16,64,1,2,8,1,cold,kernel,ok\n",
                 headers[i]);
        struct results r = read_run(put("tunables", "results.csv", csv));
        assert_int_equal(r.columns[table_column(&r.rows, "t_order")].role, ROLE_TUNABLE);
        assert_string_equal(r.manifest.columns.items[6].name, "t_order");
        assert_int_equal(table_column(&r.rows, "order"), -1);
        static const char *const ways[] = {"order", "t_order"};
        for (int w = 0; w < 2; w++) {
            char where[32], sort[16];
            snprintf(where, sizeof where, "%s >= 1", ways[w]);
            snprintf(sort, sizeof sort, "-%s", ways[w]);
            expect_shown(&r, where, ways[w], sort, 0, "t_order >= 1");
        }
        struct text setting = {0};
        results_setting(&r, 1, &setting);
        assert_string_equal(setting.bytes, "block 64, order 2, loads 8");
        text_free(&setting);
        results_free(&r);
    }
}

static void test_show_refuses(void **state)
{
    (void)state;
    static struct error e;
    struct results r = read_run(REAL_RUN);
    const struct show_options wrong[] = {{.where = "kernl = unroll"},
                                         {.where = "n >"},
                                         {.columns = "kernel,time_us_medain"},
                                         {.sort = "-blok"}};
    static const char *const names[] = {"--where 'kernl = unroll'", "--where 'n >'",
                                        "--columns kernel,time_us_medain", "--sort=-blok"};
    for (int i = 0; i < 4; i++) {
        struct show s;
        struct view v = {0};
        assert_false(show_rows(&r, &wrong[i], &s, &v, &e));
        view_free(&v);
        show_free(&s);
        texts_expect(names[i], e.text);
    }
    results_free(&r);
}

/* If the fastest kernel beats the streaming read at the start of the run, the kernel's bandwidth
 * is the ceiling. */
static void no_row_exceeds_what_is_achievable(void **state)
{
    (void)state;
    static const char *const runs[] = {"results/reference/h100-ladder",
                                       "results/reference/h200-cold-warm"};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        struct results r;
        struct error e = {0};
        assert_true(results_read(runs[i], &r, &e));
        double recorded = 0, highest = 0;
        for (size_t row = 0; row < r.rows.row_count; row++) {
            if (!results_ok(&r, row) || isnan(results_achieved(&r, row)))
                continue;
            recorded = fmax(recorded, column_number(r.known.ceiling_pct, row));
            highest = fmax(highest, results_achieved(&r, row));
        }
        assert_true(recorded > 100.5);
        assert_true(fabs(highest - 100) < 1e-9);
        results_free(&r);
    }
    /* No row of this run beats the streaming read, so the percentages are those that the run
     * recorded. */
    struct results r;
    struct error e = {0};
    assert_true(results_read("results/reference/h200-aa-b", &r, &e));
    assert_true(column_number(r.known.ceiling_pct, 0) > 0);
    for (size_t row = 0; row < r.rows.row_count; row++)
        assert_true(results_achieved(&r, row) == column_number(r.known.ceiling_pct, row));
    results_free(&r);
}

/* If a run lacks the flag for counts that vary, the kernel's fact is used instead. The flag
 * applies to counts, but not to times and sizes. */
static void counts_of_kernels_that_poll_vary(void **state)
{
    (void)state;
    char command[256], folder[256];
    snprintf(command, sizeof command, "tar -xJf results/reference/h200-counts/runs.tar.xz -C %s",
             scratch);
    snprintf(folder, sizeof folder, "%s/counts", scratch);
    assert_int_equal(system(command), 0);
    struct results r = read_run(folder);
    /* the column `flags` was added when the run was read */
    assert_ptr_equal(r.known.flags, r.rows.columns.items[r.rows.columns.count - 1]);
    size_t vary = 0, fixed = 0;
    for (size_t i = 0; i < r.rows.row_count; i++) {
        const struct manifest_kernel *k =
            manifest_kernel(&r.manifest, results_axis(&r, i, AXIS_kernel));
        bool expected = strcmp(k->counts, "vary") == 0 && results_good(&r, i);
        assert_true(results_counts_vary(&r, i) == expected);
        assert_string_equal(column_text(r.known.flags, i), expected ? "counts_vary" : "");
        vary += expected;
        fixed += !expected;
    }
    assert_true(vary > 0 && fixed > 0);
    assert_ptr_equal(table_find(&r.rows, "gld_requests")->varies, r.varies);
    assert_null(r.known.grid->varies);
    assert_null(r.known.time_us_median->varies);
    results_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_of_kernels_that_poll_vary),
        cmocka_unit_test(test_real_run),
        cmocka_unit_test(test_stopped_run),
        cmocka_unit_test(test_show),
        cmocka_unit_test(tunables_have_a_prefix_and_are_found_without_it),
        cmocka_unit_test(test_show_refuses),
        cmocka_unit_test(no_row_exceeds_what_is_achievable),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
