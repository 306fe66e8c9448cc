/*
 * Declares CUPTI as a table of functions that are looked up at run time.
 *
 * One list names every function used; the struct, the lookup and the tests are generated from it.
 * The library is never closed, because it hooks into the CUDA driver and cannot be unloaded.
 *
 * cupti_profiler_host.h includes the C++ header <string> but declares only C. cxx_shim/ has an
 * empty file of that name, which the Makefile puts on the include path only for files that include
 * cupti_library.h.
 */
#ifndef REDSWEEP_DEVICES_CUDA_CUPTI_LIBRARY_H
#define REDSWEEP_DEVICES_CUDA_CUPTI_LIBRARY_H

#include <cuda.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_target.h>
#include <cupti_version.h>

#include "base/error.h"
#include "base/library.h"

#define CUPTI_FUNCTIONS(X)                                                                         \
    X(cuptiGetVersion)                                                                             \
    X(cuptiGetErrorMessage)                                                                        \
    X(cuptiDeviceGetChipName)                                                                      \
    X(cuptiProfilerInitialize)                                                                     \
    X(cuptiProfilerDeviceSupported)                                                                \
    X(cuptiProfilerGetCounterAvailability)                                                         \
    X(cuptiProfilerHostInitialize)                                                                 \
    X(cuptiProfilerHostDeinitialize)                                                               \
    X(cuptiProfilerHostGetSupportedChips)                                                          \
    X(cuptiProfilerHostGetBaseMetrics)                                                             \
    X(cuptiProfilerHostGetMetricProperties)                                                        \
    X(cuptiProfilerHostConfigAddMetrics)                                                           \
    X(cuptiProfilerHostGetConfigImageSize)                                                         \
    X(cuptiProfilerHostGetConfigImage)                                                             \
    X(cuptiProfilerHostGetNumOfPasses)                                                             \
    X(cuptiProfilerHostGetRangeName)                                                               \
    X(cuptiProfilerHostEvaluateToGpuValues)                                                        \
    X(cuptiRangeProfilerEnable)                                                                    \
    X(cuptiRangeProfilerDisable)                                                                   \
    X(cuptiRangeProfilerSetConfig)                                                                 \
    X(cuptiRangeProfilerStart)                                                                     \
    X(cuptiRangeProfilerStop)                                                                      \
    X(cuptiRangeProfilerPushRange)                                                                 \
    X(cuptiRangeProfilerPopRange)                                                                  \
    X(cuptiRangeProfilerDecodeData)                                                                \
    X(cuptiRangeProfilerGetCounterDataSize)                                                        \
    X(cuptiRangeProfilerCounterDataImageInitialize)                                                \
    X(cuptiRangeProfilerGetCounterDataInfo)

/* result codes (CUPTI_ERROR_…) missing from CUDA 12.6's headers; the last one is new in CUDA
 * 13.0 */
enum { CUPTI_MIG = 43, CUPTI_SLI, CUPTI_WSL, CUPTI_INVALID_CHIP_NAME };

/*
 * Declares a call's parameters. CUPTI tells their version by the size in them.
 */
#define CUPTI_PARAMS(function, name)                                                               \
    function##_Params name = {.structSize = function##_Params_STRUCT_SIZE}

struct cupti {
    char path[LIBRARY_PATH_SIZE];
    char version[32]; /* a string such as "CUPTI 13.0" */
#define CUPTI_MEMBER(name) __typeof__(name) *name;
    CUPTI_FUNCTIONS(CUPTI_MEMBER)
#undef CUPTI_MEMBER
};

/*
 * Finds and opens CUPTI and its functions. Searches where base/library.h says, unless
 * $REDSWEEP_CUPTI names a file. If it is not found, ERROR_SYSTEM says where this function looked
 * and how to install CUPTI.
 */
bool cupti_open(struct cupti *out, struct error *e);

/*
 * Writes one sentence that explains a result code: what it means and what to do if the user can fix
 * it, or else CUPTI's own message. `doing` says what was attempted ("starting a pass").
 */
void cupti_explain(const struct cupti *l, CUptiResult result, const char *doing, char *text,
                   size_t size);

/* Fails with ERROR_UNSUPPORTED and cupti_explain()'s sentence. */
bool cupti_fail(const struct cupti *l, CUptiResult result, const char *doing, struct error *e);

#endif
