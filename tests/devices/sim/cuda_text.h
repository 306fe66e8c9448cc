/*
 * Uses NVRTC to compile CUDA C++ of the kind that users write, and runs it, to check what code the
 * simulator accepts.
 */
#ifndef REDSWEEP_TESTS_DEVICES_SIM_CUDA_TEXT_H
#define REDSWEEP_TESTS_DEVICES_SIM_CUDA_TEXT_H

#include "fixture.h"

#include "compile/compile.h"
#include "compile/nvrtc_library.h"

/*
 * Compiles a source to PTX for compute_<cc>, with the `count` options in `more` (at most 8). The
 * caller frees the PTX.
 */
static inline char *compile_cuda_with(const char *source, int cc, const char *const *more,
                                      int count)
{
    static struct nvrtc n;
    struct error e = {0};
    if (!n.nvrtcVersion)
        must(nvrtc_load(&n, &e), &e);
    /*
     * The toolkit's headers are in lib64/../include next to the library, or where NVIDIA's wheels
     * put them.
     */
    char include[LIBRARY_PATH_SIZE + 32], cccl[LIBRARY_PATH_SIZE + 40], arch[32];
    snprintf(include, sizeof include, "-I%s", n.path);
    char *slash = strrchr(include, '/');
    assert_non_null(slash);
    snprintf(slash, 16, "/../include");
    snprintf(cccl, sizeof cccl, "%s/cccl", include);
    snprintf(arch, sizeof arch, "-arch=compute_%d", cc);
    const char *options[13] = {arch, "-std=c++17", "-lineinfo", include, cccl};
    for (int k = 0; k < count; k++)
        options[5 + k] = more[k];
    nvrtcProgram p;
    assert_int_equal(n.nvrtcCreateProgram(&p, source, "test.cu", 0, NULL, NULL), NVRTC_SUCCESS);
    if (n.nvrtcCompileProgram(p, 5 + count, options) != NVRTC_SUCCESS) {
        size_t size = 0;
        n.nvrtcGetProgramLogSize(p, &size);
        char *log = calloc(1, size + 1);
        assert_non_null(log);
        n.nvrtcGetProgramLog(p, log);
        fail_msg("%.2000s\n%.20000s", log, source);
    }
    size_t size = 0;
    n.nvrtcGetPTXSize(p, &size);
    char *ptx = malloc(size + 1);
    assert_non_null(ptx);
    n.nvrtcGetPTX(p, ptx);
    ptx[size] = '\0';
    compile_plain_file_names(ptx);
    n.nvrtcDestroyProgram(&p);
    return ptx;
}

static inline char *compile_cuda(const char *source, int cc)
{
    return compile_cuda_with(source, cc, NULL, 0);
}

enum { CUDA_THREADS = 128, CUDA_WORDS = 8192 };

/*
 * Runs `extern "C" __global__ void k(unsigned *out, const unsigned *in)` in one block of
 * CUDA_THREADS threads. Before the launch, in[i] is i, and all words of the output are 0. Copies
 * CUDA_WORDS words of the output to `out`, and the counts of the launch to `counts`. Returns false
 * with an error if the kernel cannot be loaded or fails.
 */
static inline bool try_cuda(struct fixture *f, const char *source, int cc, uint32_t *out,
                            struct counts *counts, struct error *e)
{
    static uint32_t in[CUDA_WORDS];
    char *ptx = compile_cuda(source, cc);
    struct module *m;
    bool ok = load_text(f, ptx, "k", &m, e);
    free(ptx);
    if (!ok)
        return false;
    for (uint32_t k = 0; k < CUDA_WORDS; k++)
        in[k] = k;
    struct buffer to = allocate(f, sizeof in), from = allocate(f, sizeof in);
    must(sim_write(f->device, from, 0, in, sizeof in, e), e);
    struct launch l = make_launch(m, 1, CUDA_THREADS);
    add_argument(&l, to.address, 8);
    add_argument(&l, from.address, 8);
    struct counts before, after;
    sim_counts(f->device, &before);
    ok = launch(f, &l, e);
    sim_counts(f->device, &after);
    uint64_t *a = (uint64_t *)&after;
    for (size_t k = 0; k < sizeof after / sizeof *a; k++)
        a[k] -= ((const uint64_t *)&before)[k];
    if (counts)
        *counts = after;
    if (ok)
        must(sim_driver.read(f->device, to, 0, out, sizeof in, e), e);
    sim_driver.unload(f->device, m);
    sim_driver.free(f->device, to);
    sim_driver.free(f->device, from);
    return ok;
}

static inline struct counts run_cuda(struct fixture *f, const char *source, int cc, uint32_t *out)
{
    struct error e = {0};
    struct counts c;
    if (!try_cuda(f, source, cc, out, &c, &e))
        fail_msg("%s\nfor compute_%d: %s", e.text, cc, source);
    return c;
}

#endif
