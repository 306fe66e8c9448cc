/* Implements nvrtc_library.h. */
#include "compile/nvrtc_library.h"

#include <stdio.h>
#include <string.h>

/*
 * Looks up one function. ISO C does not allow the conversion of an object pointer to a function
 * pointer, but POSIX guarantees it.
 */
#define LIBRARY_LOAD(name)                                                                         \
    if (!(*(void **)(&out->name) = library_function(library, out->path, #name, e)))                \
        return false;

bool nvrtc_load(struct nvrtc *out, struct error *e)
{
    memset(out, 0, sizeof *out);
    void *library = library_open_cuda("libnvrtc", "REDSWEEP_NVRTC", out->path, e);
    if (!library)
        return error_prefix(e, "kernels cannot be compiled, because NVRTC is missing");
    NVRTC_FUNCTIONS(LIBRARY_LOAD)
    nvrtcResult status = out->nvrtcVersion(&out->major, &out->minor);
    if (status != NVRTC_SUCCESS)
        return FAIL(e, ERROR_SYSTEM, "%s did not report its version: %s", out->path,
                    out->nvrtcGetErrorString(status));
    char builtins[64];
    snprintf(builtins, sizeof builtins, "libnvrtc-builtins.so.%d.%d", out->major, out->minor);
    library_open_beside(out->path, builtins);
    return true;
}

bool nvjitlink_load(struct nvjitlink *out, struct error *e)
{
    memset(out, 0, sizeof *out);
    void *library = library_open_cuda("libnvJitLink", "REDSWEEP_NVJITLINK", out->path, e);
    if (!library)
        return error_prefix(
            e, "kernels that launch kernels cannot be linked, because nvJitLink is missing");
    NVJITLINK_FUNCTIONS(LIBRARY_LOAD)
    return true;
}
