/*
 * Writes a small kernel and its header into a scratch folder, and opens a compiler with an empty
 * cache.
 */
#ifndef REDSWEEP_TESTS_COMPILE_FIXTURE_H
#define REDSWEEP_TESTS_COMPILE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "../texts/expected.h"
#include "compile/compile.h"
#include "plan/plan.h"

/* a kernel that stores constants, which show with which macros it was compiled */
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
    char folder[64]; /* folder of the kernel and the cache */
    char cache[80];
    char path[80];   /* path of probe.cu */
    char header[80]; /* path of mine.h */
    struct compiler *compiler;
    struct kernel kernel;
};

static const struct compile_target ptx90 = {IMAGE_PTX, 90};

static inline void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static inline void set_code(struct kernel *k, const char *code)
{
    free(k->code);
    k->code = strdup(code);
    assert_non_null(k->code);
    k->code_length = strlen(code);
}

static inline int set_up(void **state)
{
    struct place *p = calloc(1, sizeof *p);
    assert_non_null(p);
    strcpy(p->folder, "/tmp/redsweep-compile-XXXXXX");
    assert_non_null(mkdtemp(p->folder));
    texts_rename(p->folder, "$work");
    snprintf(p->cache, sizeof p->cache, "%s/a/cache", p->folder);
    snprintf(p->path, sizeof p->path, "%s/probe.cu", p->folder);
    snprintf(p->header, sizeof p->header, "%s/mine.h", p->folder);
    write_text(p->path, probe_code);
    write_text(p->header, "#define MINE 7000001\n");
    p->kernel = (struct kernel){.name = strdup("probe"), .path = strdup(p->path), .min_cc = 75};
    set_code(&p->kernel, probe_code);
    struct error e = {0};
    if (!compiler_open(p->cache, "kernels", &p->compiler, &e))
        fail_msg("%s", e.text);
    *state = p;
    return 0;
}

static inline int tear_down(void **state)
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

static inline struct image compile(struct place *p, const struct variant *v,
                                   const struct compile_target *target)
{
    struct image image;
    struct error e = {0};
    if (!compile_variant(p->compiler, &p->kernel, v, target, &image, &e))
        fail_msg("%s", e.text);
    return image;
}

static const struct variant plain = {.unroll = 4, .type = TYPE_INT32, .op = OP_SUM};

/* Compiles the kernel again. Returns whether the image came from the cache. */
static inline bool served(struct place *p, const struct variant *v)
{
    struct image image = compile(p, v, &ptx90);
    bool from_cache = image.from_cache;
    image_free(&image);
    return from_cache;
}

static inline struct error refused(struct place *p, const struct variant *v,
                                   const struct compile_target *target)
{
    struct image image;
    struct error e = {0};
    assert_false(compile_variant(p->compiler, &p->kernel, v, target, &image, &e));
    assert_null(image.bytes);
    return e;
}

static inline void assert_holds(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in:\n%s", part, text);
}

static inline void assert_lacks(const char *text, const char *part)
{
    if (strstr(text, part))
        fail_msg("'%s' is in:\n%s", part, text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
