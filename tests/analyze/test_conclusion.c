/*
 * Checks a run's written conclusion: which kernel wins at which sizes, and by how much. A ladder is
 * a list of kernels in which a step leads from one kernel to an improved one. The conclusion says
 * which count explains the gain of each step. Also checks the ladder of a run without times.
 */
#include "analyze/conclusion.h"

#include "analyze/steps.h"
#include "fixture.h"

#define HEADER                                                                                     \
    "id,backend,device,kernel,type,op,n,block,unroll,grid,cache,scope,status,time_us_median,"      \
    "time_us_ci95_lo,time_us_ci95_hi,gld_transactions,inst_per_warp,warp_execution_efficiency\n"

static int next_id;

static void add_row(struct text *csv, const char *kernel, int n, double time, int loads,
                    double instructions, double efficiency)
{
    text_append(csv, "%d,cuda,D,%s,int32,sum,%d,128,1,8,cold,kernel,ok,%g,%g,%g,%d,%g,%g\n",
                next_id++, kernel, n, time, time * 0.999, time * 1.001, loads, instructions,
                efficiency);
}

static struct kernel_index index_of(const char *text)
{
    struct kernel_index index;
    static struct error e;
    if (!kernel_index_read(put("index", "index.txt", text), &index, &e))
        fail_msg("%s", e.text);
    return index;
}

/* Returns the conclusion about `r` as text. `index` is the text of the file that defines the
 * ladder. */
static char *said(const struct results *r, const char *index)
{
    struct conclusion_sources s = {.ladder = index_of(index)};
    struct view v = {0};
    char *text;
    size_t length;
    FILE *f = open_memstream(&text, &length);
    conclusion_add(r, &s, &v);
    view_write_text(&v, NULL, f);
    assert_int_equal(fclose(f), 0);
    view_free(&v);
    conclusion_sources_free(&s);
    return text;
}

#define LADDER                                                                                     \
    "family 1: one\nslow\nmiddle\nstep from slow: gld_transactions\nfast\nstep from middle: "      \
    "inst_per_warp\n"

/* slow, middle and fast are measured at four sizes. middle wins at the two smallest. */
static struct results three_kernels(void)
{
    struct text csv = {0};
    text_append(&csv, HEADER);
    for (int i = 0; i < 4; i++) {
        int n = 1024 << i;
        add_row(&csv, "slow", n, 40 << i, 4000, 100, 50);
        add_row(&csv, "middle", n, i < 2 ? 10 << i : 20 << i, 1000, 100, 50);
        add_row(&csv, "fast", n, i < 2 ? 12 << i : 5 << i, 1000, 99, 50);
    }
    struct results r = read_run(put("three", "results.csv", csv.bytes));
    text_free(&csv);
    return r;
}

/* The conclusion names the winner for each range of n. middle, which makes a quarter of slow's
 * loads, gains most at 2^11, and fast gains most at 2^13. The only count that the ladder names for
 * the step to fast fell by just 1 %, so no count explains this gain. */
static void the_winner_is_named_from_each_n_on(void **state)
{
    (void)state;
    struct results r = three_kernels();
    char *text = said(&r, LADDER);
    texts_expect("three kernels at four sizes", text);
    free(text);
    results_free(&r);
}

static void only_a_count_that_follows_from_the_step_is_named(void **state)
{
    (void)state;
    struct text csv = {0};
    text_append(&csv, HEADER);
    add_row(&csv, "slow", 1024, 40, 4000, 100, 50);
    add_row(&csv, "middle", 1024, 10, 1000, 10, 100);
    struct results r = read_run(put("cause", "results.csv", csv.bytes));
    text_free(&csv);
    /* Efficiency explains half of the gain. Stores explain nothing, because this run has no counts
     * of stores. */
    static const char *const counts[] = {": gld_transactions", ": warp_execution_efficiency",
                                         ": instructions", ": gst_transactions", ""};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        char index[160], name[64];
        snprintf(name, sizeof name, "step from slow%s", counts[i]);
        snprintf(index, sizeof index, "family 1: one\nslow\nmiddle\nstep from slow%s\n", counts[i]);
        char *text = said(&r, index);
        texts_expect(name, text);
        free(text);
    }
    /* If no step of the ladder connects the kernels, the conclusion states no gain. It does not
     * name the scope, because all rows have the same one. */
    char *text = said(&r, "family 1: one\nslow\nmiddle\n");
    texts_expect("a ladder without a step", text);
    free(text);
    results_free(&r);
}

