/*
 * Which configuration serves which shape: rows, axes, the times that are expected where none were measured, functions that are
 * invariant or exact.
 */
#include "choosing_fixture.h"
#include "tuned/choosing.h"
#include "tuned/model.h"

static void expect_shape(const struct tuned_range *r, int loads, uint64_t n, uint64_t row_length)
{
    assert_int_equal(r->variant.tunables[0], loads);
    assert_int_equal(r->sizes[0], n);
    assert_int_equal(r->at.row_length, row_length);
    assert_false(r->fallback);
}

/*
 * Along rows each shape has its winner, unless one that the function has already is about as good.
 * What runs everywhere comes after them, the special before the general.
 */
static void rows_have_a_winner_for_each_shape(void **state)
{
    (void)state;
    struct tuned t = choose("flat float16 logsumexp 4096 1 complete@16 10 .0001 "
                            "flat float16 logsumexp 4096 2 complete@16 11 .0001 "
                            "flat float16 logsumexp 4096 2 complete@64 20 .0001 "
                            "flat float16 logsumexp 4096 1 complete@64 20.04 .0001 "
                            "flat float16 logsumexp 65536 1 complete@16 33 .0001 "
                            "flat float16 logsumexp 65536 4 complete@16 30 .0001",
                            6);
    const struct tuned_function *f = &t.functions[0];
    assert_int_equal(t.function_count, 1);
    assert_true(f->over == OVER_ROWS && f->type == TYPE_FLOAT16 && f->op == OP_LOGSUMEXP);
    int seen = 0;
    for (int i = 0; i < 3; i++) {
        const struct tuned_range *r = &f->ranges[i];
        assert_string_equal(r->kernel->name, "flat");
        if (r->at.row_length == 64)
            expect_shape(r, 1, 4096, 64); /* not 2, which is 0.2 % faster */
        else
            expect_shape(r, r->sizes[0] == 4096 ? 1 : 4, r->sizes[0], 16);
        seen += (int)r->sizes[0];
    }
    assert_int_equal(seen, 4096 + 4096 + 65536);
    assert_true(f->ranges[3].last ==
                0); /* 2, the fastest nowhere, and expected to be at other lengths */
    assert_int_equal(f->ranges[3].variant.tunables[0], 2);
    for (int i = 4; i < 6; i++) {
        assert_true(f->ranges[i].fallback && isnan(f->ranges[i].us[0]));
        assert_string_equal(f->ranges[i].kernel->name, "rows_scalar");
        assert_int_equal(f->ranges[i].variant.tunables[0], i == 4 ? 8 : 0);
    }
    tuned_free(&t);
    /* rows of 7 halves are not whole packs */
    refuse("flat float16 sum 4088 1 complete@7 10 .001", "was measured for sum float16 along rows");
}

/* µs of `loads` at rows of so many halves, as the model of choose() says. */
static double expected_us(const struct tuned *t, int loads, uint64_t n, uint64_t row_length)
{
    const struct config_shape at = {n, row_length, 1};
    for (size_t i = 0; i < t->functions[0].range_count; i++) {
        const struct tuned_range *r = &t->functions[0].ranges[i];
        if (!r->fallback && r->variant.tunables[0] == loads)
            return model_us(r, t->sms, &at);
    }
    return NAN;
}

/*
 * The time at a shape that nobody measured follows from the times elsewhere, also from those of the loser at each:
 * here 1 takes 5 us and 1 per 8192 bytes, and 2, of another kernel, takes 15 us and half as much for each byte.
 */
static void times_elsewhere_are_fitted(void **state)
{
    (void)state;
    struct tuned t = choose("flat float16 max 4096 1 complete@16 6 .0001 "
                            "ragged float16 max 4096 2 complete@16 15.5 .0001 "
                            "flat float16 max 65536 1 complete@16 21 .0001 "
                            "ragged float16 max 65536 2 complete@16 23 .0001 "
                            "flat float16 max 262144 1 complete@64 69 .0001 "
                            "ragged float16 max 262144 2 complete@64 47 .0001",
                            7);
    assert_near(expected_us(&t, 1, 32768, 32), 13, 0.05);
    assert_near(expected_us(&t, 2, 32768, 32), 19, 0.05);
    assert_near(expected_us(&t, 1, 131072, 32), 37, 0.1);
    assert_near(expected_us(&t, 2, 131072, 32), 31, 0.1);
    const struct tuned_range *r = &t.functions[0].ranges[0];
    assert_true(r->shortest == 16 && r->longest == 64);
    tuned_free(&t);
}

