/*
 * Variants become images: macros, messages, the cache and its enemies, threads. No GPU.
 */
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "compile/cache.h"
#include "compile/compile.h"
#include "compile/sources.h"

/* Says which macros arrived, as the constants that the kernel stores. */
static const char probe_code[] = "#include \"common.cuh\"\n"
                                 "#include \"mine.h\"\n"
                                 "extern \"C\" __global__ void probe(int *out)\n"
                                 "{\n"
                                 "#ifdef BLOCK\n"
                                 "    out[0] = 1000000 + BLOCK;\n"
                                 "#endif\n"
                                 "    out[1] = 2000000 + UNROLL;\n"
                                 "#ifdef LOADS\n"
                                 "    out[2] = 3000000 + LOADS;\n"
                                 "#endif\n"
                                 "    out[3] = 4000000 + (int)sizeof(index_t);\n"
                                 "    out[4] = 5000000 + (int)sizeof(element);\n"
                                 "    out[5] = 6000000 + (int)combine((element)2, (element)5);\n"
                                 "    out[6] = MINE;\n"
                                 "}\n";

struct place {
    char folder[64]; /* of the test's own kernel and cache */
    char cache[80];
    char path[80];   /* probe.cu */
    char header[80]; /* mine.h */
    struct compiler *compiler;
    struct kernel kernel;
};

static const struct compile_target ptx90 = {IMAGE_PTX, 90};

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void set_code(struct kernel *k, const char *code)
{
    free(k->code);
    k->code = strdup(code);
    assert_non_null(k->code);
    k->code_length = strlen(code);
}

static int set_up(void **state)
{
    struct place *p = calloc(1, sizeof *p);
    assert_non_null(p);
    strcpy(p->folder, "/tmp/redsweep-compile-XXXXXX");
    assert_non_null(mkdtemp(p->folder));
    snprintf(p->cache, sizeof p->cache, "%s/a/cache", p->folder);
    snprintf(p->path, sizeof p->path, "%s/probe.cu", p->folder);
    snprintf(p->header, sizeof p->header, "%s/mine.h", p->folder);
    write_text(p->path, probe_code);
    write_text(p->header, "#define MINE 7000001\n");
    p->kernel = (struct kernel){.name = strdup("probe"), .path = strdup(p->path), .least_cc = 75};
    set_code(&p->kernel, probe_code);
    struct error e = {0};
    if (!compiler_open(p->cache, "kernels", &p->compiler, &e))
        fail_msg("%s", e.text);
    *state = p;
    return 0;
}

static int tear_down(void **state)
{
    struct place *p = *state;
    char command[128];
    compiler_close(p->compiler);
    free(p->kernel.name);
    free(p->kernel.path);
    free(p->kernel.code);
    snprintf(command, sizeof command, "rm -rf %s", p->folder);
    free(p);
    return system(command);
}

static struct image compile(struct place *p, const struct variant *v,
                            const struct compile_target *target)
{
    struct image image;
    struct error e = {0};
    if (!compile_variant(p->compiler, &p->kernel, v, target, &image, &e))
        fail_msg("%s", e.text);
    return image;
}

static const struct variant plain = {.unroll = 4, .type = TYPE_INT32, .op = OP_SUM};

/* Compiles once more and says whether the cache served it. */
static bool served(struct place *p, const struct variant *v)
{
    struct image image = compile(p, v, &ptx90);
    bool from_cache = image.from_cache;
    image_free(&image);
    return from_cache;
}

static struct error refused(struct place *p, const struct variant *v,
                            const struct compile_target *target)
{
    struct image image;
    struct error e = {0};
    assert_false(compile_variant(p->compiler, &p->kernel, v, target, &image, &e));
    assert_null(image.bytes);
    return e;
}

static void assert_holds(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in:\n%s", part, text);
}

static void assert_lacks(const char *text, const char *part)
{
    if (strstr(text, part))
        fail_msg("'%s' is in:\n%s", part, text);
}

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
    assert_holds(image.bytes, "6000007"); /* 2 + 5 */
    assert_holds(image.bytes, "7000001");
    assert_lacks(image.bytes, "1000");
    assert_holds(image.bytes, "probe.cu"); /* the line table */
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
    assert_holds(image.bytes, "0d4024000000000000"); /* 2 · 5 as a double */
    image_free(&image);
}

