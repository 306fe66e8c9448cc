/*
 * Provides what the simulator's tests share: a device, kernels from kernels/ compiled to PTX,
 * handwritten PTX, and launches with their counts.
 */
#ifndef REDSWEEP_TESTS_DEVICES_SIM_FIXTURE_H
#define REDSWEEP_TESTS_DEVICES_SIM_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef WITHOUT_CMOCKA /* defined by bench_sim.c, which is no test */
#define fail_msg(...) (fprintf(stderr, __VA_ARGS__), exit(1))
#define assert_non_null(p) ((p) ? (void)0 : abort())
#else
#include <cmocka.h>
#endif

#include "spec/folders.h"
#include "devices/sim/sim.h"
#include "plan/shape.h"
#include "compile/compile.h"
#include "plan/plan.h"
#include "spec/kernel.h"

struct fixture {
    struct device *device;
    struct compiler *compiler;
    struct catalogue kernels, support;
};

static inline void must(bool ok, const struct error *e)
{
    if (!ok)
        fail_msg("%s", e->text);
}

static inline int open_device(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    struct error e = {0};
    must(f && sim_driver.open("", NULL, &f->device, &e), &e);
    sim_set_threads(f->device, 1);
    *state = f;
    return 0;
}

/* Sets up a fixture with a compiler and the kernels, for tests that compile CUDA C. */
static inline int open_compiler(void **state)
{
    struct error e = {0};
    char folder[4096], cache[4096];
    open_device(state);
    struct fixture *f = *state;
    must(find_kernel_folder(folder, sizeof folder, &e), &e);
    must(read_catalogues(folder, NULL, 0, &f->kernels, &f->support, &e), &e);
    find_cache_folder(cache, sizeof cache);
    must(compiler_open(cache, folder, &f->compiler, &e), &e);
    return 0;
}

static inline int close_all(void **state)
{
    struct fixture *f = *state;
    if (f->compiler) {
        compiler_close(f->compiler);
        catalogue_free(&f->kernels);
        catalogue_free(&f->support);
    }
    sim_driver.close(f->device);
    free(f);
    return 0;
}

/*
 * Returns whether the simulator can run a kernel. It can run all kernels except functions of the
 * host and of libraries.
 */
static inline bool runs_here(const struct kernel *k)
{
    return k->backend != BACKEND_CPU && !k->library;
}

/* Compiles one variant of a kernel to PTX for compute_<cc>. */
static inline struct module *load_variant(struct fixture *f, const struct kernel *k,
                                          const struct variant *v, int cc)
{
    struct error e = {0};
    struct compile_target target = {cc == 90 ? IMAGE_PTX_AND_CUBIN : IMAGE_PTX, cc};
    struct image image;
    struct module *m;
    struct module_info info;
    must(compile_variant(f->compiler, k, v, &target, &image, &e), &e);
    bool ok = sim_driver.load(f->device, &image, &m, &info, &e);
    image_free(&image);
    must(ok, &e);
    return m;
}

/* Compiles a kernel to PTX for compute_<cc>, with the first value of each tunable. */
static inline struct module *load_kernel(struct fixture *f, const char *name, int cc, int type,
                                         int op, int block, int unroll)
{
    const struct kernel *k = catalogue_find(&f->kernels, name);
    assert_non_null(k);
    struct variant v = {.block = (uint16_t)(k->block_constant ? block : 0),
                        .unroll = (uint16_t)unroll,
                        .type = (uint8_t)type,
                        .op = (uint8_t)op};
    for (int i = 0; i < k->tunable_count; i++)
        v.tunables[i] = k->tunables[i].allowed.values[0];
    return load_variant(f, k, &v, cc);
}

/* Loads PTX. Returns false with an error if the PTX cannot be loaded. */
static inline bool load_text(struct fixture *f, const char *text, const char *entry,
                             struct module **m, struct error *e)
{
    struct image image = {.kind = IMAGE_PTX, .bytes = (char *)text, .length = strlen(text)};
    struct module_info info;
    snprintf(image.entry, sizeof image.entry, "%s", entry);
    return sim_driver.load(f->device, &image, m, &info, e);
}

static inline struct buffer allocate(struct fixture *f, size_t bytes)
{
    struct error e = {0};
    struct buffer b;
    must(sim_driver.alloc(f->device, bytes, &b, &e), &e);
    return b;
}

/* Returns a launch without arguments. The caller adds up to three pointers or numbers. */
static inline struct launch make_launch(struct module *m, unsigned grid, unsigned block)
{
    return (struct launch){.module = m, .grid = {grid, 1, 1}, .block = {block, 1, 1}};
}

/* Returns a launch with the grid and block that a kernel's facts specify. */
static inline struct launch shaped_launch(struct module *m, const struct kernel *k,
                                          const struct shape *shape)
{
    struct launch l = {.module = m,
                       .dynamic_smem = shape->dynamic_smem,
                       .kind = k->launch,
                       .cluster = shape->cluster};
    for (int i = 0; i < 3; i++) {
        l.grid[i] = (unsigned)shape->grid_size[i];
        l.block[i] = shape->block_size[i];
    }
    return l;
}

static inline bool launch(struct fixture *f, const struct launch *l, struct error *e)
{
    struct trial t = {.launches = l, .launch_count = 1};
    return sim_driver.run(f->device, &t, e);
}

/* Returns the counts of one launch. */
static inline struct counts count_launch(struct fixture *f, const struct launch *l)
{
    struct error e = {0};
    struct counts before, after;
    sim_counts(f->device, &before);
    must(launch(f, l, &e), &e);
    sim_counts(f->device, &after);
    uint64_t *a = (uint64_t *)&after;
    const uint64_t *b = (const uint64_t *)&before;
    for (size_t i = 0; i < sizeof after / sizeof *a; i++)
        a[i] -= b[i];
    return after;
}

/* Returns an error's text without the PTX line number, which depends on the compiler version. */
static inline const char *without_ptx_line(struct error *e)
{
    static const char words[] = ", PTX line ";
    char *at = strstr(e->text, words);
    if (at) {
        size_t length = strlen(words) + strspn(at + strlen(words), "0123456789");
        memmove(at, at + length, strlen(at + length) + 1);
    }
    return e->text;
}

#endif