/*
 * An axis is a function beside rows: its shapes have their inner, its times are fitted with it, and what runs
 * everywhere is axis_thread. A kernel of an axis serves rows, too, where it was measured there.
 */
static void an_axis_is_a_function_of_its_own(void **state)
{
    (void)state;
    struct tuned t = choose("axial float16 max 4096 1 complete@16x16 10 .0001 "
                            "axial float16 max 8192 2 complete@16x32 10 .0001 "
                            "axial float16 max 65536 1 complete@16x16 25 .0001 "
                            "axial float16 max 65536 2 complete@16x32 17 .0001 "
                            "axial float16 max 65536 1 complete@16x256 11 .0001 "
                            "axial float16 max 65536 4 complete@16x256 40 .0001 "
                            "axis_thread float16 max 65536 1 complete@16x256 60 .0001 "
                            "flat float16 max 4096 1 complete@16 6 .0001 ",
                            3);
    assert_int_equal(t.function_count, 2);
    const struct tuned_function *f = &t.functions[1];
    assert_true(t.functions[0].over == OVER_ROWS || f->over == OVER_ROWS);
    f = f->over == OVER_AXES ? f : &t.functions[0];
    assert_int_equal(f->over, OVER_AXES);
    assert_int_equal(f->range_count, 5 + 1 + 2);
    for (int i = 0; i < 5; i++) {
        assert_string_equal(f->ranges[i].kernel->name, "axial");
        assert_int_equal(f->ranges[i].at.row_length, 16);
        assert_true(f->ranges[i].at.inner >= 16);
    }
    /* Of two that lost everywhere, the one that alone runs at an odd inner is kept. */
    assert_string_equal(f->ranges[5].kernel->name, "axis_thread");
    assert_true(!f->ranges[5].fallback && f->ranges[5].last == 0 && f->ranges[5].model[0] > 0);
    assert_true(f->ranges[6].fallback && f->ranges[7].fallback);
    assert_string_equal(f->ranges[6].kernel->name, "axis_thread");
    const struct config_shape far = {16384, 16, 16}, odd = {17408, 16, 17};
    for (int i = 0; i < 5; i++)
        if (f->ranges[i].variant.tunables[0] == 1) /* 1 us for each of 64 outer ones */
            assert_near(model_us(&f->ranges[i], t.sms, &far), 12.9, 1);
    const struct choosing c = {.sms = t.sms};
    assert_true(range_runs_at(&c, &f->ranges[0], &far));
    assert_false(range_runs_at(&c, &f->ranges[0], &odd));
    tuned_free(&t);
    refuse("axial float16 sum 4080 1 complete@16x15 10 .001",
           "was measured for sum float16 along an axis");
}

/* No coefficient is negative: what a term does not explain, it does not hide either. */
static void no_term_takes_negative_time(void **state)
{
    (void)state;
    struct model_sample samples[20];
    double us[MODEL_TERMS];
    for (int i = 0; i < 20; i++)
        samples[i] = (struct model_sample){
            {1, i * 1e6, 20 - i}, 4 + 3e-6 * (i * 1e6) + (i % 2 ? 0.1 : -0.1), 1};
    samples[7].us *= 3; /* an outlier moves little */
    const struct model_form form = model_form_of(NULL);
    model_fit(&form, samples, 20, NULL, us);
    for (int i = 0; i < MODEL_TERMS; i++)
        assert_true(us[i] >= 0);
    assert_near(us[0] + us[1] * 10e6 + us[2] * 10, 34, 1);
    model_fit(&form, samples, 0, NULL, us);
    assert_true(us[0] == 0 && us[1] == 0 && us[2] == 0);
}

