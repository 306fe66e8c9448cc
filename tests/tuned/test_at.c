/*
 * Checks what a library chooses at measured and unmeasured shapes: the configuration, its expected
 * time, and how close this time is to that of only reading the input.
 */
#include "choosing_fixture.h"

/* The kernel `flat` takes 5 µs plus 1 µs per 8192 bytes. Just reading (the kernel `rows_limit`)
 * takes 4 µs plus 0.5 µs per 8192 bytes. */
static const char measured[] = "flat float16 max 4096 1 complete@16 6 .0001 "
                               "flat float16 max 65536 1 complete@16 21 .0001 "
                               "flat float16 max 262144 1 complete@64 69 .0001 ";
static const char limits[] = "rows_limit float16 max 4096 1 complete@16 4.5 .0001 "
                             "rows_limit float16 max 65536 1 complete@16 12 .0001 "
                             "rows_limit float16 max 262144 1 complete@64 36 .0001 "
                             "rows_limit float32 max 262144 1 complete@64 3600 .0001 ";

/* Returns the table for three shapes: measured rows, other rows, and an axis, for which the
 * library has no function. */
static struct view *table_of(const char *rows, struct view *v)
{
    static const struct config_shape shapes[] = {{4096, 16, 1}, {131072, 32, 1}, {4096, 16, 2}};
    static struct error e;
    struct results r;
    struct tuned t;
    if (!choose_from(rows, &r, &t, &e))
        fail_msg("%s", e.text);
    *v = (struct view){0};
    tuned_add_at(&t, &r, 1, shapes, 3, v);
    results_free(&r);
    tuned_free(&t);
    return v;
}

static const struct table *cells_of(const struct view *v)
{
    assert_int_equal(v->items.count, 1);
    const struct table *t = &v->items.items[0]->table.cells;
    assert_int_equal(t->row_count, 2);
    return t;
}

static void expect_row(const struct table *t, size_t row, const char *shape, const char *basis,
                       double us)
{
    assert_string_equal(column_text(table_find(t, "type"), row), "float16");
    assert_string_equal(column_text(table_find(t, "op"), row), "max");
    assert_string_equal(column_text(table_find(t, "shape"), row), shape);
    texts_expect(shape, column_text(table_find(t, "configuration"), row));
    assert_string_equal(column_text(table_find(t, "basis"), row), basis);
    assert_near(column_number(table_find(t, "time_us"), row), us, us / 100);
}

static void a_shape_has_its_configuration_and_time(void **state)
{
    (void)state;
    struct view v;
    const struct table *t = cells_of(table_of(measured, &v));
    expect_row(t, 0, "256x16", "measured", 6);
    expect_row(t, 1, "4096x32", "expected", 37); /* the input has 262144 bytes */
    for (size_t row = 0; row < 2; row++)
        assert_true(isnan(column_number(table_find(t, "reading_pct"), row)));
    view_free(&v);
}

static void limits_of_the_type_say_how_near_to_reading_it_is(void **state)
{
    (void)state;
    char both[1024];
    struct view v;
    snprintf(both, sizeof both, "%s%s", measured, limits);
    const struct table *t = cells_of(table_of(both, &v));
    assert_near(column_number(table_find(t, "reading_pct"), 0), 100 * 4.5 / 6, 2);
    assert_near(column_number(table_find(t, "reading_pct"), 1), 100 * 20.0 / 37, 2);
    view_free(&v);
}

/* One run measured short rows, the other long ones. A single fit uses both. */
static void several_runs_are_fitted_together(void **state)
{
    (void)state;
    static const struct config_shape shape[] = {{131072, 32, 1}};
    static struct error e;
    struct tuned t;
    struct view v = {0};
    struct results runs[2];
    put_told("run", "D", "9.0", catalogue_find(&kernels, "even")->code_hash);
    put_told("again", "D", "9.0", catalogue_find(&kernels, "even")->code_hash);
    runs[0] = make_run("run", "D",
                       "flat float16 max 4096 1 complete@16 6 .0001 "
                       "rows_limit float16 max 4096 1 complete@16 4.5 .0001 ");
    runs[1] = make_run("again", "D",
                       "flat float16 max 65536 1 complete@16 21 .0001 "
                       "flat float16 max 262144 1 complete@64 69 .0001 "
                       "rows_limit float16 max 65536 1 complete@16 12 .0001 "
                       "rows_limit float16 max 262144 1 complete@64 36 .0001 ");
    if (!tuned_choose(runs, 2, &kernels, false, &t, &e))
        fail_msg("%s", e.text);
    tuned_add_at(&t, runs, 2, shape, 1, &v);
    const struct table *cells = &v.items.items[0]->table.cells;
    expect_row(cells, 0, "4096x32", "expected", 37);
    assert_near(column_number(table_find(cells, "reading_pct"), 0), 100 * 20.0 / 37, 2);
    view_free(&v);
    tuned_free(&t);
    for (int i = 0; i < 2; i++)
        results_free(&runs[i]);
}

/* `flat` accepts only rows of whole packs, which rows of 7 halves are not, so the function uses
 * its fallback. */
static void where_nothing_measured_runs_it_says_what_does(void **state)
{
    (void)state;
    static const struct config_shape odd[] = {{7168, 7, 1}};
    static struct error e;
    struct results r;
    struct tuned t;
    struct view v = {0};
    assert_true(choose_from(measured, &r, &t, &e));
    tuned_add_at(&t, &r, 1, odd, 1, &v);
    const struct table *cells = &v.items.items[0]->table.cells;
    texts_expect("rows of 7 halves", column_text(table_find(cells, "configuration"), 0));
    assert_string_equal(column_text(table_find(cells, "basis"), 0), "");
    assert_true(isnan(column_number(table_find(cells, "time_us"), 0)));
    view_free(&v);
    results_free(&r);
    tuned_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shape_has_its_configuration_and_time),
        cmocka_unit_test(limits_of_the_type_say_how_near_to_reading_it_is),
        cmocka_unit_test(several_runs_are_fitted_together),
        cmocka_unit_test(where_nothing_measured_runs_it_says_what_does),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
