/*
 * Compiles variants to images. Checks macros, messages, linking and threads. No GPU is needed.
 */
#include "fixture.h"

#include <limits.h>

static void macros_reach_the_kernel(void **state)
{
    struct place *p = *state;
    struct image image = compile(p, &plain, &ptx90);
    assert_string_equal(image.entry, "probe");
    assert_int_equal(image.kind, IMAGE_PTX);
    assert_int_equal(image.length, strlen(image.bytes));
    assert_holds(image.bytes, ".target sm_90");
    assert_holds(image.bytes, "2000004");
    assert_holds(image.bytes, "4000004");
    assert_holds(image.bytes, "5000004");
    assert_holds(image.bytes, "6000007"); /* The kernel computes 6000000 + 2 + 5. */
    assert_holds(image.bytes, "7000001");
    assert_lacks(image.bytes, "1000");
    assert_holds(image.bytes, "probe.cu"); /* The line table names the file. */
    image_free(&image);

    p->kernel.block_constant = true;
    p->kernel.tunable_count = 1;
    p->kernel.tunables[0].name = "LOADS";
    struct variant v = {.block = 96, .unroll = 1, .type = TYPE_FLOAT64, .op = OP_PROD};
    v.wide = true;
    v.tunables[0] = 8;
    image = compile(p, &v, &ptx90);
    assert_holds(image.bytes, "1000096");
    assert_holds(image.bytes, "2000001");
    assert_holds(image.bytes, "3000008");
    assert_holds(image.bytes, "4000008");
    assert_holds(image.bytes, "5000008");
    assert_holds(image.bytes, "0d4024000000000000"); /* the bits of 2 · 5 as a double */
    image_free(&image);
}

static void every_type_and_operation_has_its_macro(void **state)
{
    struct place *p = *state;
    /* The kernel combines 2 and 5 and adds 6000000. For integers, the PTX has the result as a
     * constant; for floats, it has the result's bits. */
    static const char *const integers[OP_COUNT] = {"6000007", "6000005", "6000002", "6000010"};
    static const char *const floats[OP_COUNT] = {"0f40E00000", "0f40A00000", "0f40000000",
                                                 "0f41200000"};
    static const char *const doubles[OP_COUNT] = {"0d401C000000000000", "0d4014000000000000",
                                                  "0d4000000000000000", "0d4024000000000000"};
    for (int type = 0; type < TYPE_COUNT; type++)
        for (int op = 0; op < OP_COUNT; op++) {
            if (!operation_is_plain((enum operation)op, (enum element_type)type))
                continue;
            struct variant v = {.unroll = 1, .type = (uint8_t)type, .op = (uint8_t)op};
            struct image image = compile(p, &v, &ptx90);
            char wanted[16];
            snprintf(wanted, sizeof wanted, "%d", 5000000 + (int)element_size(type));
            assert_holds(image.bytes, wanted);
            assert_holds(image.bytes, type == TYPE_FLOAT32   ? floats[op]
                                      : type == TYPE_FLOAT64 ? doubles[op]
                                                             : integers[op]);
            image_free(&image);
        }
}

/* The host uses these sizes to read what kernels wrote. The simulator's tests run all pairs of
 * type and operation. */
static void accumulators_have_the_sizes_of_the_table(void **state)
{
    struct place *p = *state;
    static const char code[] = "#include \"operation.cuh\"\n"
                               "extern \"C\" __global__ void probe(int *out)\n"
                               "{ *out = 8000000 + 1000 * sizeof(accumulator) + 100 * "
                               "sizeof(element) + sizeof(result_t); }\n";
    set_code(&p->kernel, code);
    for (int type = 0; type < TYPE_COUNT; type++)
        for (int op = 0; op < OP_COUNT; op++) {
            enum element_type t = (enum element_type)type;
            enum operation o = (enum operation)op;
            struct variant v = {.unroll = 1, .type = (uint8_t)type, .op = (uint8_t)op};
            char wanted[32];
            if (!operation_allows(o, t) || (type + op) % 3 != 0)
                continue;
            snprintf(wanted, sizeof wanted, "%d",
                     8000000 + 1000 * (int)accumulator_size(o, t) + 100 * (int)element_size(t) +
                         (int)result_size(o, t));
            struct image image = compile(p, &v, &ptx90);
            assert_holds(image.bytes, wanted);
            image_free(&image);
        }
}

