/* Checks the files of a library: the table for people, the table for C, its code, and the messages
 * if the files cannot be written. test_write_programs.c compiles programs with them. */
#include "small_library.h"

#include "base/library.h"
#include "spec/kernel.h"
#include "tuned/pack.h"

#define IMAGE "static const uint64_t image_"

static char *file_text(const char *name)
{
    char *text = NULL;
    size_t length = 0;
    FILE *f = fopen(in_scratch(name), "r");
    assert_non_null(f);
    assert_true(getdelim(&text, &length, '\0', f) > 0);
    fclose(f);
    return text;
}

/* Compares a written file with its expected text, except for the code, whose length depends on
 * the compiler. */
static void expect_file(const char *name)
{
    char *text = file_text(name), *to = text;
    bool in_image = false;
    for (char *line = text, *next; *line; line = next) {
        next = line + strcspn(line, "\n");
        next += *next == '\n';
        in_image |= strncmp(line, IMAGE, strlen(IMAGE)) == 0;
        if (!in_image) {
            memmove(to, line, (size_t)(next - line));
            to += next - line;
        }
        in_image &= strncmp(line, "};", 2) != 0;
    }
    *to = '\0';
    texts_expect(name, text);
    free(text);
}

static int times_in(const char *text, const char *part)
{
    int times = 0;
    while ((text = strstr(text, part)) != NULL)
        times++, text += strlen(part);
    return times;
}

/*
 * Compares the files with test_write.txt: the table for people, the header, and the table for C.
 * Each configuration has code for aligned inputs and code for all other inputs. For these kernels,
 * both are the same code, which is stored once as machine code and once as PTX. For more than 2^31
 * elements, counts have 64 bits, which requires different code.
 */
static void the_files_of_a_library(void **state)
{
    (void)state;
    write_library("c");
    expect_file("c/table.csv");
    expect_file("c/redsweep_tuned.h");
    expect_file("c/redsweep_tuned_table.h");
    char *text = file_text("c/redsweep_tuned_table.h");
    assert_int_equal(times_in(text, IMAGE), 8);
    free(text);
}

/* Two ranges with equal settings share their code, as do variants that differ only in values
 * that do not affect the code. */
static void equal_code_is_stored_once(void **state)
{
    (void)state;
    static struct error e;
    struct tuned_function functions[2];
    struct tuned_range ranges[3];
    struct tuned t = make_tuned(functions, ranges);
    ranges[1] = make_range("even", 2, 8193, 16384);
    t.function_count = 1;
    assert_true(written(&t, 1, "redsweep", in_scratch("once"), &e));
    char *text = file_text("once/redsweep_tuned_table.h");
    assert_int_equal(times_in(text, IMAGE), 2);
    free(text);
    expect_file("once/redsweep_tuned_table.h");
}

/* Returns the words of an image in the table, and stores how many there are in *words. The
 * caller frees them. */
static uint64_t *image_words(const char *table, const char *name, size_t *words)
{
    const char *at = strstr(table, name);
    assert_non_null(at);
    *words = strtoull(at + strlen(name), NULL, 10);
    uint64_t *image = calloc(*words + 1, sizeof *image);
    const char *end = strstr(at, "};");
    size_t got = 0;
    for (at = strchr(at, '{'); (at = strstr(at, "0x")) != NULL && at < end; at += 2)
        image[got++] = strtoull(at, NULL, 16);
    assert_int_equal(got, *words);
    return image;
}

/* In the table, an image is a cubin written as 64-bit words. It lacks the line tables of
 * redsweep's own images. */
static void the_code_is_machine_code_without_line_tables(void **state)
{
    (void)state;
    write_library("code");
    char *text = file_text("code/redsweep_tuned_table.h");
    size_t words;
    uint64_t *image = image_words(text, "image_0[", &words);
    assert_memory_equal(image, "\177ELF", 4);
    size_t length = words * sizeof *image;
    assert_non_null(memmem(image, length, ".text.even", 10));
    assert_null(memmem(image, length, ".debug_line", 11));
    assert_null(memmem(image, length, "even.cu", 7));
    free(image);
    free(text);
}

