/*
 * A fake GPU with a kernel, an input and an output, for tests that call single CUDA driver
 * functions.
 */
#ifndef REDSWEEP_TESTS_DEVICES_CUDA_RIG_H
#define REDSWEEP_TESTS_DEVICES_CUDA_RIG_H

#include "cuda_fixture.h"

enum { N = 1 << 18, BYTES = 4 * N, BLOCK = 256, GRID = N / BLOCK };

struct rig {
    struct device *device;
    struct device_info info;
    struct module *smem;
    struct module_info module;
    struct buffer input, output;
    struct input kind;
    struct error e;
};

static inline struct device *open_device(struct fixture *f)
{
    struct device *d;
    struct error e = {0};
    fresh_process();
    must(cuda_driver.open("", &f->setup, &d, &e), &e);
    return d;
}

static inline struct module *load(struct fixture *f, struct device *d, const char *name,
                                  struct module_info *info)
{
    struct variant v = {.unroll = 1, .block = BLOCK, .type = TYPE_INT32, .op = OP_SUM};
    struct device_info device;
    struct image image;
    struct module *m;
    struct error e = {0};
    const struct kernel *k = catalogue_find(&f->kernels, name);
    assert_non_null(k);
    cuda_driver.describe(d, &device);
    must(compile_variant(f->compiler, k, &v, &device.target, &image, &e), &e);
    must(cuda_driver.load(d, &image, &m, info, &e), &e);
    image_free(&image);
    return m;
}

static inline struct rig *open_rig(struct fixture *f)
{
    struct rig *r = test_calloc(1, sizeof *r);
    r->device = open_device(f);
    cuda_driver.describe(r->device, &r->info);
    r->smem = load(f, r->device, "smem_dynamic", &r->module);
    r->kind = (struct input){.type = TYPE_INT32, .op = OP_SUM, .n = N, .seed = 7};
    must(cuda_driver.alloc(r->device, BYTES, &r->input, &r->e) &&
             cuda_driver.alloc(r->device, 4 * GRID, &r->output, &r->e) &&
             cuda_driver.generate(r->device, r->input, &r->kind, &r->e),
         &r->e);
    return r;
}

/* Frees the rig, and checks that the test made no call that NVIDIA's runtime would reject. */
static inline void close_rig(struct rig *r)
{
    cuda_driver.unload(r->device, r->smem);
    cuda_driver.free(r->device, r->input);
    cuda_driver.free(r->device, r->output);
    cuda_driver.close(r->device);
    assert_string_equal(fake_cuda.misuse, "");
    assert_int_equal(fake_cuda.live, 0);
    test_free(r);
    no_faults();
}

static inline struct launch launch_of(const struct rig *r)
{
    struct launch l = {.module = r->smem,
                       .grid = {GRID, 1, 1},
                       .block = {BLOCK, 1, 1},
                       .dynamic_smem = 4 * BLOCK,
                       .cluster = 1};
    add_argument(&l, r->input.address, 8);
    add_argument(&l, r->output.address, 8);
    add_argument(&l, N, 4);
    return l;
}

static inline struct trial trial_of(const struct rig *r, const struct launch *l,
                                    enum cache_state cache)
{
    return (struct trial){.input = r->input, .cache = cache, .launches = l, .launch_count = 1};
}

#endif