static void a_library_has_no_line_tables(void **state)
{
    struct place *p = *state;
    struct image image = compile(p, &plain, &ptx90);
    assert_holds(image.bytes, ".loc");
    image_free(&image);
    struct variant v = plain;
    v.without_lines = true;
    image = compile(p, &v, &ptx90);
    assert_false(image.from_cache);
    assert_lacks(image.bytes, ".loc");
    assert_lacks(image.bytes, "probe.cu");
    assert_holds(image.bytes, "2000004");
    image_free(&image);
}

static void a_cubin_is_machine_code(void **state)
{
    struct place *p = *state;
    struct compile_target target = {IMAGE_CUBIN, 90};
    struct image image = compile(p, &plain, &target);
    assert_memory_equal(image.bytes, "\177ELF", 4);
    assert_int_equal(image.kind, IMAGE_CUBIN);
    image_free(&image);
}

/* ptxas cannot read a quotation mark in a file name. If there is one, the cubin has no line
 * tables, and PTX has an apostrophe instead of each quotation mark. The same goes for relative
 * file names if the current folder's name has a quotation mark. */
static void folders_may_have_quotes(void **state)
{
    struct place *p = *state;
    char folder[128], path[160], header[160], root[PATH_MAX], relative[] = "probe.cu";
    char *usual = p->kernel.path;
    struct compile_target target = {IMAGE_CUBIN, 90};
    snprintf(folder, sizeof folder, "%s/it's \"a\" folder", p->folder);
    snprintf(path, sizeof path, "%s/probe.cu", folder);
    snprintf(header, sizeof header, "%s/mine.h", folder);
    assert_int_equal(mkdir(folder, 0700), 0);
    write_text(header, "#define MINE 7\n");
    p->kernel.path = path;
    struct image image = compile(p, &plain, &target);
    assert_memory_equal(image.bytes, "\177ELF", 4);
    image_free(&image);
    image = compile(p, &plain, &ptx90);
    assert_holds(image.bytes, ".loc");
    assert_holds(image.bytes, "/it's ''a'' folder/probe.cu\"");
    image_free(&image);
    char command[PATH_MAX + 200];
    assert_non_null(getcwd(root, sizeof root));
    snprintf(command, sizeof command, "ln -s \"$PWD/kernels\" '%s/it'\\''s \"a\" folder'",
             p->folder);
    assert_int_equal(system(command), 0);
    assert_int_equal(chdir(folder), 0);
    p->kernel.path = relative;
    /* This compiler's processes do not run in the folder with the quotation mark in its name. */
    struct compiler *usual_compiler = p->compiler;
    struct error e;
    assert_true(compiler_open(p->cache, "kernels", &p->compiler, &e));
    image = compile(p, &plain, &target);
    assert_memory_equal(image.bytes, "\177ELF", 4);
    image_free(&image);
    image = compile(p, &plain, &ptx90);
    assert_holds(image.bytes, ".loc");
    assert_holds(image.bytes, "' folder/probe.cu\"");
    image_free(&image);
    compiler_close(p->compiler);
    p->compiler = usual_compiler;
    assert_int_equal(chdir(root), 0);
    p->kernel.path = usual;
}

static void a_device_without_code_gets_an_empty_image(void **state)
{
    struct place *p = *state;
    struct compile_target none = {IMAGE_NONE, 0};
    set_code(&p->kernel, "this is no C");
    struct image image = compile(p, &plain, &none);
    assert_null(image.bytes);
    assert_int_equal(image.length, 0);
    assert_string_equal(image.entry, "probe");
    image_free(&image);
}

static void a_mistake_is_told_with_kernel_variant_and_log(void **state)
{
    struct place *p = *state;
    p->kernel.unrolls.count = 1;
    set_code(&p->kernel, "extern \"C\" __global__ void probe(int *a)\n{\n    a[0] = oops;\n}\n");
    struct error e = refused(p, &plain, &ptx90);
    assert_int_equal(e.kind, ERROR_COMPILE);
    texts_expect_line("a mistake", e.text);
    assert_holds(e.text, "probe.cu(3): error: identifier \"oops\" is undefined");
    struct error again = refused(p, &plain, &ptx90); /* The cache does not keep failures. */
    assert_string_equal(e.text, again.text);
    struct variant tuned = plain;
    char loads[] = "LOADS", policy[] = "POLICY";
    p->kernel.tunable_count = 2;
    p->kernel.tunables[0].name = loads;
    p->kernel.tunables[1].name = policy;
    tuned.tunables[0] = 8;
    tuned.tunables[1] = 1;
    texts_expect_line("a mistake in a kernel with tunables", refused(p, &tuned, &ptx90).text);
    p->kernel.tunable_count = 0;
}