static void recorded_run_of_an_h100(void **state)
{
    (void)state;
    struct results r = read_run("results/reference/h100-minute-cuda13");
    struct conclusion_sources s;
    conclusion_sources_read(".", &r, &s);
    assert_false(s.has_recorded); /* The run has its own times, so it needs no recorded ones. */
    struct view v = {0};
    assert_true(conclusion_add(&r, &s, &v));
    char *text;
    size_t length;
    FILE *f = open_memstream(&text, &length);
    view_write_text(&v, NULL, f);
    assert_int_equal(fclose(f), 0);
    texts_expect("the first minute on an H100", text);
    assert_null(strstr(text, "cpu_"));
    free(text);
    view_free(&v);
    conclusion_sources_free(&s);
    results_free(&r);
}

static const char *text_at(const struct table *t, size_t row, const char *column)
{
    return column_text(table_find(t, column), row);
}

static void without_a_clock_the_ladder_is_in_its_order(void **state)
{
    (void)state;
    struct results r = read_run("results/reference/sim-quick");
    struct conclusion_sources s;
    conclusion_sources_read(".", &r, &s);
    assert_true(s.has_recorded);
    struct view v = {0};
    assert_true(conclusion_add_ladder(&r, &s, &v));
    const struct table *t = &v.items.items[0]->table.cells;
    size_t before = 0;
    for (size_t i = 0; i < t->row_count; i++) {
        size_t rung = step_rung(&s.ladder, text_at(t, i, "kernel"));
        assert_true(i == 0 || rung >= before);
        before = rung;
        assert_null(strstr(text_at(t, i, "kernel"), "cpu_"));
    }
    assert_string_equal(text_at(t, 0, "kernel"), "neighbored");
    assert_string_equal(text_at(t, 0, "step"), "");
    assert_string_equal(text_at(t, 1, "kernel"), "neighbored_less");
    assert_string_equal(text_at(t, 1, "from"), "neighbored");
    assert_string_equal(text_at(t, 1, "step"), "inst_per_warp 154.9 → 109.3, ÷ 1.42");
    for (size_t i = 1; i < t->row_count;
         /* A step names its starting kernel, unless that kernel is in the row above. */
         i++) {
        const char *from = text_at(t, i, "from"), *step = text_at(t, i, "step");
        char *named = xasprintf("(from %s)", from);
        bool above = strcmp(from, text_at(t, i - 1, "kernel")) == 0;
        assert_int_equal(strstr(step, named) != NULL, *from && !above);
        free(named);
    }
    assert_true(column_number(table_find(t, "recorded_time_us"), 0) > 184 &&
                column_number(table_find(t, "recorded_time_us"), 0) < 185);
    view_free(&v);
    /* Without a recorded run, the ladder has neither a column of recorded times nor a
     * conclusion. */
    results_free(&s.recorded);
    s.has_recorded = false;
    assert_true(conclusion_add_ladder(&r, &s, &v));
    assert_null(table_find(&v.items.items[0]->table.cells, "recorded_time_us"));
    assert_false(conclusion_add(&r, &s, &v));
    view_free(&v);
    conclusion_sources_free(&s);
    results_free(&r);
}

/* A ladder for a user's own kernel has no steps and no recorded times, so it lacks both columns
 * and the notes on them. */
static void notes_explain_only_columns_that_are_shown(void **state)
{
    (void)state;
    struct results recorded = read_run("results/reference/sim-quick");
    struct results r = read_run(put("own", "results.csv",
                                    HEADER "1,sim,S,my_sum,int32,sum,1024,64,1,8,cold,kernel,ok,,,,"
                                           "256,100,50\n"));
    struct conclusion_sources s;
    conclusion_sources_read(".", &recorded, &s);
    assert_true(s.has_recorded);
    struct view v = {0};
    assert_true(conclusion_add_ladder(&r, &s, &v));
    char *text;
    size_t length;
    FILE *f = open_memstream(&text, &length);
    view_write_text(&v, NULL, f);
    assert_int_equal(fclose(f), 0);
    texts_expect("a ladder of one's own kernel", text);
    free(text);
    view_free(&v);
    conclusion_sources_free(&s);
    results_free(&recorded);
    results_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_winner_is_named_from_each_n_on),
        cmocka_unit_test(only_a_count_that_follows_from_the_step_is_named),
        cmocka_unit_test(recorded_run_of_an_h100),
        cmocka_unit_test(without_a_clock_the_ladder_is_in_its_order),
        cmocka_unit_test(notes_explain_only_columns_that_are_shown),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