static size_t all_words(const char *table)
{
    size_t sum = 0;
    for (const char *at = table; (at = strstr(at, IMAGE)) != NULL; at++)
        sum += strtoull(strchr(at, '[') + 1, NULL, 10);
    return sum;
}

/* The compressed container begins with its magic number and is less than half as long as the
 * plain code. Without the toolkit's compression program, nothing is compressed. If that program
 * fails, the writer reports its error. */
static void the_code_is_compressed_by_the_toolkit(void **state)
{
    (void)state;
    static struct error e;
    char program[LIBRARY_PATH_SIZE];
    struct tuned_function functions[2];
    struct tuned_range ranges[3];
    struct tuned t = make_tuned(functions, ranges);
    packer = "false";
    assert_false(written(&t, 1, "redsweep", in_scratch("packed"), &e));
    texts_expect("a packer that fails", e.text);
    packer = NULL;
    setenv("REDSWEEP_FATBINARY", "/no/such/program", 1);
    assert_false(pack_find(program));
    assert_string_equal(program, "");
    unsetenv("REDSWEEP_FATBINARY");
    if (!pack_find(program)) {
        print_message("the toolkit's fatbinary is not here: compressing is not tested\n");
        skip();
    }
    write_library("plain");
    packer = program;
    write_library("packed");
    packer = NULL;
    char *plain = file_text("plain/redsweep_tuned_table.h"),
         *packed = file_text("packed/redsweep_tuned_table.h");
    size_t words;
    uint64_t *image = image_words(packed, "image_0[", &words);
    assert_int_equal(image[0] & 0xffffffff, 0xba55ed50);
    assert_true(all_words(packed) > 0 && all_words(packed) < all_words(plain) / 2);
    assert_int_equal(times_in(packed, IMAGE), times_in(plain, IMAGE));
    free(image);
    free(plain);
    free(packed);
}

/* A program that is valid in C and in C++. It calls functions for rows, and one for an array that
 * is treated as one row. */
static const char user[] =
    "#include \"mine_tuned.h\"\n"
    "int use(const uint16_t *input, int64_t *output, float *pair, cudaStream_t stream);\n"
    "int use(const uint16_t *input, int64_t *output, float *pair, cudaStream_t stream)\n"
    "{\n"
    "    mine_status status = mine_rows_argmax_f16(input, 4, 64, output, stream);\n"
    "    if (status == MINE_SUCCESS)\n"
    "        status = mine_argmax_f16(input, 256, output, stream);\n"
    "    if (status == MINE_SUCCESS)\n"
    "        status = mine_rows_mean_var_f16(input, 4, 64, pair, stream);\n"
    "    if (status == MINE_ERROR_CUDA)\n"
    "        return (int)mine_cuda_error();\n"
    "    return mine_release() == MINE_ERROR_BUSY || mine_error_text(status)[0] == 'x';\n"
    "}\n";

/*
 * Checks that names begin with the prefix, that the header is valid in C11 and C++17, and that all
 * files compile.
 */