static void a_kernel_of_another_name_is_told(void **state)
{
    struct place *p = *state;
    set_code(&p->kernel, "extern \"C\" __global__ void prob(int *a) { a[0] = 1; }\n");
    texts_expect("a kernel of another name", refused(p, &plain, &ptx90).text);
    /* The compiler mangles this name. */
    set_code(&p->kernel, "__global__ void probe(int *a) { a[0] = 1; }\n");
    texts_expect("a kernel of a mangled name", refused(p, &plain, &ptx90).text);
}

static void a_missing_include_is_told(void **state)
{
    struct place *p = *state;
    assert_int_equal(unlink(p->header), 0);
    struct error e = refused(p, &plain, &ptx90);
    assert_int_equal(e.kind, ERROR_COMPILE);
    assert_holds(e.text, "mine.h");
}

static void architectures_are_checked(void **state)
{
    struct place *p = *state;
    int list[64];
    int count = compiler_architectures(p->compiler, list, 64);
    assert_true(count > 5);
    /* The oldest supported architecture is Turing in NVRTC 13 and Maxwell in NVRTC 12. */
    bool is_13 = strncmp(compiler_version(p->compiler), "NVRTC 13", 8) == 0;
    assert_int_equal(list[0], is_13 ? 75 : 50);
    struct compile_target old = {IMAGE_CUBIN, 37}, strange = {IMAGE_PTX, 91},
                          future = {IMAGE_CUBIN, 990};
    p->kernel.min_cc = 0;
    struct error e = refused(p, &plain, &old);
    assert_int_equal(e.kind, ERROR_UNSUPPORTED);
    char range[32];
    snprintf(range, sizeof range, "%.1f to %.1f", list[0] / 10.0, list[count - 1] / 10.0);
    assert_holds(e.text, range);
    texts_rename(range, "$oldest to $newest");
    texts_rename(compiler_version(p->compiler), "$compiler");
    texts_expect("an older architecture", e.text);
    e = refused(p, &plain, &strange);
    texts_expect("an architecture between others", e.text);
    texts_expect("a newer architecture", refused(p, &plain, &future).text);
    p->kernel.min_cc = 100;
    e = refused(p, &plain, &ptx90);
    assert_int_equal(e.kind, ERROR_UNSUPPORTED);
    texts_expect("an architecture that the facts exclude", e.text);
}

static void names_that_do_not_fit_are_refused(void **state)
{
    struct place *p = *state;
    free(p->kernel.name);
    p->kernel.name = calloc(1, 520);
    memset(p->kernel.name, 'k', 512);
    texts_rename(p->kernel.name, "$long");
    texts_expect("a name of 512 letters", refused(p, &plain, &ptx90).text);
}

/* --- kernels that launch kernels -------------------------------------------------------------- */

static const char launching[] =
    "extern \"C\" __global__ void probe(int *a, int *b, int n)\n"
    "{\n"
    "    if (threadIdx.x == 0 && n > 1)\n"
    "        probe<<<1, n / 2, 0, cudaStreamFireAndForget>>>(a, b, n / 2);\n"
    "    a[threadIdx.x] += n;\n"
    "}\n";

static void device_launches_are_linked(void **state)
{
    struct place *p = *state;
    struct compile_target cubin = {IMAGE_CUBIN, 90};
    set_code(&p->kernel, launching);
    p->kernel.device_runtime = true;
    struct image image = compile(p, &plain, &cubin);
    assert_memory_equal(image.bytes, "\177ELF", 4);
    /* The type is 2 (ET_EXEC) for code without unresolved references, and 1 for relocatable
     * code. */
    assert_int_equal(image.bytes[16], 2);
    assert_true(image.length > 100000); /* The image contains NVIDIA's runtime. */
    image_free(&image);
    image = compile(p, &plain, &cubin);
    assert_true(image.from_cache);
    image_free(&image);
    image = compile(p, &plain, &ptx90);
    assert_holds(image.bytes, ".extern .func");
    assert_holds(image.bytes, "cudaCDP2LaunchDeviceV2");
    image_free(&image);
}

