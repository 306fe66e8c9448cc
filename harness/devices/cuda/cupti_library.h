/*
 * Declares CUPTI as a table of functions that are found at run time.
 *
 * One list names every function that is used. The struct, the lookup and the tests are generated
 * from this list. The library is never closed, because it hooks into the CUDA driver and cannot be
 * removed again.
 *
 * cupti_profiler_host.h includes the C++ header <string> although it contains only C declarations.
 * The folder cxx_shim/ contains an empty file with this name. The Makefile makes it visible only to
 * the files that include cupti_library.h.
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

/* The headers of CUDA 12.6 lack these result codes (CUPTI_ERROR_…). The last one was added in CUDA
 * 13.0. */
enum { CUPTI_MIG = 43, CUPTI_SLI, CUPTI_WSL, CUPTI_INVALID_CHIP_NAME };

/*
 * Declares the parameters of a call. CUPTI recognizes their version by the size that they contain.
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
 * Finds and opens CUPTI and its functions. It searches in the order of base/library.h, unless
 * $REDSWEEP_CUPTI names a file. If CUPTI is not found, the ERROR_SYSTEM states where this function
 * searched, and how to install CUPTI.
 */
bool cupti_open(struct cupti *out, struct error *e);

/*
 * Writes one sentence that explains a result code. If a user can solve the problem, the sentence
 * states the meaning of the code and the remedy. Otherwise, the sentence is CUPTI's own message.
 * `doing` is the attempted operation ("starting a pass").
 */
void cupti_explain(const struct cupti *l, CUptiResult result, const char *doing, char *text,
                   size_t size);

/* Fails with ERROR_UNSUPPORTED and the sentence of cupti_explain(). */
bool cupti_fail(const struct cupti *l, CUptiResult result, const char *doing, struct error *e);

#endif
