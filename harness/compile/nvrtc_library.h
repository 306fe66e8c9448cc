/*
 * NVRTC and nvJitLink as structs of function pointers, which are set when a library is loaded.
 *
 * The program is not linked with these libraries, so it starts without them (see base/library.h).
 * If $REDSWEEP_NVRTC or $REDSWEEP_NVJITLINK names a file, that file is loaded, and no other is
 * searched for. The functions' types are those of NVIDIA's headers. If a library lacks one of the
 * functions, loading it fails with an error.
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
    int major, minor; /* the version of the library, which may differ from that of the header */
};

struct nvjitlink {
    NVJITLINK_FUNCTIONS(LIBRARY_MEMBER)
    char path[LIBRARY_PATH_SIZE];
};

#undef LIBRARY_MEMBER

/*
 * Loads a library. If it is missing, fails with ERROR_SYSTEM and the folders that were searched.
 * Libraries remain loaded until the process ends, because they may have threads that outlive a
 * compilation.
 */
bool nvrtc_load(struct nvrtc *out, struct error *e);
bool nvjitlink_load(struct nvjitlink *out, struct error *e);

#endif
