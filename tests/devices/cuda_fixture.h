/*
 * Sets up what tests of the CUDA driver (harness/devices/cuda) need: the fake CUDA, CUPTI and NVML,
 * a compiler, and the kernels. Compiled kernels are kept next to the test program, so only the
 * first run compiles.
 */
#ifndef REDSWEEP_TESTS_DEVICES_CUDA_FIXTURE_H
#define REDSWEEP_TESTS_DEVICES_CUDA_FIXTURE_H

#include <dlfcn.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../near.h"

#include "spec/folders.h"
#include "devices/device.h"
#include "compile/compile.h"
#include "fake_cuda.h"

extern const struct device_driver cuda_driver;

struct fixture {
    /*
     * paths of the folder with the kernels and of the folder with the compiled kernels
     */
    char folder[4096], cache[4096];
    struct catalogue kernels, support;
    struct compiler *compiler;
    struct device_setup setup;
};

static inline void must(bool ok, const struct error *e)
{
    if (!ok)
        fail_msg("%s", e->text);
}

/* Writes the path of the file `name` in this program's folder. */
static inline void beside(const char *name, char path[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 64);
    assert_true(length > 0);
    path[length] = '\0';
    strcpy(strrchr(path, '/') + 1, name);
}

/*
 * Resets the faults and properties that a test has set in the fakes. The fake chip is called GH100,
 * a chip whose metrics redsweep knows.
 */
static inline void no_faults(void)
{
    static const char *const names[] = {
        "FAKE_CUDA_FAIL",   "FAKE_CUDA_KERNEL", "FAKE_CUDA_ONCE",  "FAKE_CUDA_DEVICES",
        "FAKE_CUDA_MEMORY", "FAKE_CUDA_RUN",    "FAKE_CUDA_STEP",  "FAKE_CUDA_CC",
        "FAKE_CUDA_DRIVER", "FAKE_NVRTC",       "FAKE_CUDA_SLOTS", "FAKE_CUPTI_FAIL",
        "FAKE_CUPTI_LEVEL", "FAKE_CUPTI_DROP",  "FAKE_NVML_FAIL",  "FAKE_NVML_REASONS",
        "FAKE_CUDA_SLOW",   "FAKE_CUDA_WATTS",  "FAKE_NVML_MIG",   "FAKE_NVML_ENERGY",
        "FAKE_CUDA_PLACED", "FAKE_CUDA_STALL"};
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unsetenv(names[i]);
    beside("fake_cupti.so", path);
    setenv("REDSWEEP_CUPTI", path, 1);
    beside("fake_nvml.so", path);
    setenv("REDSWEEP_NVML", path, 1);
    setenv("FAKE_CUPTI_CHIP", "GH100", 1);
    unsetenv("CUDA_MODULE_LOADING");
}

/* Makes the fakes start over and reread the environment. */
static inline void fresh_process(void)
{
    char path[PATH_MAX];
    beside("fake_cupti.so", path);
    /* The library is already loaded, so dlopen() returns the same handle. */
    void *cupti = dlopen(path, RTLD_NOW);
    assert_non_null(cupti);
    void (*reset)(void) = (void (*)(void))dlsym(cupti, "fake_cupti_reset");
    assert_true(reset != NULL);
    reset();
    dlclose(cupti);
    fake_cuda_reset();
}

/* cmocka setup: sets *state to the fixture. */
static inline int open_fixture(void **state)
{
    struct error e = {0};
    struct fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    no_faults();
    beside("fake_cache", f->cache);
    must(find_kernel_folder(f->folder, sizeof f->folder, &e), &e);
    must(read_catalogues(f->folder, NULL, 0, &f->kernels, &f->support, &e), &e);
    must(compiler_open(f->cache, f->folder, &f->compiler, &e), &e);
    f->setup = (struct device_setup){.compiler = f->compiler, .support = &f->support};
    *state = f;
    return 0;
}

static inline int close_fixture(void **state)
{
    struct fixture *f = *state;
    catalogue_free(&f->kernels);
    catalogue_free(&f->support);
    compiler_close(f->compiler);
    free(f);
    fake_cuda_reset(); /* frees the fake's own allocations */
    return 0;
}

#endif
