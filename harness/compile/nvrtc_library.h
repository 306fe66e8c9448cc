/*
 * NVRTC and nvJitLink as tables of functions, filled when they are first needed.
 *
 * Neither library is linked, so that the program starts without them (see base/library.h).
 * $REDSWEEP_NVRTC and $REDSWEEP_NVJITLINK name a library to be taken instead of the one found.
 * The types come from NVIDIA's headers; a function that the library lacks is an error, not a crash.
 */
#ifndef REDSWEEP_COMPILE_NVRTC_LIBRARY_H
#define REDSWEEP_COMPILE_NVRTC_LIBRARY_H

#include <stdbool.h>

#include <nvJitLink.h>
#include <nvrtc.h>

#include "base/error.h"
#include "base/library.h"

#define NVRTC_FUNCTIONS(X)                                                                         \
    X(nvrtcVersion)                                                                                \
    X(nvrtcGetErrorString)                                                                         \
    X(nvrtcGetNumSupportedArchs)                                                                   \
    X(nvrtcGetSupportedArchs)                                                                      \
    X(nvrtcCreateProgram)                                                                          \
    X(nvrtcDestroyProgram)                                                                         \
    X(nvrtcAddNameExpression)                                                                      \
    X(nvrtcCompileProgram)                                                                         \
    X(nvrtcGetLoweredName)                                                                         \
    X(nvrtcGetProgramLogSize)                                                                      \
    X(nvrtcGetProgramLog)                                                                          \
    X(nvrtcGetPTXSize)                                                                             \
    X(nvrtcGetPTX)                                                                                 \
    X(nvrtcGetCUBINSize)                                                                           \
    X(nvrtcGetCUBIN)

#define NVJITLINK_FUNCTIONS(X)                                                                     \
    X(nvJitLinkCreate)                                                                             \
    X(nvJitLinkDestroy)                                                                            \
    X(nvJitLinkAddData)                                                                            \
    X(nvJitLinkAddFile)                                                                            \
    X(nvJitLinkComplete)                                                                           \
    X(nvJitLinkGetLinkedCubinSize)                                                                 \
    X(nvJitLinkGetLinkedCubin)                                                                     \
    X(nvJitLinkGetErrorLogSize)                                                                    \
    X(nvJitLinkGetErrorLog)

#define LIBRARY_MEMBER(name) __typeof__(name) *name;

struct nvrtc {
    NVRTC_FUNCTIONS(LIBRARY_MEMBER)
    char path[LIBRARY_PATH_SIZE];
    int major, minor; /* of the library, not of the header */
};

struct nvjitlink {
    NVJITLINK_FUNCTIONS(LIBRARY_MEMBER)
    char path[LIBRARY_PATH_SIZE];
};

#undef LIBRARY_MEMBER

/*
 * ERROR_SYSTEM names the folders that were searched. The libraries stay loaded until the process
 * ends, because their threads may outlive a compilation.
 */
bool nvrtc_load(struct nvrtc *out, struct error *e);
bool nvjitlink_load(struct nvjitlink *out, struct error *e);

#endif
