/*
 * Compares all files that are written for a library with written.txt. The library has functions for
 * arrays, rows and axes, exact and invariant functions, functions of two vectors, and functions
 * with two results. The measurements are for two compute capabilities. Images are left out.
 *
 *   UPDATE=1 build/tests/tuned/test_written */
#include "writing_fixture.h"

#include "base/file.h"

static const char expected_path[] = "tests/tuned/written.txt";

/* A function's configuration for one shape or, if the function reduces arrays, for a range of n. */
struct line {
    const char *kernel;
    int block, loads;
    struct config_shape at; /* with row_length 0, an array of n elements */
    uint64_t first, last;   /* 0 and 0 if it is never the fastest */
    double us, reference_us;
    bool fallback;
};

enum { LINES = 5, FUNCTIONS = 12 };

struct function {
    enum element_type type;
    enum operation op;
    enum tuned_over over;
    bool exact, invariant;
    unsigned targets; /* bit 0: 9.0, bit 1: 8.0 */
    struct line lines[LINES];
};

#define EVER ((uint64_t)1 << TUNED_MOST_LOG2)
#define FALLBACK(kernel, loads)                                                                    \
    {                                                                                              \
        kernel, 32, loads, {0}, 1, EVER, NAN, NAN, true                                            \
    }
#define AT(n, length, inner) {n, length, inner}, n, n

static const struct function functions[FUNCTIONS] = {
    {TYPE_INT32,
     OP_SUM,
     OVER_ARRAYS,
     false,
     false,
     3,
     {{"even", 128, 2, {4096, 0, 0}, 1, 1u << 20, 4.25, 5, false},
      {"odd", 64, 4, {1u << 21, 0, 0}, (1u << 20) + 1, EVER, 8.5, NAN, false}}},
    {TYPE_INT32,
     OP_MAX,
     OVER_ARRAYS,
     false,
     false,
     1,
     {{"even", 128, 1, {4096, 0, 0}, 1, (uint64_t)1 << 31, 4, NAN, false}}},
    {TYPE_FLOAT32,
     OP_SUM,
     OVER_AXES,
     false,
     false,
     1,
     {{"axial", 64, 2, AT(4096, 16, 4), 3, NAN, false},
      {"axial", 64, 2, AT((uint64_t)1 << 32, 16, 64), 33, NAN, false},
      FALLBACK("axis_thread", 1)}},
    {TYPE_FLOAT32,
     OP_SUM,
     OVER_ROWS,
     false,
     false,
     1,
     {{"flat", 64, 4, AT(4096, 64, 1), 3, 3.5, false},
      {"flat", 64, 4, AT((uint64_t)1 << 33, 64, 1), 30, NAN, false},
      {"flat", 128, 1, AT(65536, 4096, 1), 9, 12, false},
      {"ragged", 64, 2, AT(4095, 63, 1), 5, NAN, false},
      FALLBACK("rows_scalar", 8)}},
    {TYPE_FLOAT32,
     OP_DOT,
     OVER_ROWS,
     false,
     false,
     1,
     {{"paired", 64, 2, AT(4096, 64, 1), 6, NAN, false}, FALLBACK("paired", 1)}},
    {TYPE_FLOAT32, OP_DOT, OVER_AXES, false, false, 1, {FALLBACK("paired_axis", 1)}},
    {TYPE_FLOAT16,
     OP_MEAN_VAR,
     OVER_AXES,
     false,
     false,
     1,
     {{"axial", 64, 4, AT(8192, 32, 8), 7, NAN, false}, FALLBACK("axis_thread", 2)}},
    {TYPE_FLOAT16, OP_MEAN_VAR, OVER_ROWS, false, false, 1, {FALLBACK("rows_scalar", 0)}},
    {TYPE_UINT8, OP_ARGMAX, OVER_ROWS, false, false, 2, {FALLBACK("rows_scalar", 0)}},
    {TYPE_UINT8, OP_ARGMAX, OVER_AXES, false, false, 3, {FALLBACK("axis_thread", 1)}},
    {TYPE_FLOAT32,
     OP_SUM,
     OVER_ROWS,
     true,
     false,
     1,
     {{"precise", 64, 1, AT(4096, 64, 1), 11, NAN, false}, FALLBACK("precise", 2)}},
    {TYPE_FLOAT64,
     OP_SUM,
     OVER_ROWS,
     false,
     true,
     1,
     {{"steady", 64, 4, AT(4096, 64, 1), 5.5, NAN, false}, FALLBACK("steady", 1)}},
};