/* µs of `work` beside `bytes`: 4 us, 1 us per million bytes, 2 us per unit of work, of which the longer counts. */
static double us_beside(double bytes, double work)
{
    return 4 + sqrt(sqrt(pow(bytes / 1e6, 4) + pow(2 * work, 4)));
}

/* Work that goes on while the input is read shows where it takes longer, and costs nothing where it does not. */
static void what_overlaps_is_not_added(void **state)
{
    (void)state;
    const struct model_form form = {.terms = 4, .overlaps = {[3] = true}};
    struct model_sample samples[40];
    double us[MODEL_TERMS];
    for (int i = 0; i < 40; i++) {
        double bytes = (i % 8 + 1) * 4e6, work = i / 8 * 5;
        samples[i] = (struct model_sample){{1, bytes, 0, work}, us_beside(bytes, work), 1};
    }
    model_fit(&form, samples, 40, NULL, us);
    assert_near(us[0], 4, 0.02);
    assert_near(us[1], 1e-6, 1e-8);
    assert_near(us[3], 2, 0.02);
    double often[MODEL_TERMS] = {1, 60e6, 0, 5}, seldom[MODEL_TERMS] = {1, 4e6, 0, 40};
    assert_near(model_time(&form, often, us), 64, 0.5);
    assert_near(model_time(&form, seldom, us), 84, 0.5);
}

/*
 * The times of rows_thread (variances of bfloat16, on an H100) do not depend on reading. To explain by reading what the work
 * leaves over, a fit needs coefficients that are far off; each round that moved there made the times worse, up to 649 times.
 */
static void a_fit_does_not_run_away(void **state)
{
    (void)state;
    static const struct {
        double rows, length, us;
    } measured[] = {
        {688, 8, 4.736},        {483, 21, 6.4},        {880, 16, 5.344},     {1136, 15, 5.12},
        {744, 25, 6.976},       {800, 24, 5.984},      {3920, 8, 4.928},     {1352, 24, 6.144},
        {28600, 3, 4.672},      {18672, 10, 5.12},     {21096, 32, 7.232},   {34432, 56, 10.528},
        {856, 6, 4.576},        {4968, 8, 4.832},      {13272, 16, 5.44},    {6016, 43, 13.472},
        {26424, 13, 5.376},     {82728, 9, 5.504},     {43808, 17, 6.048},   {53688, 24, 7.072},
        {303768, 5, 6.304},     {46632, 80, 13.216},   {68392, 128, 54.704}, {450792, 24, 17.856},
        {5063824, 48, 294.896}, {3928480, 38, 164.128}};
    enum { COUNT = sizeof measured / sizeof *measured };
    const struct model_form form = {.terms = 9,
                                    .overlaps = {[5] = true, [6] = true, [7] = true, [8] = true}};
    struct model_sample samples[COUNT];
    struct model_prior prior;
    double us[MODEL_TERMS];
    for (int i = 0; i < COUNT; i++) {
        double rows = measured[i].rows, length = measured[i].length;
        double work = ceil(ceil(rows / 256) / 132) * 8 * length,
               waves = ceil(ceil(rows / 256) / 1056);
        samples[i] =
            (struct model_sample){{1, 2 * rows * length, rows, length, waves * length, work,
                                   fmod(length, 16) == 0 ? work : 0, work * fmin(32, length / 2),
                                   rows * fmax(0, 32 - 2 * length)},
                                  measured[i].us,
                                  1};
    }
    model_pool(&form, samples, COUNT, 1, &prior);
    model_fit(&form, samples, COUNT, &prior, us);
    for (int i = 0; i < COUNT; i++) {
        double ratio = model_time(&form, samples[i].terms, us) / measured[i].us;
        assert_true(ratio > 0.4 && ratio < 1.6);
    }
}

