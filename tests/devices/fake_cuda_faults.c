/*
 * Defines the fake runtime's status codes, and decides which of its calls fail (see fake_cuda.h).
 */
#include "fake_cuda_queue.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_CALLS = 1 << 16 };

struct fake_settings fake_settings;
cudaError_t fake_lost;

static const char *calls[MOST_CALLS];
static cudaError_t last_error;
static bool counting_by_name;
static int calls_of_function;

static const struct {
    cudaError_t status;
    const char *name, *text;
    bool loses_context;
} statuses[] = {
    {cudaSuccess, "cudaSuccess", "no error", false},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument", false},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory", false},
    {cudaErrorInitializationError, "cudaErrorInitializationError", "initialization error", false},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration",
     "invalid configuration argument", false},
    {cudaErrorInsufficientDriver, "cudaErrorInsufficientDriver",
     "CUDA driver version is insufficient for CUDA runtime version", false},
    {cudaErrorDevicesUnavailable, "cudaErrorDevicesUnavailable",
     "CUDA-capable device(s) is/are busy or unavailable", true},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected", false},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal", false},
    {cudaErrorInvalidKernelImage, "cudaErrorInvalidKernelImage", "device kernel image is invalid",
     false},
    {cudaErrorNoKernelImageForDevice, "cudaErrorNoKernelImageForDevice",
     "no kernel image is available for execution on the device", false},
    {cudaErrorECCUncorrectable, "cudaErrorECCUncorrectable", "uncorrectable ECC error encountered",
     true},
    {cudaErrorNvlinkUncorrectable, "cudaErrorNvlinkUncorrectable",
     "uncorrectable NVLink error detected during the execution", true},
    {cudaErrorUnsupportedPtxVersion, "cudaErrorUnsupportedPtxVersion",
     "the provided PTX was compiled with an unsupported toolchain.", false},
    {cudaErrorContained, "cudaErrorContained", "Invalid access of peer GPU memory", true},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle",
     false},
    {cudaErrorSymbolNotFound, "cudaErrorSymbolNotFound", "named symbol not found", false},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready", false},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress", "an illegal memory access was encountered",
     true},
    {cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources",
     "too many resources requested for launch", false},
    {cudaErrorLaunchTimeout, "cudaErrorLaunchTimeout", "the launch timed out and was terminated",
     true},
    {cudaErrorContextIsDestroyed, "cudaErrorContextIsDestroyed", "context is destroyed", true},
    {cudaErrorAssert, "cudaErrorAssert", "device-side assert triggered", true},
    {cudaErrorHardwareStackError, "cudaErrorHardwareStackError", "hardware stack error", true},
    {cudaErrorIllegalInstruction, "cudaErrorIllegalInstruction",
     "an illegal instruction was encountered", true},
    {cudaErrorMisalignedAddress, "cudaErrorMisalignedAddress", "misaligned address", true},
    {cudaErrorInvalidAddressSpace, "cudaErrorInvalidAddressSpace",
     "operation not supported on global/shared address space", true},
    {cudaErrorInvalidPc, "cudaErrorInvalidPc", "invalid program counter", true},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure", true},
    {cudaErrorCooperativeLaunchTooLarge, "cudaErrorCooperativeLaunchTooLarge",
     "too many blocks in cooperative launch", false},
    {cudaErrorTensorMemoryLeak, "cudaErrorTensorMemoryLeak", "tensor memory leak", true},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported", false},
    {cudaErrorSystemDriverMismatch, "cudaErrorSystemDriverMismatch",
     "system has unsupported display driver / cuda driver combination", false},
    {cudaErrorMpsClientTerminated, "cudaErrorMpsClientTerminated",
     "the MPS client has been terminated", true},
    {cudaErrorExternalDevice, "cudaErrorExternalDevice",
     "an async error has occured in external entity outside of CUDA", true},
    {cudaErrorUnknown, "cudaErrorUnknown", "unknown error", true},
};
enum { STATUS_ROWS = sizeof statuses / sizeof statuses[0] };

static int row_of(cudaError_t status)
{
    int i = 0;
    while (i < STATUS_ROWS && statuses[i].status != status)
        i++;
    return i;
}

const char *cudaGetErrorName(cudaError_t status)
{
    int i = row_of(status);
    return i < STATUS_ROWS ? statuses[i].name : "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t status)
{
    int i = row_of(status);
    return i < STATUS_ROWS ? statuses[i].text : "unrecognized error code";
}

bool fake_loses_context(cudaError_t status)
{
    int i = row_of(status);
    return i < STATUS_ROWS && statuses[i].loses_context;
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t status = fake_lost ? fake_lost : last_error;
    last_error = cudaSuccess;
    return status;
}

void fake_misuse(const char *format, ...)
{
    if (fake_cuda.misuse[0])
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fake_cuda.misuse, sizeof fake_cuda.misuse, format, arguments);
    va_end(arguments);
}

/* ---- Settings ------------------------------------------------------------------------------ */

static void read_fail(const char *text)
{
    struct fake_settings *s = &fake_settings;
    const char *colon = text ? strchr(text, ':') : NULL;
    if (!colon)
        return;
    snprintf(s->fail_function, sizeof s->fail_function, "%.*s", (int)(colon - text), text);
    char *end;
    s->fail_call = (int)strtol(colon + 1, &end, 10);
    s->fail_on = *end == '+';
    s->fail_status = (cudaError_t)atoi(end + s->fail_on + 1);
}