static int set_up(void **state)
{
    if (make_scratch(state) != 0)
        return -1;
    (void)put("kernels", "none.txt", "");
    put_rows_kernel(
        "paired", "rows",
        "// tunable:   LOADS 1 2\n// requires:  OFFSET = 0 or LOADS = 1\n"
        "// where:     STRIPS ceil_div(N, ROW_LENGTH)\n// where:     HALF STRIPS / 2\n"
        "// requires:  N < 2 ^ 40\n// shared:    64 * LOADS\n// depth:     LOADS + BLOCK\n"
        "// cost:      ceil_div(GRID, SMS)\n// cost:      HALF\n// overlap:   ROW_LENGTH\n"
        "// parameters: input second output size_t(N / ROW_LENGTH) float(0.5)\n");
    put_rows_kernel("paired_axis", "axis",
                    "// tunable:   LOADS 1 2\n"
                    "// parameters: input output second int(INNER) workspace\n");
    return open_compiler();
}

static struct tuned_range make_range(const struct function *f, const struct line *line)
{
    struct tuned_range r = {
        .kernel = catalogue_find(&kernels, line->kernel),
        .variant = {.block = line->block, .unroll = 1, .tunables = {line->loads}},
        .fallback = line->fallback,
        .first = line->first,
        .last = line->last,
        .sizes = {line->at.n, line->at.row_length ? line->at.n : 2 * line->at.n},
        .us = {line->us, line->us},
        .reference_us = {line->reference_us, line->reference_us}};
    assert_non_null(r.kernel);
    r.variant.type = (uint8_t)f->type;
    r.variant.op = (uint8_t)f->op;
    if (line->at.row_length) {
        r.at = line->at;
        r.shortest = line->at.row_length / 2;
        r.longest = 2 * line->at.row_length;
        for (int i = 0; i < MODEL_COMMON + r.kernel->cost_count; i++)
            r.model[i] = 0.5 / (i + 1);
    }
    return r;
}

/* Returns the library for one compute capability. The caller frees its ranges with tuned_free(). */
static struct tuned make_target(int target)
{
    struct tuned t = {.catalogue = &kernels, .cc = target ? 80 : 90, .sms = target ? 108 : 132};
    snprintf(t.device, sizeof t.device, "Device %c", "DE"[target]);
    snprintf(t.started, sizeof t.started, "2026-01-0%dT03:04:05Z", target + 2);
    snprintf(t.run, sizeof t.run, "invented %d", target);
    for (int i = 0; i < FUNCTIONS; i++) {
        const struct function *from = &functions[i];
        if (!(from->targets >> target & 1))
            continue;
        struct tuned_function f = {from->type,      from->op, from->over, from->exact,
                                   from->invariant, NULL,     0};
        for (int line = 0; line < LINES && from->lines[line].kernel; line++)
            array_push(f.ranges, f.range_count, make_range(from, &from->lines[line]));
        array_push(t.functions, t.function_count, f);
    }
    return t;
}

/* Appends a file's text without its images, whose words depend on the compiler. */
static void append_file(const char *folder, const char *name, struct text *out)
{
    static struct error e;
    char path[300], *bytes, *rest, *line;
    size_t length;
    snprintf(path, sizeof path, "%s/%s/%s", scratch, folder, name);
    if (!file_read(path, 1 << 26, &bytes, &length, &e))
        fail_msg("%s", e.text);
    text_append(out, "==== %s\n", name);
    rest = bytes;
    while ((line = strsep(&rest, "\n")) && rest) {
        line[strcspn(line, "\r")] = '\0';
        if (strncmp(line, "static const uint64_t image_", 28) == 0) {
            while (*line && rest) /* an empty line follows an image */
                line = strsep(&rest, "\n");
            continue;
        }
        text_append(out, "%s\n", line);
    }
    free(bytes);
}

static void all_that_is_written_is_as_expected(void **state)
{
    (void)state;
    static struct error e;
    struct tuned targets[2] = {make_target(0), make_target(1)};
    char folder[300], *want = NULL;
    size_t length;
    snprintf(folder, sizeof folder, "%s/all", scratch);
    const struct tuned_output to = {.prefix = "mine", .folder = folder};
    if (!tuned_write(targets, 2, &to, compiler, &e))
        fail_msg("%s", e.text);
    struct text got = {0};
    append_file("all", "table.csv", &got);
    append_file("all", "mine_tuned.h", &got);
    append_file("all", "redsweep_tuned_table.h", &got);
    if (getenv("UPDATE")) {
        FILE *f = fopen(expected_path, "w");
        assert_non_null(f);
        assert_true(fputs(got.bytes, f) >= 0);
        assert_int_equal(fclose(f), 0);
    }
    if (!file_read(expected_path, 1 << 22, &want, &length, &e))
        fail_msg("%s", e.text);
    for (size_t i = 0, line = 1; i <= length; line += want[i] == '\n', i++)
        if (got.bytes[i] != want[i])
            fail_msg("%s:%zu: now there is: %.200s", expected_path, line, got.bytes + i);
    free(want);
    text_free(&got);
    for (int i = 0; i < 2; i++)
        tuned_free(&targets[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_that_is_written_is_as_expected)};
    return cmocka_run_group_tests_name("what is written", tests, set_up, tear_down);
}
