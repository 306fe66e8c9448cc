/* A search strategy is one file. Here, the example from docs/internals.md (source_largest.c)
 * replaces the default. It must measure the same points in a different order. */
#include "fixture.h"

#include "run/source.h"

extern const struct source_kind source_largest;

static bool largest; /* whether sweeps use the source of source_largest.c */

const struct source_kind *__real_source_kind_of(const struct config *c);
const struct source_kind *__wrap_source_kind_of(const struct config *c);

const struct source_kind *__wrap_source_kind_of(const struct config *c)
{
    return largest ? &source_largest : __real_source_kind_of(c);
}

static const char config[] =
    "{\"kernels\": [\"alpha\", \"beta\"], \"sizes\": [300, 100, 400, 200], \"blocks\": [32, 64], "
    "\"unrolls\": [2], \"timing\": {\"min_samples\": 3, \"max_samples\": 3, \"warmup\": 0}}";

static void run(struct bed *bed, const char *device, struct table *t)
{
    bed_open(bed, config);
    if (!bed_run(bed, device))
        fail_msg("%s", bed->e.text);
    bed_check_files(bed);
    bed_table(bed, t);
}

/* Returns whether n never increases from one row to the next. */
static bool descends(const struct table *t)
{
    for (size_t i = 1; i < t->row_count; i++)
        if (atoi(cell(t, i, "n")) > atoi(cell(t, i - 1, "n")))
            return false;
    return true;
}

static void a_strategy_of_one_file_measures_in_its_own_order(void **state)
{
    (void)state;
    struct bed bed;
    struct table all, sorted, lanes;
    largest = false;
    run(&bed, "fault:", &all);
    bed_close(&bed);
    largest = true;
    run(&bed, "fault:", &sorted);
    bed_close(&bed);
    run(&bed, "fault:uuid=A|fault:uuid=B,lost=100", &lanes);
    bed_close(&bed);
    assert_false(descends(&all));
    assert_true(descends(&sorted));
    same_rows(&all, &sorted);
    same_rows(&all, &lanes);
    table_free(&all);
    table_free(&sorted);
    table_free(&lanes);
}

/* A resumed run retries the points of a kernel that failed, in the order of the same strategy. */
static void a_resumed_run_goes_on_in_the_same_order(void **state)
{
    (void)state;
    struct bed bed;
    struct table first, whole;
    largest = true;
    bed_open(&bed, config);
    if (!bed_run(&bed, "fault:error=100,kernel=beta"))
        fail_msg("%s", bed.e.text);
    bed_table(&bed, &first);
    size_t good = bed.result.by_status[STATUS_OK];
    assert_true(good > 0 && good < first.row_count);
    bed.retry[STATUS_LAUNCH_ERROR] = true;
    if (!bed_resume(&bed, "fault:", false))
        fail_msg("%s", bed.e.text);
    bed_check_files(&bed);
    bed_table(&bed, &whole);
    assert_int_equal(bed.result.by_status[STATUS_OK], first.row_count);
    assert_int_equal(whole.row_count, first.row_count);
    for (size_t i = good + 1; i < whole.row_count; i++)
        assert_true(atoi(cell(&whole, i, "n")) <= atoi(cell(&whole, i - 1, "n")));
    table_free(&first);
    table_free(&whole);
    bed_close(&bed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_strategy_of_one_file_measures_in_its_own_order),
        cmocka_unit_test(a_resumed_run_goes_on_in_the_same_order),
    };
    return cmocka_run_group_tests_name("strategy", tests, NULL, NULL);
}
