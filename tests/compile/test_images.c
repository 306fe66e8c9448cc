/*
 * Checks the parts of an image: PTX and the machine code of the same compilation, the symbol of a
 * kernel with a C++ name, and the names of files. Also checks which parts the cache keeps, and
 * which changes lead to a new image although the sources are the same.
 */
#include "fixture.h"

#include <limits.h>

#include "base/clock.h"
#include "compile/link.h"
#include "compile/nvrtc_library.h"
#include "compile/sources.h"

static const char mangled_code[] =
    "#include \"common.cuh\"\n"
    "namespace mine {\n"
    "template <class T, int factor> __global__ void probe(T *out) { *out = 9000000 + factor; }\n"
    "}\n";

/* The compiler mangles the symbol of mine::probe<int, 7>. The image and the cache contain the
 * mangled symbol. */
static void a_name_of_cpp_travels_with_its_image(void **state)
{
    struct place *p = *state;
    static const enum image_kind kinds[] = {IMAGE_PTX, IMAGE_CUBIN, IMAGE_PTX_AND_CUBIN};
    set_code(&p->kernel, mangled_code);
    p->kernel.entry = "mine::probe<int, 7>";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (int again = 0; again < 2; again++) {
            struct compile_target target = {kinds[i], 90};
            struct image image = compile(p, &plain, &target);
            assert_int_equal(image.from_cache, again);
            assert_string_equal(image.entry, "_ZN4mine5probeIiLi7EEEvPT_");
            if (kinds[i] == IMAGE_CUBIN) {
                assert_memory_equal(image.bytes, "\177ELF", 4);
            } else {
                assert_int_equal(image.length, strlen(image.bytes));
                assert_holds(image.bytes, ".entry _ZN4mine5probeIiLi7EEEvPT_(");
                assert_holds(image.bytes, "9000007");
            }
            image_free(&image);
        }
    p->kernel.entry = "mine::probe<int, 8>"; /* not in the cache */
    struct image image = compile(p, &plain, &ptx90);
    assert_holds(image.bytes, "9000008");
    image_free(&image);
    p->kernel.entry = "mine::none<int>";
    assert_holds(refused(p, &plain, &ptx90).text, "mine::none");
    p->kernel.entry = NULL;
    set_code(&p->kernel, probe_code);
    image = compile(p, &plain, &ptx90);
    assert_string_equal(image.entry, "probe");
    image_free(&image);
}

/* The PTX and the machine code must equal those of separate compilations. */
static void ptx_and_machine_code_are_of_one_compilation(void **state)
{
    struct place *p = *state;
    struct compile_target both = {IMAGE_PTX_AND_CUBIN, 90}, code = {IMAGE_CUBIN, 90};
    struct image cubin = compile(p, &plain, &code);
    for (int again = 0; again < 2; again++) {
        struct image image = compile(p, &plain, &both);
        assert_int_equal(image.from_cache, again);
        assert_int_equal(image.kind, IMAGE_PTX);
        assert_int_equal(image.length, strlen(image.bytes));
        assert_holds(image.bytes, "2000004");
        assert_int_equal(image.cubin_length, cubin.length);
        assert_memory_equal(image.cubin, cubin.bytes, cubin.length);
        assert_ptr_equal(image.cubin, image.bytes + image.length + 1);
        image_free(&image);
    }
    image_free(&cubin);
    /* Without line tables, the image has no cubin. */
    struct variant library = plain;
    library.without_lines = true;
    struct image image = compile(p, &library, &both);
    assert_null(image.cubin);
    assert_int_equal(image.length, strlen(image.bytes));
    image_free(&image);
}

static void the_time_of_a_compilation_is_kept(void **state)
{
    struct place *p = *state;
    double since = clock_now_s();
    struct image first = compile(p, &plain, &ptx90);
    double took_ms = (clock_now_s() - since) * 1e3;
    assert_true(first.compile_ms > 1 && first.compile_ms <= took_ms);
    struct image second = compile(p, &plain, &ptx90);
    assert_true(second.from_cache && second.compile_ms == first.compile_ms);
    image_free(&first);
    image_free(&second);
}