static const char linkers_words[] = " (error ";

static void linking_fails_with_the_linkers_words(void **state)
{
    struct place *p = *state;
    struct compile_target cubin = {IMAGE_CUBIN, 90};
    set_code(&p->kernel, "extern \"C\" __device__ void elsewhere(int *a);\n"
                         "extern \"C\" __global__ void probe(int *a) { elsewhere(a); }\n");
    p->kernel.device_runtime = true;
    struct error e = refused(p, &plain, &cubin);
    assert_int_equal(e.kind, ERROR_COMPILE);
    texts_expect_until(linkers_words, "a function that is nowhere", e.text);
    assert_holds(e.text, "elsewhere");
}

static void a_wrong_device_runtime_is_told(void **state)
{
    struct place *p = *state;
    struct compile_target cubin = {IMAGE_CUBIN, 90};
    struct compiler *usual = p->compiler;
    struct error e;
    set_code(&p->kernel, launching);
    p->kernel.device_runtime = true;
    static const char *const names[] = {"no device runtime", "a wrong device runtime"};
    for (int i = 0; i < 2; i++) {
        setenv("REDSWEEP_CUDADEVRT", i ? p->header : "/nowhere/libcudadevrt.a", 1);
        assert_true(compiler_open(NULL, "kernels", &p->compiler, &e));
        texts_expect_until(linkers_words, names[i], refused(p, &plain, &cubin).text);
        compiler_close(p->compiler);
    }
    unsetenv("REDSWEEP_CUDADEVRT");
    p->compiler = usual;
}

static void a_missing_nvrtc_is_a_sentence(void **state)
{
    struct place *p = *state;
    struct compiler *usual = p->compiler;
    struct error e;
    setenv("REDSWEEP_NVRTC", "/nowhere/libnvrtc.so.13", 1);
    bool ok = compiler_open(p->cache, "kernels", &p->compiler, &e);
    unsetenv("REDSWEEP_NVRTC");
    assert_true(ok);
    assert_string_equal(compiler_version(p->compiler), "");
    int list[4];
    assert_int_equal(compiler_architectures(p->compiler, list, 4), 0);
    e = refused(p, &plain, &ptx90);
    assert_int_equal(e.kind, ERROR_COMPILE);
    texts_expect_line("no NVRTC", e.text);
    assert_holds(e.text, "REDSWEEP_NVRTC=/nowhere/libnvrtc.so.13");
    compiler_close(p->compiler);
    p->compiler = usual;
    assert_memory_equal(compiler_version(usual), "NVRTC ", 6);
}

static void toolkit_headers_are_found(void **state)
{
    struct place *p = *state;
    set_code(&p->kernel, "#include <cooperative_groups.h>\n"
                         "extern \"C\" __global__ void probe(int *a)\n"
                         "{ cooperative_groups::this_thread_block().sync(); a[0] = 1; }\n");
    assert_false(served(p, &plain));
    assert_true(served(p, &plain));
}

/* --- many at once ----------------------------------------------------------------------------- */

static void remember(void *context, uint32_t done, uint32_t total)
{
    uint32_t *last = context;
    assert_true(done >= last[0] && done <= total);
    last[0] = done;
    last[1] = total;
}

static void many_go_through_threads(void **state)
{
    struct place *p = *state;
    struct kernel broken = p->kernel, *kernels[] = {&p->kernel, &broken};
    broken.name = "broken";
    broken.code = "extern \"C\" __global__ void broken() { nonsense }\n";
    broken.code_length = strlen(broken.code);
    struct catalogue catalogue = {kernels, 2};
    enum { COUNT = 24 };
    struct variant variants[COUNT];
    struct compiled out[COUNT];
    for (int i = 0; i < COUNT; i++)
        variants[i] = (struct variant){.kernel = i % 6 == 5, .unroll = (uint16_t)(i + 1)};
    variants[7].kernel = 2; /* No kernel has this number. */
    static const int threads[] = {0, 1, 3};
    for (int t = 0; t < 3; t++) {
        uint32_t last[2] = {0, 0};
        compile_many(p->compiler, &catalogue, variants, COUNT, &ptx90, threads[t], remember, last,
                     out);
        assert_int_equal(last[0], COUNT);
        assert_int_equal(last[1], COUNT);
        for (int i = 0; i < COUNT; i++) {
            char wanted[16];
            snprintf(wanted, sizeof wanted, "%d", 2000001 + i);
            if (i % 6 == 5) {
                assert_non_null(out[i].error);
                assert_int_equal(out[i].error->kind, ERROR_COMPILE);
                assert_holds(out[i].error->text, "kernel broken");
            } else if (i == 7) {
                assert_int_equal(out[i].error->kind, ERROR_INTERNAL);
            } else {
                assert_null(out[i].error);
                assert_holds(out[i].image.bytes, wanted);
            }
            compiled_free(&out[i]);
        }
    }
    compile_many(p->compiler, &catalogue, variants, 0, &ptx90, 2, remember, (uint32_t[2]){0}, out);
}