/* What a configuration's own times do not tell, its kernel's other configurations do; what they tell, counts. */
static void a_prior_fills_what_is_not_known(void **state)
{
    (void)state;
    const struct model_form form = {.terms = 4};
    struct model_sample all[60];
    struct model_prior prior;
    double us[MODEL_TERMS];
    for (int i = 0; i < 60; i++) {
        double bytes = (i % 6 + 1) * 2e6, work = i / 6;
        all[i] = (struct model_sample){{1, bytes, 0, work}, 5 + bytes / 1e6 + 3 * work, 1};
    }
    model_pool(&form, all, 60, 0.1, &prior);
    assert_near(prior.us[3], 3, 0.02);
    for (int i = 0; i < 6; i++) /* of its own: half as long per byte, and nothing of work */
        all[i].us = 5 + all[i].terms[1] / 2e6;
    model_fit(&form, all, 6, &prior, us);
    assert_near(us[1], 0.5e-6, 0.05e-6);
    assert_near(us[3], 3, 0.02);
}

/* Behind a winner that takes whole packs only, the best that takes rows of any length. */
static void rows_of_any_length_have_theirs(void **state)
{
    (void)state;
    struct tuned t = choose("flat float16 max 4096 1 complete@16 10 .0001 "
                            "ragged float16 max 4096 1 complete@16 14 .0001 "
                            "ragged float16 max 4096 2 complete@16 12 .0001 "
                            "ragged float16 max 4096 1 complete@64 20 .0001 "
                            "flat float16 max 4096 1 complete@64 21 .0001 "
                            "flat float16 max 4096 4 complete@128 30 .0001",
                            6);
    const struct tuned_function *f = &t.functions[0];
    int flat = 0, ragged = 0;
    for (int i = 0; i < 4; i++) {
        const struct tuned_range *r = &f->ranges[i];
        bool any = strcmp(r->kernel->name, "ragged") == 0;
        expect_shape(r,
                     r->at.row_length == 128         ? 4
                     : any && r->at.row_length == 16 ? 2
                                                     : 1,
                     4096, r->at.row_length);
        if (r->at.row_length == 16 && any)
            assert_string_equal(f->ranges[i - 1].kernel->name, "flat");
        assert_true(any || r->at.row_length != 64); /* its winner takes any length */
        flat += !any;
        ragged += any;
    }
    assert_int_equal(flat, 2);
    assert_int_equal(ragged, 2);
    tuned_free(&t);
}

/* Chooses for an invariant library; the error where it is refused. */
static bool choose_steady(const char *rows, struct tuned *t, struct error *e)
{
    put_told("run", "D", "9.0", even_hash());
    struct results r = make_run("run", "D", rows);
    bool ok = tuned_choose(&r, 1, &kernels, true, t, e);
    results_free(&r);
    return ok;
}

/*
 * Where the order decides: kernels whose facts say so, a configuration for each length, whole arrays as one row.
 * `steady` 1 serves the lengths about 64, where it alone was measured, 2 the others, 4 is never ahead.
 */
static void an_invariant_library_chooses_by_row_length(void **state)
{
    (void)state;
    static struct error e;
    struct tuned t;
    assert_true(choose_steady("flat float32 sum 65536 1 complete@64 1 .0001 "
                              "even float32 sum 65536 1 complete 1 .0001 "
                              "even int32 sum 65536 1 complete 3 .0001 "
                              "steady float32 sum 65536 1 complete@64 20 .0001 "
                              "steady float32 sum 16777216 1 complete@64 500 .0001 "
                              "steady float32 sum 65536 2 complete@4096 20 .0001 "
                              "steady float32 sum 16777216 2 complete@4096 90 .0001 "
                              "steady float32 sum 65536 4 complete@4096 30 .0001 "
                              "steady float32 sum 16777216 4 complete@4096 100 .0001",
                              &t, &e));
    assert_int_equal(t.function_count, 2);
    const bool first = t.functions[0].type == TYPE_FLOAT32;
    const struct tuned_function *f = &t.functions[!first], *whole = &t.functions[first];
    assert_true(f->over == OVER_ROWS && f->invariant);
    assert_int_equal(f->range_count, 3);
    for (int i = 0; i < 2; i++) {
        assert_string_equal(f->ranges[i].kernel->name, "steady");
        const uint64_t length = f->ranges[i].at.row_length; /* the shortest that it serves */
        assert_int_equal(f->ranges[i].variant.tunables[0], length == 1 ? 2 : 1);
        assert_true(length == 1 || (length >= 43 && length <= 64));
    }
    assert_true(f->ranges[2].fallback);
    assert_int_equal(f->ranges[2].variant.tunables[0], 0);        /* any length */
    assert_true(whole->over == OVER_ARRAYS && !whole->invariant); /* integers add up in any order */
    tuned_free(&t);
    assert_false(choose_steady("flat float32 sum 65536 1 complete@64 1 .0001", &t, &e));
    assert_non_null(strstr(e.text, "facts say invariant: yes: measure such kernels"));
    error_clear(&e);
    assert_false(choose_steady("even float32 sum 65536 1 complete 1 .0001", &t, &e));
    assert_non_null(strstr(e.text, "no times of sum float32 along rows"));
}