static void quotes_in_names_of_files_become_apostrophes(void **state)
{
    (void)state;
    static const struct {
        const char *ptx, *plain;
    } cases[] = {
        {"", ""},
        {"\t.file\t1 \"/a/b.cu\"\n", "\t.file\t1 \"/a/b.cu\"\n"},
        {"\t.file\t1 \"/a \\\"b\\\" c.cu\"\n", "\t.file\t1 \"/a ''b'' c.cu\"\n"},
        {"\t.file\t1 \"/a \"b\".cu\"\nmov \"c\";\n", "\t.file\t1 \"/a 'b'.cu\"\nmov \"c\";\n"},
        {"\t.file\t1 \"/a\"b.cu\", 17, 42\n", "\t.file\t1 \"/a'b.cu\", 17, 42\n"},
        {"\t.file\t1 \"/a\\b.cu\"\n", "\t.file\t1 \"/a\\b.cu\"\n"},
        {"x\n\t.file\t1 \"/a\"b.cu\"\n\t.file\t2 \"/c\"d.cu\"\n",
         "x\n\t.file\t1 \"/a'b.cu\"\n\t.file\t2 \"/c'd.cu\"\n"},
        {"\t.file\t1 no name\nmov \"c\"d\";\n", "\t.file\t1 no name\nmov \"c\"d\";\n"},
        {"\t.file\t1 \"", "\t.file\t1 \""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *ptx = strdup(cases[i].ptx);
        assert_non_null(ptx);
        compile_plain_file_names(ptx);
        assert_string_equal(ptx, cases[i].plain);
        free(ptx);
    }
}

/* redsweep provides C and C++ library headers, because NVRTC has none. */
static void headers_of_the_host_are_there(void **state)
{
    struct place *p = *state;
    set_code(
        &p->kernel,
        "#include <cstdint>\n#include <float.h>\n"
        "extern \"C\" __global__ void probe(uint32_t *out) { *out = FLT_MANT_DIG + 9000000; }\n");
    struct image image = compile(p, &plain, &ptx90);
    assert_holds(image.bytes, "9000024");
    image_free(&image);
}

/* A file that a kernel includes by its absolute path is treated like one next to the kernel. */
static void an_absolute_include_is_followed(void **state)
{
    struct place *p = *state;
    char code[400], elsewhere[160];
    snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", p->folder);
    assert_int_equal(mkdir(elsewhere, 0700), 0);
    strcat(elsewhere, "/far.h");
    snprintf(code, sizeof code,
             "#include \"%s\"\nextern \"C\" __global__ void probe(int *out) { *out = FAR; }\n",
             elsewhere);
    set_code(&p->kernel, code);
    write_text(elsewhere, "#define FAR 1\n");
    assert_false(served(p, &plain));
    assert_true(served(p, &plain));
    write_text(elsewhere, "#define FAR 2\n");
    assert_false(served(p, &plain));
}

static bool scannable(const char *code)
{
    struct error e = {0};
    uint64_t hash = 0;
    bool can = false;
    assert_true(sources_hash(SOURCES_EXACT, code, strlen(code), ".", NULL, 0, &hash, &can, &e));
    return can;
}

static void what_names_no_file_is_not_followed(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        bool scannable;
    } cases[] = {
        {"#include \"a.h\"\n", true},   {"#include <a.h>\n", true},
        {"#include(\"a.h\")\n", true},  {"#include 0>\n", false},
        {"#include '>'\n", false},      {"#include \"a.h\n", false},
        {"#include <a.h\n>\n", false},  {"#include A\n", false},
        {"# \tinclude A\n", false},     {"#include_next A\n", true},
        {"a include A\n", true},        {"#in\\\r\nclude A\n", false},
        {"#include \\\n<a.h>\n", true}, {"#include <a\\\nb>\n", true},
        {"#inc\\lude A\n", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (scannable(cases[i].code) != cases[i].scannable)
            fail_msg("%s", cases[i].code);
    /* These names are almost as long as a path can be. */
    char longest[PATH_MAX + 32];
    for (int length = PATH_MAX - 2; length <= PATH_MAX + 1; length++) {
        snprintf(longest, sizeof longest, "#include \"%0*d\"\n", length, 0);
        assert_int_equal(scannable(longest), length < PATH_MAX);
    }
    /* The first text may leave bytes in memory, which must not affect the second one. The second
     * text is almost nothing but continued lines. */
    enum { BYTES = 600 };
    char macro[BYTES + 1] = {0}, little[BYTES + 1] = {0};
    memset(macro, '\n', BYTES);
    memcpy(macro + BYTES / 2, "#include A\n", 11);
    memset(little, 'y', 32);
    for (int i = 32; i < BYTES; i += 2)
        memcpy(little + i, "\\\n", 2);
    assert_false(scannable(macro));
    assert_true(scannable(little));
}

/* Returns the key of an image compiled with the toolkit in p->folder, whose headers are not
 * NVIDIA's. */
static uint64_t key_in_toolkit(struct place *p)
{
    struct compiler *usual = p->compiler;
    struct error e;
    char path[160];
    snprintf(path, sizeof path, "%s/lib64/libnvrtc.so", p->folder);
    setenv("REDSWEEP_NVRTC", path, 1);
    assert_true(compiler_open(NULL, "kernels", &p->compiler, &e));
    unsetenv("REDSWEEP_NVRTC");
    struct image image = compile(p, &plain, &ptx90);
    uint64_t key = image.key;
    image_free(&image);
    compiler_close(p->compiler);
    p->compiler = usual;
    return key;
}

static void headers_that_appear_in_the_toolkit_count(void **state)
{
    struct place *p = *state;
    struct nvrtc nvrtc;
    struct error e;
    char command[LIBRARY_PATH_SIZE + 200];
    assert_true(nvrtc_load(&nvrtc, &e));
    snprintf(command, sizeof command,
             "cd %s && mkdir -p lib64 include && touch include/cooperative_groups.h && ln -s '%s' "
             "lib64/libnvrtc.so",
             p->folder, nvrtc.path);
    assert_int_equal(system(command), 0);
    uint64_t before = key_in_toolkit(p);
    assert_true(key_in_toolkit(p) == before);
    snprintf(command, sizeof command,
             "mkdir %s/include/cccl && echo '#define CCCL 9000001' >%s/include/cccl/c.h", p->folder,
             p->folder);
    assert_int_equal(system(command), 0);
    assert_true(key_in_toolkit(p) != before);
    set_code(&p->kernel, "#include <c.h>\n"
                         "extern \"C\" __global__ void probe(int *out) { *out = CCCL; }\n");
    (void)key_in_toolkit(p);
}

/* --- each step of the linker ------------------------------------------------------------------ */

enum step { CREATE, ADD_DATA, ADD_FILE, COMPLETE, SIZE, IMAGE, STEPS };
static enum step broken; /* step that fails */
static int handles;      /* open handles */
static const char linker_says[] = "the linker's words";

static nvJitLinkResult result_of(enum step step)
{
    return step == broken ? NVJITLINK_ERROR_INTERNAL : NVJITLINK_SUCCESS;
}

static nvJitLinkResult fake_create(nvJitLinkHandle *handle, uint32_t count, const char **options)
{
    assert_int_equal(count, 2);
    assert_string_equal(options[0], "-arch=sm_90");
    assert_string_equal(options[1], "-lineinfo");
    *handle = (nvJitLinkHandle)&handles;
    handles++;
    return result_of(CREATE);
}
static nvJitLinkResult fake_destroy(nvJitLinkHandle *handle)
{
    assert_ptr_equal(*handle, (nvJitLinkHandle)&handles);
    *handle = NULL;
    handles--;
    return NVJITLINK_SUCCESS;
}
static nvJitLinkResult fake_add_data(nvJitLinkHandle handle, nvJitLinkInputType type,
                                     const void *data, size_t size, const char *name)
{
    (void)handle;
    (void)name;
    assert_int_equal(type, NVJITLINK_INPUT_CUBIN);
    assert_int_equal(size, 6);
    assert_memory_equal(data, "object", 6);
    return result_of(ADD_DATA);
}
static nvJitLinkResult fake_add_file(nvJitLinkHandle handle, nvJitLinkInputType type,
                                     const char *file)
{
    (void)handle;
    assert_int_equal(type, NVJITLINK_INPUT_LIBRARY);
    assert_string_equal(file, "runtime.a");
    return result_of(ADD_FILE);
}
static nvJitLinkResult fake_complete(nvJitLinkHandle handle)
{
    (void)handle;
    return result_of(COMPLETE);
}
static nvJitLinkResult fake_size(nvJitLinkHandle handle, size_t *size)
{
    (void)handle;
    *size = 5;
    return result_of(SIZE);
}
static nvJitLinkResult fake_image(nvJitLinkHandle handle, void *image)
{
    (void)handle;
    memcpy(image, "image", 5);
    return result_of(IMAGE);
}
static nvJitLinkResult fake_log_size(nvJitLinkHandle handle, size_t *size)
{
    (void)handle;
    *size = sizeof linker_says;
    return NVJITLINK_SUCCESS;
}
static nvJitLinkResult fake_log(nvJitLinkHandle handle, char *log)
{
    (void)handle;
    strcpy(log, linker_says);
    return NVJITLINK_SUCCESS;
}

static void any_step_of_the_linker_may_fail(void **state)
{
    (void)state;
    static const char *const names[STEPS] = {
        [CREATE] = "nvJitLinkCreate fails",           [ADD_DATA] = "nvJitLinkAddData fails",
        [ADD_FILE] = "nvJitLinkAddFile fails",        [COMPLETE] = "nvJitLinkComplete fails",
        [SIZE] = "nvJitLinkGetLinkedCubinSize fails", [IMAGE] = "nvJitLinkGetLinkedCubin fails"};
    const struct nvjitlink linker = {
        .nvJitLinkCreate = fake_create,
        .nvJitLinkDestroy = fake_destroy,
        .nvJitLinkAddData = fake_add_data,
        .nvJitLinkAddFile = fake_add_file,
        .nvJitLinkComplete = fake_complete,
        .nvJitLinkGetLinkedCubinSize = fake_size,
        .nvJitLinkGetLinkedCubin = fake_image,
        .nvJitLinkGetErrorLogSize = fake_log_size,
        .nvJitLinkGetErrorLog = fake_log,
    };
    for (broken = CREATE; broken <= STEPS; broken++) {
        struct error e = {0};
        char *image = (char *)linker_says;
        size_t length;
        bool ok = link_device_runtime(&linker, "runtime.a", 90, "object", 6, &image, &length, &e);
        assert_int_equal(handles, 0);
        assert_int_equal(ok, broken == STEPS);
        if (ok) {
            assert_int_equal(length, 5);
            assert_string_equal(image, "image");
            free(image);
            continue;
        }
        assert_null(image);
        assert_int_equal(e.kind, ERROR_COMPILE);
        texts_expect(names[broken], e.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_name_of_cpp_travels_with_its_image),
        TEST(ptx_and_machine_code_are_of_one_compilation),
        TEST(the_time_of_a_compilation_is_kept),
        cmocka_unit_test(quotes_in_names_of_files_become_apostrophes),
        TEST(headers_of_the_host_are_there),
        TEST(an_absolute_include_is_followed),
        cmocka_unit_test(what_names_no_file_is_not_followed),
        TEST(headers_that_appear_in_the_toolkit_count),
        cmocka_unit_test(any_step_of_the_linker_may_fail),
    };
    return cmocka_run_group_tests_name("images", tests, NULL, NULL);
}