/* A compilation must give the same result, byte for byte, whatever the process has compiled
 * before. */
static void compiling_in_turn_changes_no_byte(void **state)
{
    struct place *p = *state;
    static const char *const names[] = {"onepass_packed", "onepass_cluster", "bulk_ring",
                                        "smem_unroll",    "compensated",     "rows_poll",
                                        "nested",         "cooperative"};
    enum { COUNT = sizeof names / sizeof names[0], BOTH = 2 };
    const struct compile_target cubin90 = {IMAGE_CUBIN, 90};
    const char *folder = "kernels";
    struct catalogue catalogue;
    struct compiled out[BOTH][COUNT];
    struct variant variants[COUNT];
    struct error e;
    assert_true(catalogue_read(&folder, 1, &catalogue, &e));
    for (uint32_t i = 0; i < COUNT; i++) {
        variants[i] = (struct variant){.type = TYPE_INT32, .op = OP_SUM, .block = 256};
        while (strcmp(catalogue.kernels[variants[i].kernel]->name, names[i]) != 0)
            assert_true(++variants[i].kernel < (uint32_t)catalogue.count);
        const struct kernel *k = catalogue.kernels[variants[i].kernel];
        variants[i].type = k->types[TYPE_INT32] ? TYPE_INT32 : TYPE_FLOAT32;
        variants[i].unroll = (uint16_t)(k->unrolls.count ? k->unrolls.values[0] : 1);
        for (int t = 0; t < k->tunable_count; t++)
            variants[i].tunables[t] = k->tunables[t].otherwise;
    }
    compiler_close(p->compiler);
    assert_true(compiler_open(NULL, "kernels", &p->compiler, &e));
    for (int both = 0; both < BOTH; both++) {
        compiler_turns(p->compiler, both == 0 ? 1 : COUNT);
        compile_many(p->compiler, &catalogue, variants, COUNT, &cubin90, 1, NULL, NULL, out[both]);
    }
    for (int i = 0; i < COUNT; i++) {
        for (int both = 0; both < BOTH; both++)
            if (out[both][i].error)
                fail_msg("%s", out[both][i].error->text);
        assert_int_equal(out[0][i].image.length, out[1][i].image.length);
        assert_memory_equal(out[0][i].image.bytes, out[1][i].image.bytes, out[0][i].image.length);
        for (int both = 0; both < BOTH; both++)
            compiled_free(&out[both][i]);
    }
    catalogue_free(&catalogue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(macros_reach_the_kernel),
        TEST(every_type_and_operation_has_its_macro),
        TEST(accumulators_have_the_sizes_of_the_table),
        TEST(a_library_has_no_line_tables),
        TEST(a_cubin_is_machine_code),
        TEST(folders_may_have_quotes),
        TEST(a_device_without_code_gets_an_empty_image),
        TEST(a_mistake_is_told_with_kernel_variant_and_log),
        TEST(a_kernel_of_another_name_is_told),
        TEST(a_missing_include_is_told),
        TEST(architectures_are_checked),
        TEST(names_that_do_not_fit_are_refused),
        TEST(device_launches_are_linked),
        TEST(linking_fails_with_the_linkers_words),
        TEST(a_wrong_device_runtime_is_told),
        TEST(a_missing_nvrtc_is_a_sentence),
        TEST(toolkit_headers_are_found),
        TEST(many_go_through_threads),
        TEST(compiling_in_turn_changes_no_byte),
    };
    return cmocka_run_group_tests_name("compile", tests, NULL, NULL);
}