static void every_type_and_operation_has_its_macro(void **state)
{
    struct place *p = *state;
    /* What 2 and 5 give: added to 6000000 for integers, as bits for floats. */
    static const char *const integers[OP_COUNT] = {"6000007", "6000005", "6000002", "6000010"};
    static const char *const floats[OP_COUNT] = {"0f40E00000", "0f40A00000", "0f40000000",
                                                 "0f41200000"};
    static const char *const doubles[OP_COUNT] = {"0d401C000000000000", "0d4014000000000000",
                                                  "0d4000000000000000", "0d4024000000000000"};
    for (int type = 0; type < TYPE_COUNT; type++)
        for (int op = 0; op < OP_COUNT; op++) {
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

static void a_cubin_is_machine_code(void **state)
{
    struct place *p = *state;
    struct compile_target target = {IMAGE_CUBIN, 90};
    struct image image = compile(p, &plain, &target);
    assert_memory_equal(image.bytes, "\177ELF", 4);
    assert_int_equal(image.kind, IMAGE_CUBIN);
    image_free(&image);
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
    assert_holds(e.text, "kernel probe (int32 sum, unroll 4, compute_90): does not compile");
    assert_holds(e.text, "probe.cu(3): error: identifier \"oops\" is undefined");
    struct error again = refused(p, &plain, &ptx90); /* failures are not cached */
    assert_string_equal(e.text, again.text);
}

static void a_kernel_of_another_name_is_told(void **state)
{
    struct place *p = *state;
    set_code(&p->kernel, "extern \"C\" __global__ void prob(int *a) { a[0] = 1; }\n");
    assert_holds(refused(p, &plain, &ptx90).text, "defines no kernel of its name");
    set_code(&p->kernel, "__global__ void probe(int *a) { a[0] = 1; }\n"); /* mangled */
    assert_holds(refused(p, &plain, &ptx90).text, "defines no kernel of its name");
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
    assert_int_equal(list[0], 75);
    struct compile_target old = {IMAGE_CUBIN, 70}, strange = {IMAGE_PTX, 91};
    p->kernel.least_cc = 0;
    struct error e = refused(p, &plain, &old);
    assert_int_equal(e.kind, ERROR_COMPILE);
    assert_holds(e.text, "70 is none of them");
    assert_holds(refused(p, &plain, &strange).text, "from 75 to ");
    p->kernel.least_cc = 100;
    e = refused(p, &plain, &ptx90);
    assert_int_equal(e.kind, ERROR_UNSUPPORTED);
    assert_holds(e.text, "its facts ask for sm_100");
}

static void names_that_do_not_fit_are_refused(void **state)
{
    struct place *p = *state;
    free(p->kernel.name);
    p->kernel.name = calloc(1, 80);
    memset(p->kernel.name, 'k', 64);
    assert_holds(refused(p, &plain, &ptx90).text, "at most 63 characters");
}

static void the_cache_serves_what_is_unchanged(void **state)
{
    struct place *p = *state;
    struct image first = compile(p, &plain, &ptx90), second = compile(p, &plain, &ptx90);
    assert_false(first.from_cache);
    assert_true(second.from_cache);
    assert_true(first.key == second.key);
    assert_int_equal(first.length, second.length);
    assert_memory_equal(first.bytes, second.bytes, first.length + 1);
    image_free(&first);
    image_free(&second);

    struct compiler *other; /* another process's view: the same folder, opened anew */
    struct error e;
    assert_true(compiler_open(p->cache, "kernels", &other, &e));
    compiler_close(p->compiler);
    p->compiler = other;
    assert_true(served(p, &plain));
}

static void each_change_is_compiled_anew(void **state)
{
    struct place *p = *state;
    assert_false(served(p, &plain));
    struct variant changed[] = {plain, plain, plain, plain};
    changed[0].unroll = 8;
    changed[1].type = TYPE_FLOAT32;
    changed[2].op = OP_MIN;
    changed[3].wide = true;
    for (int i = 0; i < 4; i++) {
        assert_false(served(p, &changed[i]));
        assert_true(served(p, &changed[i]));
    }
    struct compile_target others[] = {{IMAGE_PTX, 100}, {IMAGE_CUBIN, 90}};
    for (int i = 0; i < 2; i++) {
        struct image image = compile(p, &plain, &others[i]);
        assert_false(image.from_cache);
        image_free(&image);
    }
    set_code(&p->kernel, probe_code);
    assert_true(served(p, &plain));
    char *edited = strdup(probe_code);
    strstr(edited, "2000000")[0] = '8';
    set_code(&p->kernel, edited);
    free(edited);
    struct image image = compile(p, &plain, &ptx90);
    assert_false(image.from_cache);
    assert_holds(image.bytes, "8000004");
    image_free(&image);
}

static void changed_includes_are_seen_however_deep(void **state)
{
    struct place *p = *state;
    char deep[PATH_MAX];
    assert_false(served(p, &plain));
    assert_true(served(p, &plain));
    write_text(p->header, "#define MINE 7000002\n");
    assert_false(served(p, &plain));
    write_text(p->header, "#define MINE 7000001\n"); /* back again: the old entry is right */
    assert_true(served(p, &plain));

    write_text(p->header, "#  include \\\n \"deep.h\"\n"); /* a directive over two lines */
    snprintf(deep, sizeof deep, "%s/deep.h", p->folder);
    write_text(deep, "#define MINE 7000003\n");
    assert_false(served(p, &plain));
    assert_true(served(p, &plain));
    write_text(deep, "#define MINE 7000004\n");
    struct image image = compile(p, &plain, &ptx90);
    assert_false(image.from_cache);
    assert_holds(image.bytes, "7000004");
    image_free(&image);

    /* A file that now comes before the one in kernels/. */
    char own[PATH_MAX];
    snprintf(own, sizeof own, "cp kernels/common.cuh %s/common.cuh", p->folder);
    assert_int_equal(system(own), 0);
    assert_false(served(p, &plain));
}

static void an_include_that_cannot_be_read_off_is_never_cached(void **state)
{
    struct place *p = *state;
    set_code(&p->kernel, "#define WHICH \"mine.h\"\n#include WHICH\n"
                         "extern \"C\" __global__ void probe(int *a) { a[0] = MINE; }\n");
    assert_false(served(p, &plain));
    assert_false(served(p, &plain));
}

static void includes_that_go_round_in_circles_end(void **state)
{
    struct place *p = *state;
    write_text(p->header, "#pragma once\n#include \"mine.h\"\n#define MINE 7000005\n");
    assert_false(served(p, &plain));
    assert_true(served(p, &plain));
}

static void words_that_only_look_like_includes_do_no_harm(void **state)
{
    (void)state;
    static const char *const harmless[] = {"// include the first\n",
                                           "int included = 1;\n",
                                           "/* #include \"nowhere.h\" */\n",
                                           "#define A include_b\n",
                                           "#include",
                                           "#include \"",
                                           "include\n"};
    static const char *const hidden[] = {"#include X\n", "# include/**/\"x\"\n", "%:include X\n",
                                         "#/**/include X\n", "#inc\\\nlude X\n"};
    struct error e = {0};
    bool scannable;
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
        uint64_t hash = 0;
        assert_true(
            sources_hash(harmless[i], strlen(harmless[i]), ".", NULL, 0, &hash, &scannable, &e));
        if (strchr(harmless[i], '#') != harmless[i] || i == 3)
            assert_true(scannable);
    }
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
        uint64_t hash = 0;
        assert_true(
            sources_hash(hidden[i], strlen(hidden[i]), ".", NULL, 0, &hash, &scannable, &e));
        assert_false(scannable);
    }
}

