/*
 * A compiler for the fake GPU (fake_cuda.h) whose cubins are PTX.
 *
 * NVRTC compiles the source as it would for a real GPU, but its PTX is returned as the cubin. The
 * fake GPU needs no linking, so nvJitLink returns its input. Both functions replace the real ones
 * through ld --wrap.
 *
 * With FAKE_NVRTC=12 the compiler claims to support the architectures of NVRTC 12 (5.0 to 12.1). If
 * the installed NVRTC no longer supports the requested architecture, the compiler chooses the
 * oldest one that NVRTC supports.
 */
#include "compile/nvrtc_library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool __real_nvrtc_load(struct nvrtc *out, struct error *e);
bool __wrap_nvrtc_load(struct nvrtc *out, struct error *e);
bool __wrap_nvjitlink_load(struct nvjitlink *out, struct error *e);

static const int architectures_of_12[] = {50, 52, 53, 60, 61,  62,  70,  72,  75, 80,
                                          86, 87, 89, 90, 100, 101, 103, 120, 121};
enum { ARCHITECTURES_OF_12 = sizeof architectures_of_12 / sizeof architectures_of_12[0] };

static struct nvrtc real;

static nvrtcResult count_architectures(int *count)
{
    *count = ARCHITECTURES_OF_12;
    return NVRTC_SUCCESS;
}

static nvrtcResult list_architectures(int *out)
{
    memcpy(out, architectures_of_12, sizeof architectures_of_12);
    return NVRTC_SUCCESS;
}

/*
 * Compiles a program. If the requested architecture is older than the oldest supported one,
 * compiles for the latter.
 */
static nvrtcResult compile(nvrtcProgram program, int count, const char *const *options)
{
    enum { OPTIONS_MOST = 64, KNOWN_MOST = 64 };
    static const char prefix[] = "--gpu-architecture=sm_";
    const char *list[OPTIONS_MOST];
    int known[KNOWN_MOST], known_count = 0;
    char oldest[64];
    if (count > OPTIONS_MOST || real.nvrtcGetNumSupportedArchs(&known_count) != NVRTC_SUCCESS ||
        known_count < 1 || known_count > KNOWN_MOST ||
        real.nvrtcGetSupportedArchs(known) != NVRTC_SUCCESS)
        return NVRTC_ERROR_INTERNAL_ERROR;
    snprintf(oldest, sizeof oldest, "%s%d", prefix, known[0]);
    for (int i = 0; i < count; i++) {
        bool replace = strncmp(options[i], prefix, strlen(prefix)) == 0 &&
                       atoi(options[i] + strlen(prefix)) < known[0];
        list[i] = replace ? oldest : options[i];
    }
    return real.nvrtcCompileProgram(program, count, list);
}

bool __wrap_nvrtc_load(struct nvrtc *out, struct error *e)
{
    if (!__real_nvrtc_load(out, e))
        return false;
    out->nvrtcGetCUBINSize = out->nvrtcGetPTXSize;
    out->nvrtcGetCUBIN = out->nvrtcGetPTX;
    const char *fake = getenv("FAKE_NVRTC");
    if (fake && strcmp(fake, "12") == 0) {
        real = *out;
        out->nvrtcGetNumSupportedArchs = count_architectures;
        out->nvrtcGetSupportedArchs = list_architectures;
        out->nvrtcCompileProgram = compile;
    }
    /*
     * The compiler's path is part of the cache key. The suffix ensures that an image of the fake
     * compiler is never taken for one of NVIDIA's compiler.
     */
    size_t used = strlen(out->path);
    snprintf(out->path + used, sizeof out->path - used, " (PTX for the fake GPU)");
    return true;
}

struct linked {
    char *bytes;
    size_t length;
};

static nvJitLinkResult create(nvJitLinkHandle *handle, uint32_t count, const char **options)
{
    (void)count, (void)options;
    struct linked *l = calloc(1, sizeof *l);
    *handle = (nvJitLinkHandle)l;
    return l ? NVJITLINK_SUCCESS : NVJITLINK_ERROR_INTERNAL;
}

static nvJitLinkResult destroy(nvJitLinkHandle *handle)
{
    struct linked *l = (struct linked *)*handle;
    free(l->bytes);
    free(l);
    return NVJITLINK_SUCCESS;
}

static nvJitLinkResult add_data(nvJitLinkHandle handle, nvJitLinkInputType type, const void *data,
                                size_t size, const char *name)
{
    (void)name;
    struct linked *l = (struct linked *)handle;
    l->bytes = malloc(size);
    l->length = size;
    if (!l->bytes || type != NVJITLINK_INPUT_CUBIN)
        return NVJITLINK_ERROR_INVALID_INPUT;
    memcpy(l->bytes, data, size);
    return NVJITLINK_SUCCESS;
}

static nvJitLinkResult add_file(nvJitLinkHandle handle, nvJitLinkInputType type, const char *path)
{
    (void)handle, (void)path;
    return type == NVJITLINK_INPUT_LIBRARY ? NVJITLINK_SUCCESS : NVJITLINK_ERROR_INVALID_INPUT;
}

static nvJitLinkResult complete(nvJitLinkHandle handle)
{
    (void)handle;
    return NVJITLINK_SUCCESS;
}

static nvJitLinkResult linked_size(nvJitLinkHandle handle, size_t *size)
{
    *size = ((struct linked *)handle)->length;
    return NVJITLINK_SUCCESS;
}

static nvJitLinkResult linked_bytes(nvJitLinkHandle handle, void *out)
{
    const struct linked *l = (struct linked *)handle;
    memcpy(out, l->bytes, l->length);
    return NVJITLINK_SUCCESS;
}

static nvJitLinkResult log_size(nvJitLinkHandle handle, size_t *size)
{
    (void)handle;
    *size = 0;
    return NVJITLINK_SUCCESS;
}

static nvJitLinkResult no_log(nvJitLinkHandle handle, char *out)
{
    (void)handle;
    *out = '\0';
    return NVJITLINK_SUCCESS;
}

bool __wrap_nvjitlink_load(struct nvjitlink *out, struct error *e)
{
    (void)e;
    *out = (struct nvjitlink){.nvJitLinkCreate = create,
                              .nvJitLinkDestroy = destroy,
                              .nvJitLinkAddData = add_data,
                              .nvJitLinkAddFile = add_file,
                              .nvJitLinkComplete = complete,
                              .nvJitLinkGetLinkedCubinSize = linked_size,
                              .nvJitLinkGetLinkedCubin = linked_bytes,
                              .nvJitLinkGetErrorLogSize = log_size,
                              .nvJitLinkGetErrorLog = no_log,
                              .path = "(the fake GPU's linker)"};
    return true;
}