static void rows_and_a_prefix(void **state)
{
    (void)state;
    static struct error e;
    struct tuned_range ranges[2][3];
    struct tuned_function functions[2] = {
        {TYPE_FLOAT16, OP_ARGMAX, OVER_ROWS, .ranges = ranges[0], .range_count = 3},
        {TYPE_FLOAT16, OP_MEAN_VAR, OVER_ROWS, .ranges = ranges[1], .range_count = 1}};
    struct tuned t = {.functions = functions, .function_count = 2, .cc = 90};
    ranges[0][0] = ranges[0][1] = make_range("flat", 2, 4096, 4096);
    ranges[0][0].at = (struct config_shape){4096, 64, 1};
    ranges[0][1].at = (struct config_shape){4096, 512, 1};
    /* The two shapes share their code, and the model of the first one is used. */
    ranges[0][0].model[0] = 2.5;
    ranges[0][0].model[2] = 0.125;
    ranges[0][0].shortest = 64;
    ranges[0][0].longest = 512;
    ranges[0][2] = make_range("rows_scalar", 8, 1, (uint64_t)1 << TUNED_MOST_LOG2);
    ranges[0][2].fallback = true;
    ranges[0][2].us[0] = ranges[0][2].us[1] = ranges[0][2].reference_us[0] = NAN;
    ranges[1][0] = ranges[0][0];
    for (int i = 0; i < 3; i++) {
        ranges[0][i].variant.type = TYPE_FLOAT16;
        ranges[0][i].variant.op = OP_ARGMAX;
    }
    ranges[1][0].variant.type = TYPE_FLOAT16;
    ranges[1][0].variant.op = OP_MEAN_VAR;
    if (!written(&t, 1, "mine", in_scratch("mine"), &e))
        fail_msg("%s", e.text);
    expect_file("mine/table.csv");
    expect_file("mine/redsweep_tuned_table.h"); /* two shapes share one entry */
    put("mine", "user.c", user);
    put("mine", "library.c", "#include \"tuned/redsweep_tuned.c\"\n");
    char command[4096], here[1024];
    assert_non_null(getcwd(here, sizeof here));
    setenv("HERE", here, 1);
    setenv("TOOLKIT", TOOLKIT, 1);
    snprintf(command, sizeof command,
             "cd %s && for f in user library; do " COMPILER
             " -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -I. -I\"$HERE\" "
             "-isystem \"$TOOLKIT/include\" -c $f.c || exit 1; done; "
             "if command -v c++ >/dev/null; then c++ -x c++ -std=c++17 -Wall -Wextra -Werror -I. "
             "-isystem \"$TOOLKIT/include\" -c user.c; fi",
             in_scratch("mine"));
    assert_int_equal(system(command), 0);
    assert_true(tuned_prefix_valid("mine") && tuned_prefix_valid("a_1"));
    assert_false(tuned_prefix_valid("") || tuned_prefix_valid("1a") || tuned_prefix_valid("a-b") ||
                 tuned_prefix_valid("Mine") || tuned_prefix_valid("_a") ||
                 tuned_prefix_valid("abcdefghijklmnopqrstuvwxyzabcdefg"));
}

static void refused(const struct tuned *t, const char *folder, enum error_kind kind)
{
    static struct error e;
    assert_false(written(t, 1, "redsweep", in_scratch(folder), &e));
    assert_int_equal(e.kind, kind);
    texts_expect(folder, e.text);
}

static void what_goes_wrong_is_said(void **state)
{
    (void)state;
    struct tuned_function functions[2];
    struct tuned_range ranges[3];
    struct tuned t = make_tuned(functions, ranges);
    put("blocked", "file", "x");
    refused(&t, "blocked/file/deeper", ERROR_SYSTEM);
    assert_int_equal(mkdir(in_scratch("taken"), 0777), 0);
    assert_int_equal(mkdir(in_scratch("taken/table.csv"), 0777), 0);
    refused(&t, "taken", ERROR_SYSTEM);
    t.cc = 12; /* no GPU has this capability */
    refused(&t, "old", ERROR_UNSUPPORTED);
    t.cc = 90;
    ranges[0].variant.tunables[0] = 3;
    struct kernel broken = *ranges[0].kernel;
    broken.code = (char[]){"extern \"C\" __global__ void even(int *a) { oops; }\n"};
    broken.code_length = strlen(broken.code);
    ranges[0].kernel = &broken;
    static struct error e; /* the error has the compiler's message */
    assert_false(written(&t, 1, "redsweep", in_scratch("broken"), &e));
    assert_int_equal(e.kind, ERROR_COMPILE);
    assert_non_null(strstr(e.text, "oops"));
}

static void types_have_suffixes(void **state)
{
    (void)state;
    static const char *const suffixes[TYPE_COUNT] = {"i32", "u32",  "i64", "f32", "f64",
                                                     "f16", "bf16", "i8",  "u8",  "u64"};
    for (int type = 0; type < TYPE_COUNT; type++)
        assert_string_equal(element_suffix((enum element_type)type), suffixes[type]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_files_of_a_library),
        cmocka_unit_test(equal_code_is_stored_once),
        cmocka_unit_test(the_code_is_machine_code_without_line_tables),
        cmocka_unit_test(the_code_is_compressed_by_the_toolkit),
        cmocka_unit_test(rows_and_a_prefix),
        cmocka_unit_test(what_goes_wrong_is_said),
        cmocka_unit_test(types_have_suffixes),
    };
    return cmocka_run_group_tests_name("writing", tests, set_up, tear_down);
}