static void read_kernel(const char *text)
{
    struct fake_settings *s = &fake_settings;
    const char *equals = text ? strchr(text, '=') : NULL;
    if (!equals)
        return;
    snprintf(s->kernel, sizeof s->kernel, "%.*s", (int)(equals - text), text);
    s->status = (cudaError_t)atoi(equals + 1);
    const char *dash = strchr(equals, '-');
    if (!s->status)
        snprintf(s->fault, sizeof s->fault, "%.*s", (int)strcspn(equals + 1, "-"), equals + 1);
    s->signal_at = dash ? strtoull(dash + 1, NULL, 10) : 0;
}

void fake_read_settings(void)
{
    const char *devices = getenv("FAKE_CUDA_DEVICES"), *memory = getenv("FAKE_CUDA_MEMORY");
    const char *run = getenv("FAKE_CUDA_RUN"), *once = getenv("FAKE_CUDA_ONCE");
    const char *step = getenv("FAKE_CUDA_STEP"), *work = getenv("FAKE_CUDA_WORK");
    memset(&fake_settings, 0, sizeof fake_settings);
    const char *cc = getenv("FAKE_CUDA_CC"), *driver = getenv("FAKE_CUDA_DRIVER");
    fake_settings.cc = cc ? atoi(cc) : 90;
    fake_settings.driver = driver ? atoi(driver) : 13000;
    fake_settings.devices = devices ? atoi(devices) : 1;
    fake_settings.memory = memory ? strtoull(memory, NULL, 10) : 128u << 20;
    const char *slots = getenv("FAKE_CUDA_SLOTS");
    fake_settings.slots = slots ? strtoull(slots, NULL, 10) : 0;
    fake_settings.work = work ? strtoull(work, NULL, 10) : 0;
    fake_settings.step_ns = step ? strtoull(step, NULL, 10) : 1;
    const char *slow = getenv("FAKE_CUDA_SLOW"), *slow_pct = slow ? strchr(slow, ':') : NULL;
    fake_settings.slow_device = slow_pct ? atoi(slow) : -1;
    fake_settings.slow_pct = slow_pct ? strtoull(slow_pct + 1, NULL, 10) : 0;
    const char *placed = getenv("FAKE_CUDA_PLACED"), *stall = getenv("FAKE_CUDA_STALL");
    const char *stall_ns = stall ? strchr(stall, ':') : NULL;
    const char *argument = placed ? strchr(placed, ':') : NULL;
    fake_settings.placed_ns = placed ? strtoull(placed, NULL, 10) : 0;
    fake_settings.placed_argument = argument ? atoi(argument + 1) : 0;
    fake_settings.stall_period_ns = stall_ns ? strtoull(stall, NULL, 10) : 0;
    fake_settings.stall_ns = stall_ns ? strtoull(stall_ns + 1, NULL, 10) : 0;
    fake_settings.run = !run || strcmp(run, "no") != 0;
    const char *watts = getenv("FAKE_CUDA_WATTS");
    snprintf(fake_settings.watts, sizeof fake_settings.watts, "%s", watts ? watts : "");
    snprintf(fake_settings.once, sizeof fake_settings.once, "%s", once ? once : "");
    read_fail(getenv("FAKE_CUDA_FAIL"));
    read_kernel(getenv("FAKE_CUDA_KERNEL"));
    last_error = fake_lost = cudaSuccess;
    counting_by_name = strcmp(fake_settings.fail_function, "*") != 0;
    calls_of_function = 0;
}

bool fake_claim(void)
{
    if (!fake_settings.once[0])
        return true;
    int file = open(fake_settings.once, O_CREAT | O_EXCL | O_WRONLY, 0600);
    if (file < 0)
        return false;
    close(file);
    return true;
}

const char *fake_cuda_call(int k)
{
    return k >= 1 && k <= fake_cuda.calls && k <= MOST_CALLS ? calls[k - 1] : "";
}

/* Returns whether the environment asks for the current call of `function` to fail. */
static bool fails_now(const char *function)
{
    const struct fake_settings *s = &fake_settings;
    if (!s->fail_function[0] || (counting_by_name && strcmp(s->fail_function, function) != 0))
        return false;
    int count = counting_by_name ? ++calls_of_function : fake_cuda.calls;
    return (count == s->fail_call || (s->fail_on && count > s->fail_call)) && fake_claim();
}

cudaError_t fake_fail(cudaError_t status)
{
    if (status == cudaSuccess)
        return status;
    last_error = status;
    if (fake_loses_context(status))
        fake_lost = status;
    return status;
}

cudaError_t fake_begin(const char *function, bool gives_back)
{
    if (!fake_simulator)
        fake_cuda_reset();
    if (fake_cuda.calls < MOST_CALLS)
        calls[fake_cuda.calls] = function;
    fake_cuda.calls++;
    if (fake_lost) {
        fake_cuda.after_loss += !gives_back;
        return fake_lost;
    }
    if (!fails_now(function))
        return cudaSuccess;
    fake_cuda.failed = function;
    return fake_fail(fake_settings.fail_status);
}
