/* Implements link.h with nvJitLink. */
#include "compile/link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Returns the linker's log, which the caller frees with free(), or NULL if there is none. */
static char *linker_log(const struct nvjitlink *linker, nvJitLinkHandle handle)
{
    size_t size = 0;
    if (linker->nvJitLinkGetErrorLogSize(handle, &size) != NVJITLINK_SUCCESS || size == 0)
        return NULL;
    char *log = xcalloc(1, size + 1);
    if (linker->nvJitLinkGetErrorLog(handle, log) == NVJITLINK_SUCCESS)
        return log;
    free(log);
    return NULL;
}

/* Fails with the name of the step that failed, and with the linker's log. */
static bool fail_with_log(const struct nvjitlink *linker, nvJitLinkHandle handle, const char *step,
                          nvJitLinkResult status, struct error *e)
{
    char *log = linker_log(linker, handle);
    FAIL_LINES(e, ERROR_COMPILE, "nvJitLink cannot %s (error %d)%s%s", step, (int)status,
               log ? ":\n" : "", log ? log : "");
    free(log);
    return false;
}

static bool link_into(const struct nvjitlink *linker, nvJitLinkHandle handle,
                      const char *device_runtime, const char *object, size_t object_length,
                      char **image, size_t *length, struct error *e)
{
    nvJitLinkResult status =
        linker->nvJitLinkAddData(handle, NVJITLINK_INPUT_CUBIN, object, object_length, "kernel");
    if (status != NVJITLINK_SUCCESS)
        return fail_with_log(linker, handle, "read the compiled kernel", status, e);
    status = linker->nvJitLinkAddFile(handle, NVJITLINK_INPUT_LIBRARY, device_runtime);
    if (status != NVJITLINK_SUCCESS) {
        fail_with_log(linker, handle, "use this library for the kernel's architecture", status, e);
        return error_prefix(e, "%s", device_runtime);
    }
    status = linker->nvJitLinkComplete(handle);
    if (status != NVJITLINK_SUCCESS)
        return fail_with_log(linker, handle, "link", status, e);
    status = linker->nvJitLinkGetLinkedCubinSize(handle, length);
    if (status != NVJITLINK_SUCCESS || *length == 0)
        return fail_with_log(linker, handle, "return the image's size", status, e);
    *image = malloc(*length + 1);
    if (!*image)
        return FAIL(e, ERROR_MEMORY, "not enough memory for a linked image of %zu bytes", *length);
    status = linker->nvJitLinkGetLinkedCubin(handle, *image);
    if (status == NVJITLINK_SUCCESS) {
        (*image)[*length] = '\0';
        return true;
    }
    free(*image);
    *image = NULL;
    return fail_with_log(linker, handle, "return the image", status, e);
}

bool link_device_runtime(const struct nvjitlink *linker, const char *device_runtime, int cc,
                         const char *object, size_t object_length, char **image, size_t *length,
                         struct error *e)
{
    *image = NULL;
    *length = 0;
    char architecture[32];
    snprintf(architecture, sizeof architecture, "-arch=sm_%d", cc);
    const char *options[] = {architecture, "-lineinfo"};
    nvJitLinkHandle handle = NULL;
    nvJitLinkResult status = linker->nvJitLinkCreate(&handle, 2, options);
    if (status != NVJITLINK_SUCCESS) {
        if (handle)
            linker->nvJitLinkDestroy(&handle);
        return FAIL(e, ERROR_COMPILE, "nvJitLink cannot be initialized for sm_%d (error %d)", cc,
                    (int)status);
    }
    bool ok = link_into(linker, handle, device_runtime, object, object_length, image, length, e);
    linker->nvJitLinkDestroy(&handle);
    return ok;
}