/* `steady` 8 is the fastest, but needs an even element, where not every batch begins. */
static void an_invariant_library_serves_rows_from_any_element(void **state)
{
    (void)state;
    static struct error e;
    struct tuned t;
    assert_true(choose_steady("steady float32 sum 65536 2 complete@4096 20 .0001 "
                              "steady float32 sum 16777216 2 complete@4096 90 .0001 "
                              "steady float32 sum 65536 8 complete@4096 10 .0001 "
                              "steady float32 sum 16777216 8 complete@4096 50 .0001",
                              &t, &e));
    const struct tuned_function *f = &t.functions[0];
    assert_true(f->invariant && f->range_count == 2 && f->ranges[1].fallback);
    assert_int_equal(f->ranges[0].variant.tunables[0], 2);
    tuned_free(&t);
}

/* Exact kernels, which lose to others, have a function of their own, at the shapes where they were measured. */
static void exact_sums_are_a_function(void **state)
{
    (void)state;
    struct tuned t = choose("ragged float32 sum 4096 1 complete@64 12 .001 "
                            "precise float32 sum 4096 1 complete@64 20 .001 "
                            "precise float32 sum 4096 2 complete@64 19 .001 "
                            "ragged float32 sum 4096 1 complete@128 12 .001",
                            4);
    assert_int_equal(t.function_count, 2);
    for (int i = 0; i < 4; i++)
        assert_string_not_equal(t.functions[0].ranges[i].kernel->name, "precise");
    const struct tuned_function *f = &t.functions[1];
    assert_true(f->exact && f->over == OVER_ROWS && !t.functions[0].exact);
    assert_int_equal(f->range_count, 2);
    assert_string_equal(f->ranges[0].kernel->name, "precise");
    assert_int_equal(f->ranges[0].variant.tunables[0], 2);
    assert_int_equal(f->ranges[0].at.row_length, 64);
    assert_true(f->ranges[1].fallback); /* no elements */
    tuned_free(&t);
}

/* Both kinds of one type and operation are two functions. */
static void arrays_and_rows_are_two_functions(void **state)
{
    (void)state;
    struct tuned t = choose("even int32 sum 4096 1 complete 10 .001 even int32 sum 4096 2 complete "
                            "11 .001 flat int32 sum 4096 1 complete@64 12 .001",
                            1);
    assert_int_equal(t.function_count, 2);
    assert_int_equal(t.functions[0].over, OVER_ARRAYS);
    assert_int_equal(t.functions[1].over, OVER_ROWS);
    assert_int_equal(t.functions[1].range_count, 3);
    tuned_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_have_a_winner_for_each_shape),
        cmocka_unit_test(an_axis_is_a_function_of_its_own),
        cmocka_unit_test(times_elsewhere_are_fitted),
        cmocka_unit_test(no_term_takes_negative_time),
        cmocka_unit_test(what_overlaps_is_not_added),
        cmocka_unit_test(a_fit_does_not_run_away),
        cmocka_unit_test(a_prior_fills_what_is_not_known),
        cmocka_unit_test(rows_of_any_length_have_theirs),
        cmocka_unit_test(an_invariant_library_chooses_by_row_length),
        cmocka_unit_test(an_invariant_library_serves_rows_from_any_element),
        cmocka_unit_test(exact_sums_are_a_function),
        cmocka_unit_test(arrays_and_rows_are_two_functions),
    };
    return cmocka_run_group_tests_name("choosing by shape", tests, set_up, tear_down);
}
