/*
 * Checks the race for a program's own shapes: its config, its points, and the messages about
 * invalid files of shapes.
 */
#include "choosing_fixture.h"

#include "base/error.h"

/* The measured points are rows of 16 to 256 elements, an axis, and an array, which has no shape. */
static const char measured[] = "flat float32 sum 4096 1 complete@16 6 .001 "
                               "flat float32 sum 4096 1 complete@256 7 .001 "
                               "flat float32 sum 4096 4 complete@16 5 .001 "
                               "ragged float32 sum 4096 2 complete@64 6 .001 "
                               "ragged float32 sum 4096 2 complete@96 5 .001 "
                               "ragged float32 max 4096 1 complete@64 5 .001 "
                               "axial float32 sum 4096 2 complete@16x16 6 .001 "
                               "axial float32 sum 4096 4 complete@32x16 6 .001 "
                               "even float32 sum 4096 2 complete 6 .001";

static void race(const char *name, const char *shapes)
{
    static struct error e;
    struct tuned_race out = {0};
    struct text said = {0};
    put_told("run", "D", "9.0", even_hash());
    struct results run = make_run("run", "D", measured);
    char path[300];
    snprintf(path, sizeof path, "%s/shapes", put("own", "shapes", shapes));
    if (tuned_race_at(path, &run, 1, &kernels, &out, &e)) {
        text_append(&said, "%s%s", text_shown(&out.config), text_shown(&out.points));
    } else {
        assert_int_equal(e.kind, ERROR_CONFIG);
        text_append(&said, "%s", e.text);
    }
    texts_expect(name, text_shown(&said));
    error_clear(&e);
    text_free(&said);
    text_free(&out.config);
    text_free(&out.points);
    results_free(&run);
}

/* A configuration races for a shape if it was measured with rows 2/3 to 3/2 times as long. */
static void configurations_of_about_that_length_race(void **state)
{
    (void)state;
    race("rows of 24, half as long again as 16", "float32 sum 10x24\n");
    race("rows of 25, too long for what has rows of 16 only", "float32 sum 10x25\n");
    race("rows of 43 and of 144, at the ends of ragged", "float32 sum 10x43\nfloat32 sum 10x144\n");
    race("rows of 42 and of 145, beyond them", "float32 sum 10x42\nfloat32 sum 10x145\n");
    race("rows far longer than any: all race", "float32 sum 2x5000\n");
    race("an axis, and rows of another function",
         "# mine\n\n float32\tsum 3x20x8 # here\r\nfloat32 max 5x64\n");
}

static void a_file_of_other_things_is_refused(void **state)
{
    (void)state;
    race("nothing", "# no shape\n \n");
    race("no shape", "\nfloat32 sum\n");
    race("a word too many", "float32 sum 4x4 5\n");
    race("no type", "float33 sum 4x4\n");
    race("no operation", "float32 sun 4x4\n");
    race("a shape that is none", "float32 max 4x64\nfloat32 sum 4y4\n");
    race("a shape of one number", "float32 sum 4096\n");
    race("a function by rows that the runs lack", "float32 sum 4x64\nfloat64 max 4x64\n");
    race("a function of an axis that they lack", "float32 max 4x4x4\n");
    race("four numbers", "float32 sum 4x4x4x4\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(configurations_of_about_that_length_race),
        cmocka_unit_test(a_file_of_other_things_is_refused),
    };
    return cmocka_run_group_tests_name("own shapes", tests, set_up, tear_down);
}
