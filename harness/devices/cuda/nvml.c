/*
 * Reading the GPU's state: see nvml.h. Values and meanings are those of NVIDIA's NVML API
 * Reference Guide: nvmlReturn_t, nvmlClockType_t, nvmlTemperatureSensors_t and
 * "NvmlClocksEventReasons".
 */
#include "devices/cuda/nvml.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/library.h"
#include "base/memory.h"

enum { NVML_OK = 0, CLOCK_SM = 1, CLOCK_MEMORY = 2, SENSOR_GPU = 0 };

/* Bits of the reasons; those for an idle GPU and for clocks set by a user are ignored. */
static const struct {
    uint64_t bit;
    enum throttle reason;
} reasons[] = {
    {0x04, THROTTLE_POWER_CAP}, {0x08, THROTTLE_HARDWARE},         {0x10, THROTTLE_SYNC_BOOST},
    {0x20, THROTTLE_THERMAL},   {0x40, THROTTLE_HARDWARE_THERMAL}, {0x80, THROTTLE_POWER_BRAKE},
};

typedef void *nvml_device;

struct nvml {
    nvml_device device;
    int (*init)(void);
    int (*shutdown)(void);
    int (*find)(const char *pci_address, nvml_device *device);
    int (*clock)(nvml_device device, int type, unsigned *mhz);
    int (*power)(nvml_device device, unsigned *milliwatts);
    int (*temperature)(nvml_device device, int sensor, unsigned *celsius);
    int (*throttle)(nvml_device device, unsigned long long *reasons);
    const char *(*words)(int result);
    /* For nvml_settings() alone; NULL where this NVML lacks them. */
    int (*driver)(char *version, unsigned size);
    int (*max_clock)(nvml_device device, int type, unsigned *mhz);
    int (*ecc)(nvml_device device, int *current, int *pending);
    int (*mig)(nvml_device device, unsigned *current, unsigned *pending);
    int (*power_limit)(nvml_device device, unsigned *milliwatts);
    int (*processes)(nvml_device device, unsigned *count, void *infos);
};

static bool find_functions(struct nvml *n, void *library, const char *path, struct error *e)
{
    const struct {
        const char *name;
        void **function;
    } wanted[] = {
        {"nvmlInit_v2", (void **)&n->init},
        {"nvmlShutdown", (void **)&n->shutdown},
        {"nvmlDeviceGetHandleByPciBusId_v2", (void **)&n->find},
        {"nvmlDeviceGetClockInfo", (void **)&n->clock},
        {"nvmlDeviceGetPowerUsage", (void **)&n->power},
        {"nvmlDeviceGetTemperature", (void **)&n->temperature},
        {"nvmlDeviceGetCurrentClocksThrottleReasons", (void **)&n->throttle},
        {"nvmlErrorString", (void **)&n->words},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        *wanted[i].function = library_function(library, path, wanted[i].name, e);
        if (!*wanted[i].function)
            return false;
    }
    const struct {
        const char *name;
        void **function;
    } more[] = {
        {"nvmlSystemGetDriverVersion", (void **)&n->driver},
        {"nvmlDeviceGetMaxClockInfo", (void **)&n->max_clock},
        {"nvmlDeviceGetEccMode", (void **)&n->ecc},
        {"nvmlDeviceGetMigMode", (void **)&n->mig},
        {"nvmlDeviceGetEnforcedPowerLimit", (void **)&n->power_limit},
        {"nvmlDeviceGetComputeRunningProcesses_v3", (void **)&n->processes},
    };
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++)
        *more[i].function = library_function(library, path, more[i].name, NULL);
    return true;
}

/* False with `why` when a call did not succeed. */
static bool nvml_ok(const struct nvml *n, int result, const char *attempted, char why[256])
{
    if (result != NVML_OK)
        snprintf(why, 256, "NVML failed while %s: %s (result %d)", attempted, n->words(result),
                 result);
    return result == NVML_OK;
}

struct nvml *nvml_open(const char *pci_address, char why[256])
{
    static const char *const names[] = {"libnvidia-ml.so.1", "libnvidia-ml.so", NULL};
    char path[LIBRARY_PATH_SIZE];
    struct error e = {0};
    struct nvml *n = xcalloc(1, sizeof *n);
    void *library = library_open(names, "REDSWEEP_NVML", path, &e);
    if (!library || !find_functions(n, library, path, &e)) {
        snprintf(why, 256, "%.255s", e.text);
        free(n);
        return NULL;
    }
    if (!nvml_ok(n, n->init(), "starting", why)) {
        free(n);
        return NULL;
    }
    if (!nvml_ok(n, n->find(pci_address, &n->device), "looking for the GPU", why)) {
        nvml_close(n);
        return NULL;
    }
    return n;
}

void nvml_close(struct nvml *n)
{
    if (n)
        (void)n->shutdown();
    free(n);
}

/* A reading, NaN when it was refused. */
static double reading(int result, unsigned value, double parts, bool *any)
{
    *any |= result == NVML_OK;
    return result == NVML_OK ? value / parts : NAN;
}

void nvml_read(struct nvml *n, struct device_health *out)
{
    unsigned value = 0;
    unsigned long long bits = 0;
    bool any = false;
    *out = (struct device_health){0};
    int result = n->clock(n->device, CLOCK_SM, &value);
    out->sm_clock_mhz = reading(result, value, 1, &any);
    result = n->clock(n->device, CLOCK_MEMORY, &value);
    out->memory_clock_mhz = reading(result, value, 1, &any);
    result = n->power(n->device, &value);
    out->power_w = reading(result, value, 1000, &any);
    result = n->temperature(n->device, SENSOR_GPU, &value);
    out->temperature_c = reading(result, value, 1, &any);
    if (n->throttle(n->device, &bits) == NVML_OK) {
        any = true;
        for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
            if (bits & reasons[i].bit)
                out->throttle |= reasons[i].reason;
    }
    out->known = any;
}

void nvml_settings(struct nvml *n, struct nvml_settings *out)
{
    enum { CLOCKS_SET = 0x02, TOO_SMALL = 7 };
    unsigned value = 0, pending;
    int mode = 0, next;
    unsigned long long bits = 0;
    *out = (struct nvml_settings){"", -1, -1, -1, -1, -1, -1, -1};
    if (n->driver && n->driver(out->driver, sizeof out->driver) != NVML_OK)
        out->driver[0] = '\0';
    if (n->clock(n->device, CLOCK_SM, &value) == NVML_OK)
        out->sm_clock_mhz = (int)value;
    if (n->max_clock && n->max_clock(n->device, CLOCK_SM, &value) == NVML_OK)
        out->max_clock_mhz = (int)value;
    if (n->throttle(n->device, &bits) == NVML_OK)
        out->clocks_set = (bits & CLOCKS_SET) != 0;
    if (n->ecc && n->ecc(n->device, &mode, &next) == NVML_OK)
        out->ecc = mode;
    if (n->mig && n->mig(n->device, &value, &pending) == NVML_OK)
        out->mig = (int)value;
    if (n->power_limit && n->power_limit(n->device, &value) == NVML_OK)
        out->power_limit_w = (int)(value / 1000);
    value = 0; /* without room for them, only how many there are */
    int result = n->processes ? n->processes(n->device, &value, NULL) : -1;
    if (result == NVML_OK || result == TOO_SMALL)
        out->processes = (int)value;
}
