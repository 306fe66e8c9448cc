/*
 * A fake NVML: a shared library that tests load through $REDSWEEP_NVML.
 *
 * Environment variables:
 *   FAKE_NVML_FAIL    "nvmlDeviceGetPowerUsage:3": this function returns the result 3
 *   FAKE_NVML_REASONS the bits of the throttle reasons, in hexadecimal; "20:1": the bits 20 in the
 *                     first reading, and no bits in later ones
 *   FAKE_NVML_MIG     "1": MIG is on
 *   FAKE_NVML_PROCESSES  the number of processes on the GPU, including this one; default 1
 *   FAKE_NVML_ECC     the number of uncorrected memory errors, default 0
 *   FAKE_NVML_LIMIT   the default power limit in milliwatts, 700000 if not set; the present limit
 *                     is always 700000
 *   FAKE_NVML_ENERGY  "fail:100": reading 100 of the energy and all later ones fail; "reset:100":
 *                     from reading 100 on, the counter begins at 0; "stuck:100": from reading 100
 *                     on, the counter does not change
 *   FAKE_NVML_PCIE    the present number of lanes of the PCIe link, default 16 of at most 16
 * The clock rates are 1980 and 2619 MHz, the power is 251.5 W, and the temperature is 34 degrees.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int nvmlInit_v2(void);
int nvmlShutdown(void);
const char *nvmlErrorString(int result);
int nvmlDeviceGetHandleByPciBusId_v2(const char *address, void **device);
int nvmlDeviceGetClockInfo(void *device, int type, unsigned *mhz);
int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts);
int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *celsius);
int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *reasons);
int nvmlSystemGetDriverVersion(char *version, unsigned size);
int nvmlDeviceGetMaxClockInfo(void *device, int type, unsigned *mhz);
int nvmlDeviceGetEccMode(void *device, int *current, int *pending);
int nvmlDeviceGetMigMode(void *device, unsigned *current, unsigned *pending);
int nvmlDeviceGetEnforcedPowerLimit(void *device, unsigned *milliwatts);
int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *count, void *infos);

int nvmlDeviceGetTotalEccErrors(void *device, int type, int counter, unsigned long long *count);
int nvmlDeviceGetPowerManagementDefaultLimit(void *device, unsigned *milliwatts);
int nvmlDeviceGetCurrPcieLinkWidth(void *device, unsigned *lanes);
int nvmlDeviceGetMaxPcieLinkWidth(void *device, unsigned *lanes);
int nvmlDeviceGetVbiosVersion(void *device, char *version, unsigned size);

int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules);
unsigned long long fake_cuda_energy_mj(void) __attribute__((weak)); /* NULL without a fake GPU */

static char the_device;

static int injected(const char *function)
{
    const char *text = getenv("FAKE_NVML_FAIL");
    size_t length = strlen(function);
    return text && strncmp(text, function, length) == 0 && text[length] == ':'
               ? atoi(text + length + 1)
               : 0;
}

int nvmlInit_v2(void)
{
    return injected(__func__);
}

int nvmlShutdown(void)
{
    return 0;
}

const char *nvmlErrorString(int result)
{
    return result == 4 ? "Insufficient Permissions" : "Unknown Error";
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *address, void **device)
{
    *device = &the_device;
    /* 6: no such device */
    return strcmp(address, "0000:3b:00.0") == 0 ? injected(__func__) : 6;
}

/* Returns 2 for an argument that the real NVML would reject. */
int nvmlDeviceGetClockInfo(void *device, int type, unsigned *mhz)
{
    if (device != &the_device || (type != 1 && type != 2))
        return 2;
    *mhz = type == 1 ? 1980 : 2619;
    return injected(__func__);
}

int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts)
{
    *milliwatts = 251500;
    return device == &the_device ? injected(__func__) : 2;
}

int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *celsius)
{
    *celsius = 34;
    return device == &the_device && sensor == 0 ? injected(__func__) : 2;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *reasons)
{
    static int readings;
    const char *bits = getenv("FAKE_NVML_REASONS"), *most = bits ? strchr(bits, ':') : NULL;
    *reasons = bits && (!most || readings < atoi(most + 1)) ? strtoull(bits, NULL, 16) : 0;
    readings++;
    return device == &the_device ? injected(__func__) : 2;
}

int nvmlSystemGetDriverVersion(char *version, unsigned size)
{
    strncpy(version, "580.65.06", size);
    return injected(__func__);
}

int nvmlDeviceGetMaxClockInfo(void *device, int type, unsigned *mhz)
{
    *mhz = type == 1 ? 1995 : 2619;
    return device == &the_device ? injected(__func__) : 2;
}

int nvmlDeviceGetEccMode(void *device, int *current, int *pending)
{
    *current = *pending = 1;
    return device == &the_device ? injected(__func__) : 2;
}

int nvmlDeviceGetMigMode(void *device, unsigned *current, unsigned *pending)
{
    const char *on = getenv("FAKE_NVML_MIG");
    *current = *pending = on && *on == '1';
    return device == &the_device ? injected(__func__) : 2;
}

int nvmlDeviceGetEnforcedPowerLimit(void *device, unsigned *milliwatts)
{
    *milliwatts = 700000;
    return device == &the_device ? injected(__func__) : 2;
}

/* Returns result 7 if the caller's array has no room for the processes. */
int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *count, void *infos)
{
    const char *processes = getenv("FAKE_NVML_PROCESSES");
    unsigned room = *count;
    (void)infos;
    *count = processes ? (unsigned)atoi(processes) : 1;
    int result = device == &the_device ? injected(__func__) : 2;
    return result ? result : room < *count ? 7 : 0;
}

static unsigned setting(const char *name, unsigned otherwise)
{
    const char *text = getenv(name);
    return text ? (unsigned)atoi(text) : otherwise;
}

int nvmlDeviceGetTotalEccErrors(void *device, int type, int counter, unsigned long long *count)
{
    *count = type == 1 ? setting("FAKE_NVML_ECC", 0) : 5;
    return device == &the_device && counter == 0 ? injected(__func__) : 2;
}

int nvmlDeviceGetPowerManagementDefaultLimit(void *device, unsigned *milliwatts)
{
    *milliwatts = setting("FAKE_NVML_LIMIT", 700000);
    return device == &the_device ? injected(__func__) : 2;
}

int nvmlDeviceGetCurrPcieLinkWidth(void *device, unsigned *lanes)
{
    *lanes = setting("FAKE_NVML_PCIE", 16);
    return device == &the_device ? injected(__func__) : 2;
}

int nvmlDeviceGetMaxPcieLinkWidth(void *device, unsigned *lanes)
{
    *lanes = 16;
    return device == &the_device ? injected(__func__) : 2;
}

int nvmlDeviceGetVbiosVersion(void *device, char *version, unsigned size)
{
    strncpy(version, "96.00.74.00.01", size);
    return device == &the_device ? injected(__func__) : 2;
}

int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules)
{
    static int readings;
    static unsigned long long before;
    const char *fault = getenv("FAKE_NVML_ENERGY"), *at = fault ? strchr(fault, ':') : NULL;
    unsigned long long now = fake_cuda_energy_mj ? fake_cuda_energy_mj() : 123456;
    bool faulty = at && ++readings >= atoi(at + 1);
    if (!faulty || *fault == 'f')
        before = now;
    *millijoules = !faulty || *fault == 'f' ? now : *fault == 'r' ? now - before : before;
    if (faulty && *fault == 'f')
        return 999;
    return device == &the_device ? injected(__func__) : 2;
}
