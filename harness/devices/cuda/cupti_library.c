/*
 * Opens CUPTI, and explains its result codes to users; see cupti_library.h.
 *
 * The remedies come from NVIDIA's page on permissions (developer.nvidia.com/ERR_NVGPUCTRPERM) and
 * the comments in cupti_result.h.
 */
#include "devices/cuda/cupti_library.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const struct {
    /* a CUptiResult, declared as an int because older headers do not define all of these codes */
    int result;
    const char *sentence;
} advice[] = {
    {CUPTI_ERROR_HARDWARE_BUSY, "another program uses the GPU's counters; end the other profiler "
                                "or monitor (ncu, nsys, DCGM) and run again"},
    {CUPTI_ERROR_INSUFFICIENT_PRIVILEGES,
     "the driver lets only administrators read the counters (ERR_NVGPUCTRPERM); run as root, or "
     "with CAP_SYS_ADMIN, or load the nvidia module with NVreg_RestrictProfilingToAdminUsers=0"},
    {CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED,
     "a tool that was loaded into this process uses CUPTI's old interface for events and metrics, "
     "which cannot be used together with the new one; run without the tool"},
    {CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED,
     "this process runs under a profiler or debugger; run without ncu, nsys, compute-sanitizer or "
     "cuda-gdb"},
    {CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED,
     "this is a virtual GPU without counters; use a whole GPU, or a vGPU type that allows "
     "profiling"},
    {CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES,
     "the hypervisor forbids profiling on this virtual GPU; ask its administrator to turn "
     "profiling on for this virtual machine"},
    {CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED,
     "the GPU is in confidential-computing mode, which forbids counters; use a GPU that is not in "
     "this mode"},
    {CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED,
     "this is a crypto-mining card, whose counters are switched off; use another GPU"},
    {CUPTI_MIG,
     "the GPU is split into MIG instances, whose counters cannot be read; use a GPU with MIG off"},
    {CUPTI_SLI, "the GPU is part of an SLI group, whose counters cannot be read; turn SLI off"},
    {CUPTI_WSL, "counters are not available in this WSL; enable profiling in the Windows driver's "
                "developer settings, or run on Linux itself"},
    {CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED, "this GPU is older than compute capability 7.5, "
                                                "the oldest that CUPTI supports; use a newer GPU"},
    {CUPTI_INVALID_CHIP_NAME,
     "CUPTI does not support this chip; use the CUPTI of a newer CUDA Toolkit (REDSWEEP_CUPTI)"},
    {CUPTI_ERROR_NOT_INITIALIZED, "CUPTI cannot reach the CUDA driver; check with nvidia-smi that "
                                  "the driver is loaded and not older than this CUPTI"},
};

/*
 * Writes the name of a CUPTI version. Since CUDA 13.0, version numbers have the form xxyyzz.
 * Before, they were consecutive. The table lists the earlier releases that have the range profiler
 * (CUPTI_API_VERSION in each release's cupti_version.h).
 */
static void describe_version(uint32_t version, char *text, size_t size)
{
    static const struct {
        uint32_t version;
        const char *release;
    } counted[] = {{24, "12.6"}, {26, "12.8"}, {28, "12.9"}};
    if (version >= 130000) {
        snprintf(text, size, "CUPTI %u.%u", version / 10000, version / 100 % 100);
        return;
    }
    snprintf(text, size, "CUPTI (API %u)", version);
    for (size_t i = 0; i < sizeof counted / sizeof counted[0]; i++)
        if (counted[i].version == version)
            snprintf(text, size, "CUPTI %s", counted[i].release);
}

bool cupti_open(struct cupti *out, struct error *e)
{
    memset(out, 0, sizeof *out);
    void *library = library_open_cuda("libcupti", "REDSWEEP_CUPTI", out->path, e);
    if (!library)
        return false;
    library_open_beside(out->path, "libnvperf_host.so");
    library_open_beside(out->path, "libnvperf_target.so");
#define CUPTI_FIND(name)                                                                           \
    out->name = (__typeof__(out->name))library_function(library, out->path, #name, e);             \
    if (!out->name)                                                                                \
        return false;
    CUPTI_FUNCTIONS(CUPTI_FIND)
#undef CUPTI_FIND
    uint32_t version = 0;
    CUptiResult result = out->cuptiGetVersion(&version);
    if (result != CUPTI_SUCCESS)
        return cupti_fail(out, result, "asking CUPTI for its version", e);
    describe_version(version, out->version, sizeof out->version);
    return true;
}

void cupti_explain(const struct cupti *l, CUptiResult result, const char *doing, char *text,
                   size_t size)
{
    for (size_t i = 0; i < sizeof advice / sizeof advice[0]; i++)
        if (advice[i].result == (int)result) {
            snprintf(text, size, "%s (CUPTI result %d while %s)", advice[i].sentence, (int)result,
                     doing);
            return;
        }
    const char *message = NULL;
    if (l->cuptiGetErrorMessage(result, &message) != CUPTI_SUCCESS || !message)
        message = "no message";
    snprintf(text, size, "CUPTI failed while %s: result %d, %s", doing, (int)result, message);
}

bool cupti_fail(const struct cupti *l, CUptiResult result, const char *doing, struct error *e)
{
    char text[512];
    cupti_explain(l, result, doing, text, sizeof text);
    return FAIL(e, ERROR_UNSUPPORTED, "%s", text);
}