/* --- the cache's files ------------------------------------------------------------------------ */

static void entry_file(struct place *p, uint64_t key, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/%016llx.image", p->cache, (unsigned long long)key);
}

static size_t read_entry(const char *path, char **bytes)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    size_t length = (size_t)ftell(file);
    rewind(file);
    *bytes = malloc(length);
    assert_non_null(*bytes);
    assert_int_equal(fread(*bytes, 1, length, file), length);
    fclose(file);
    return length;
}

static void write_entry(const char *path, const char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void no_flipped_bit_and_no_cut_is_served(void **state)
{
    struct place *p = *state;
    static const char recipe[] = "kernel k\n", image[] = "the image's bytes";
    char path[PATH_MAX], *whole, *bytes;
    size_t got;
    assert_true(cache_write(p->cache, 0x1234, recipe, image, sizeof image - 1));
    entry_file(p, 0x1234, path);
    size_t length = read_entry(path, &whole);
    assert_true(cache_read(p->cache, 0x1234, recipe, &bytes, &got));
    assert_int_equal(got, sizeof image - 1);
    assert_string_equal(bytes, image);
    free(bytes);

    for (size_t bit = 0; bit < length * 8; bit++) {
        whole[bit / 8] = (char)(whole[bit / 8] ^ (1 << bit % 8));
        write_entry(path, whole, length);
        whole[bit / 8] = (char)(whole[bit / 8] ^ (1 << bit % 8));
        if (cache_read(p->cache, 0x1234, recipe, &bytes, &got))
            fail_msg("bit %zu flipped, and it was served", bit);
    }
    for (size_t cut = 0; cut < length; cut++) {
        write_entry(path, whole, cut);
        if (cache_read(p->cache, 0x1234, recipe, &bytes, &got))
            fail_msg("cut to %zu bytes, and it was served", cut);
    }
    char *longer = calloc(1, length + 1);
    memcpy(longer, whole, length);
    write_entry(path, longer, length + 1);
    assert_false(cache_read(p->cache, 0x1234, recipe, &bytes, &got));
    write_entry(path, whole, length);
    assert_false(cache_read(p->cache, 0x1234, "kernel j\n", &bytes, &got)); /* another recipe */
    assert_true(cache_read(p->cache, 0x1234, recipe, &bytes, &got));
    free(bytes);
    char other[PATH_MAX]; /* a whole entry under another's name */
    entry_file(p, 0x1235, other);
    assert_int_equal(rename(path, other), 0);
    assert_false(cache_read(p->cache, 0x1235, recipe, &bytes, &got));
    free(longer);
    free(whole);
}

static void a_broken_entry_is_replaced(void **state)
{
    struct place *p = *state;
    struct image first = compile(p, &plain, &ptx90);
    char path[PATH_MAX], *whole;
    entry_file(p, first.key, path);
    size_t length = read_entry(path, &whole);
    whole[length / 2] ^= 1;
    write_entry(path, whole, length);
    struct image second = compile(p, &plain, &ptx90);
    assert_false(second.from_cache);
    assert_memory_equal(first.bytes, second.bytes, first.length);
    assert_true(served(p, &plain)); /* rewritten */
    image_free(&first);
    image_free(&second);

    assert_int_equal(unlink(path), 0); /* things that are no files */
    assert_int_equal(mkdir(path, 0700), 0);
    assert_false(served(p, &plain));
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_false(served(p, &plain));
    assert_true(served(p, &plain));
    free(whole);
}

static void unfinished_files_are_removed_when_old(void **state)
{
    struct place *p = *state;
    char old[PATH_MAX], fresh[PATH_MAX], command[PATH_MAX + 32];
    snprintf(old, sizeof old, "%s/.unfinished-a", p->cache);
    snprintf(fresh, sizeof fresh, "%s/.unfinished-b", p->cache);
    write_text(old, "x");
    write_text(fresh, "x");
    snprintf(command, sizeof command, "touch -d '2 hours ago' %s", old);
    assert_int_equal(system(command), 0);
    struct error e;
    assert_true(cache_prepare(p->cache, &e));
    assert_int_not_equal(access(old, F_OK), 0);
    assert_int_equal(access(fresh, F_OK), 0);
}

static void a_folder_that_cannot_be_made_is_told(void **state)
{
    struct place *p = *state;
    char path[PATH_MAX];
    struct compiler *c;
    struct error e = {0};
    snprintf(path, sizeof path, "%s/mine.h/cache", p->folder);
    assert_false(compiler_open(path, "kernels", &c, &e));
    assert_int_equal(e.kind, ERROR_SYSTEM);
    assert_holds(e.text, "mine.h");
    assert_null(c);
    assert_false(compiler_open(p->header, "kernels", &c, &e)); /* a file */
    assert_false(compiler_open("", "kernels", &c, &e));
}

static void a_vanished_cache_costs_nothing_but_time(void **state)
{
    struct place *p = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", p->cache);
    assert_int_equal(system(command), 0);
    assert_false(served(p, &plain));
    assert_false(served(p, &plain));
}

static void processes_may_race(void **state)
{
    struct place *p = *state;
    enum { PROCESSES = 4, ROUNDS = 200 };
    pid_t children[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] > 0)
            continue;
        /* All write the same few entries over and over, and read whatever is there. */
        int wrong = 0, hits = 0;
        for (int round = 0; round < ROUNDS; round++)
            for (uint64_t key = 0; key < 4; key++) {
                char body[5000], *bytes;
                size_t length;
                memset(body, 'a' + (int)key, sizeof body);
                if (!cache_write(p->cache, key, "race", body, sizeof body))
                    wrong++;
                if (cache_read(p->cache, (key + 1) % 4, "race", &bytes, &length)) {
                    hits++;
                    wrong += length != sizeof body || bytes[0] != 'a' + (int)((key + 1) % 4) ||
                             bytes[4999] != bytes[0];
                    free(bytes);
                }
            }
        _exit(wrong ? 1 : hits < ROUNDS * 4 - 8 ? 2 : 0);
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
    char command[128];
    snprintf(command, sizeof command, "test -z \"$(ls -A %s | grep unfinished)\"", p->cache);
    assert_int_equal(system(command), 0);
}

