/*
 * Turns CUDA's status codes into errors.
 */
#include "devices/cuda/cuda_device.h"

/* Returns whether this status means that the context is lost. Every later call to CUDA then fails
 * with the same status. */
static bool poisons_context(cudaError_t status)
{
    switch ((int)status) { /* a cast, because older headers do not define all of these names */
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorIllegalInstruction:
    case cudaErrorHardwareStackError:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContained:
    case cudaErrorTensorMemoryLeak:
    case cudaErrorMpsClientTerminated:
    case cudaErrorExternalDevice:
    case cudaErrorContextIsDestroyed:
    case cudaErrorDevicesUnavailable:
    case cudaErrorUnknown:
        return true;
    default:
        return false;
    }
}

static const char *remedy(cudaError_t status)
{
    switch (status) {
    case cudaErrorInsufficientDriver:
        return "; install an NVIDIA driver at least as new as this CUDA Toolkit, or build redsweep "
               "with CUDA 12 (make TOOLKIT=12, for drivers from 525 on)";
    case cudaErrorNoDevice:
        return "; this machine has no visible NVIDIA GPU (see nvidia-smi and "
               "CUDA_VISIBLE_DEVICES)";
    case cudaErrorMemoryAllocation:
        return "; free memory on the GPU (see nvidia-smi) or choose smaller sizes";
    case cudaErrorDevicesUnavailable:
        return "; another process uses the GPU in exclusive mode; wait until it has ended";
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidKernelImage:
    case cudaErrorUnsupportedPtxVersion:
        return "; the driver is too old for the compiler; update the driver";
    default:
        return "";
    }
}

static enum error_kind kind_of(cudaError_t status)
{
    switch (status) {
    case cudaErrorMemoryAllocation:
        return ERROR_MEMORY;
    case cudaErrorInsufficientDriver:
    case cudaErrorNoDevice:
    case cudaErrorInvalidDevice:
    case cudaErrorInitializationError:
    case cudaErrorSystemDriverMismatch:
        return ERROR_DEVICE;
    case cudaErrorNotSupported:
        return ERROR_UNSUPPORTED;
    default:
        return ERROR_LAUNCH;
    }
}

bool cuda_ok(cudaError_t status, const char *attempted, struct error *e)
{
    if (status == cudaSuccess)
        return true;
    /* Clears the error, which CUDA would otherwise report again after a later call. */
    (void)cudaGetLastError();
    FAIL(e, kind_of(status), "%s: %s (%s)%s", attempted, cudaGetErrorString(status),
         cudaGetErrorName(status), remedy(status));
    if (e)
        e->device_lost = poisons_context(status);
    return false;
}

bool cuda_count_gpus(int *count, struct error *e)
{
    int driver = 0;
    cudaError_t status = cudaGetDeviceCount(count);
    /* With this status, the runtime reports both a driver that is too old and a missing driver. The
     * version is 0 without a driver. */
    if (status == cudaErrorInsufficientDriver && cudaDriverGetVersion(&driver) == cudaSuccess &&
        driver == 0) {
        (void)cudaGetLastError();
        return FAIL(e, ERROR_DEVICE, "there is no NVIDIA driver (libcuda.so.1 is missing)");
    }
    return cuda_ok(status, "looking for NVIDIA GPUs", e);
}
