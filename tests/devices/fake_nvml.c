/*
 * An NVML without a GPU, for tests: a shared library that $REDSWEEP_NVML is pointed at.
 *
 * The test steers it through the environment:
 *   FAKE_NVML_FAIL    "nvmlDeviceGetPowerUsage:3": that function gives that result
 *   FAKE_NVML_REASONS the bits of the throttle reasons, in hexadecimal; "20:1": in the first
 * reading, none after that Readings are 1980 and 2619 MHz, 251.5 W and 34 degrees.
 */
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
    return strcmp(address, "0000:3b:00.0") == 0 ? injected(__func__) : 6; /* not found */
}

/* 2: an argument that the real one would not take either. */
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