static void two_processes_compile_the_same(void **state)
{
    struct place *p = *state;
    pid_t child = fork();
    assert_true(child >= 0);
    struct image image;
    if (child == 0) {
        struct error e;
        bool ok = compile_variant(p->compiler, &p->kernel, &plain, &ptx90, &image, &e);
        _exit(ok && strstr(image.bytes, "2000004") ? 0 : 1);
    }
    image = compile(p, &plain, &ptx90);
    assert_holds(image.bytes, "2000004");
    image_free(&image);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_true(served(p, &plain));
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
    assert_int_equal(image.bytes[16], 2); /* ET_EXEC: no open references; relocatable ones are 1 */
    assert_true(image.length > 100000);   /* NVIDIA's runtime is in it */
    image_free(&image);
    image = compile(p, &plain, &cubin);
    assert_true(image.from_cache);
    image_free(&image);
    image = compile(p, &plain, &ptx90);
    assert_holds(image.bytes, ".extern .func");
    assert_holds(image.bytes, "cudaCDP2LaunchDeviceV2");
    image_free(&image);
}

static void linking_fails_with_the_linkers_words(void **state)
{
    struct place *p = *state;
    struct compile_target cubin = {IMAGE_CUBIN, 90};
    set_code(&p->kernel, "extern \"C\" __device__ void elsewhere(int *a);\n"
                         "extern \"C\" __global__ void probe(int *a) { elsewhere(a); }\n");
    p->kernel.device_runtime = true;
    struct error e = refused(p, &plain, &cubin);
    assert_int_equal(e.kind, ERROR_COMPILE);
    assert_holds(e.text, "kernel probe (int32 sum, sm_90): nvJitLink cannot link");
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
    static const char *const said[] = {"needs libcudadevrt.a",
                                       "nvJitLink cannot take this library"};
    for (int i = 0; i < 2; i++) {
        setenv("REDSWEEP_CUDADEVRT", i ? p->header : "/nowhere/libcudadevrt.a", 1);
        assert_true(compiler_open(NULL, "kernels", &p->compiler, &e));
        assert_holds(refused(p, &plain, &cubin).text, said[i]);
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
    assert_holds(e.text, "NVRTC is missing");
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
    variants[7].kernel = 2; /* there is none */
    for (int threads = 1; threads <= 3; threads += 2) {
        uint32_t last[2] = {0, 0};
        struct error e = {0};
        assert_true(compile_many(p->compiler, &catalogue, variants, COUNT, &ptx90, threads,
                                 remember, last, out, &e));
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
    struct error e;
    assert_true(compile_many(p->compiler, &catalogue, variants, 0, &ptx90, 2, remember,
                             (uint32_t[2]){0}, out, &e));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(macros_reach_the_kernel),
        TEST(every_type_and_operation_has_its_macro),
        TEST(a_cubin_is_machine_code),
        TEST(a_device_without_code_gets_an_empty_image),
        TEST(a_mistake_is_told_with_kernel_variant_and_log),
        TEST(a_kernel_of_another_name_is_told),
        TEST(a_missing_include_is_told),
        TEST(architectures_are_checked),
        TEST(names_that_do_not_fit_are_refused),
        TEST(the_cache_serves_what_is_unchanged),
        TEST(each_change_is_compiled_anew),
        TEST(changed_includes_are_seen_however_deep),
        TEST(an_include_that_cannot_be_read_off_is_never_cached),
        TEST(includes_that_go_round_in_circles_end),
        TEST(words_that_only_look_like_includes_do_no_harm),
        TEST(no_flipped_bit_and_no_cut_is_served),
        TEST(a_broken_entry_is_replaced),
        TEST(unfinished_files_are_removed_when_old),
        TEST(a_folder_that_cannot_be_made_is_told),
        TEST(a_vanished_cache_costs_nothing_but_time),
        TEST(processes_may_race),
        TEST(two_processes_compile_the_same),
        TEST(device_launches_are_linked),
        TEST(linking_fails_with_the_linkers_words),
        TEST(a_wrong_device_runtime_is_told),
        TEST(a_missing_nvrtc_is_a_sentence),
        TEST(toolkit_headers_are_found),
        TEST(many_go_through_threads),
    };
    return cmocka_run_group_tests_name("compile", tests, NULL, NULL);
}
