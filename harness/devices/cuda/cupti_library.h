/*
 * Declares a table of CUPTI's functions, which are looked up at run time.
 *
 * The list CUPTI_FUNCTIONS names every function that the driver uses. The members of struct cupti,
 * the look-up and the tests are generated from it. CUPTI is never closed, because it hooks into the
 * CUDA driver and cannot be unloaded.
 *
 * cupti_profiler_host.h includes the C++ header <string> but declares only C. The folder cxx_shim
 * therefore contains an empty file named `string`. The Makefile adds the folder to the include path
 * only for files that include cupti_library.h.
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

/* CUPTI's result codes 43 to 46, which the headers of CUDA 12.6 do not define. The last one is new
 * in CUDA 13.0. */
enum { CUPTI_MIG = 43, CUPTI_SLI, CUPTI_WSL, CUPTI_INVALID_CHIP_NAME };

/*
 * Declares `name`, the struct with the parameters of a call to `function`. Its size, stored in the
 * struct itself, tells CUPTI which version of the struct it is.
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
 * Opens CUPTI and looks up its functions. CUPTI is the file that $REDSWEEP_CUPTI names, or else is
 * searched for in the places that base/library.h describes. If CUPTI is not found, the error,
 * ERROR_SYSTEM, says where it was searched for and how to install it.
 */
bool cupti_open(struct cupti *out, struct error *e);

/*
 * Writes one sentence about a result code. If the user can fix the problem, it says what the code
 * means and what to do. Otherwise, it contains CUPTI's own message. `doing` says what was attempted
 * ("starting a pass").
 */
void cupti_explain(const struct cupti *l, CUptiResult result, const char *doing, char *text,
                   size_t size);

/* Sets the error to ERROR_UNSUPPORTED with the sentence from cupti_explain(), and returns false. */
bool cupti_fail(const struct cupti *l, CUptiResult result, const char *doing, struct error *e);

#endif
