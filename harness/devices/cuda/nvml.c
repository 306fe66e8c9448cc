/*
 * Implements nvml.h. The constants come from NVIDIA's NVML API Reference Guide: nvmlReturn_t,
 * nvmlClockType_t, nvmlTemperatureSensors_t and "NvmlClocksEventReasons".
 */
#include "devices/cuda/nvml.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/library.h"
#include "base/memory.h"

enum {
    NVML_OK = 0,
    NOT_SUPPORTED = 3,
    TOO_SMALL = 7,
    CLOCK_SM = 1,
    CLOCK_MEMORY = 2,
    SENSOR_GPU = 0
};

/* NVML's bits for the reasons why a GPU is throttled. The bits for an idle GPU and for clocks set
 * by the user are ignored. */
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
    char pci[32];
    /* not needed by nvml_read(); NULL if this version of NVML lacks them */
    int (*driver)(char *version, unsigned size);
    int (*max_clock)(nvml_device device, int type, unsigned *mhz);
    int (*ecc)(nvml_device device, int *current, int *pending);
    int (*ecc_errors)(nvml_device device, int uncorrected, int since_ever, unsigned long long *out);
    int (*remapped)(nvml_device device, unsigned *corrected, unsigned *uncorrected, int *pending,
                    int *failed);
    int (*retired)(nvml_device device, int double_bit, unsigned *count, unsigned long long *pages);
    int (*mig)(nvml_device device, unsigned *current, unsigned *pending);
    int (*persistence)(nvml_device device, int *mode);
    int (*compute_mode)(nvml_device device, int *mode);
    int (*vbios)(nvml_device device, char *version, unsigned size);
    int (*power_limit)(nvml_device device, unsigned *milliwatts);
    int (*power_default)(nvml_device device, unsigned *milliwatts);
    int (*pcie_generation)(nvml_device device, unsigned *out);
    int (*pcie_generation_max)(nvml_device device, unsigned *out);
    int (*pcie_width)(nvml_device device, unsigned *out);
    int (*pcie_width_max)(nvml_device device, unsigned *out);
    int (*processes)(nvml_device device, unsigned *count, void *infos);
    /* used by nvml_energy(); NULL if the driver is too old */
    int (*energy)(nvml_device device, unsigned long long *millijoules);
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
        {"nvmlDeviceGetTotalEccErrors", (void **)&n->ecc_errors},
        {"nvmlDeviceGetRemappedRows", (void **)&n->remapped},
        {"nvmlDeviceGetRetiredPages", (void **)&n->retired},
        {"nvmlDeviceGetPersistenceMode", (void **)&n->persistence},
        {"nvmlDeviceGetComputeMode", (void **)&n->compute_mode},
        {"nvmlDeviceGetVbiosVersion", (void **)&n->vbios},
        {"nvmlDeviceGetEnforcedPowerLimit", (void **)&n->power_limit},
        {"nvmlDeviceGetPowerManagementDefaultLimit", (void **)&n->power_default},
        {"nvmlDeviceGetCurrPcieLinkGeneration", (void **)&n->pcie_generation},
        {"nvmlDeviceGetMaxPcieLinkGeneration", (void **)&n->pcie_generation_max},
        {"nvmlDeviceGetCurrPcieLinkWidth", (void **)&n->pcie_width},
        {"nvmlDeviceGetMaxPcieLinkWidth", (void **)&n->pcie_width_max},
        {"nvmlDeviceGetComputeRunningProcesses_v3", (void **)&n->processes},
        {"nvmlDeviceGetTotalEnergyConsumption", (void **)&n->energy},
    };
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++)
        *more[i].function = library_function(library, path, more[i].name, NULL);
    return true;
}

/* Returns whether `result` is NVML_OK. If not, writes a sentence about the failed call to `why`. */
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
    snprintf(n->pci, sizeof n->pci, "%s", pci_address);
    return n;
}

void nvml_close(struct nvml *n)
{
    if (n)
        (void)n->shutdown();
    free(n);
}

/* Returns value / parts, or NaN if `result` says that the call to NVML failed. Sets *any to true if
 * it succeeded. */
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

/* Returns the number that the NVML function `ask` reports, or −1 if it is missing or fails. */
static int64_t answer(int (*ask)(nvml_device, unsigned *), nvml_device device)
{
    unsigned value = 0;
    return ask && ask(device, &value) == NVML_OK ? (int64_t)value : -1;
}

static int64_t answer_mode(int (*ask)(nvml_device, int *), nvml_device device)
{
    int mode = 0;
    return ask && ask(device, &mode) == NVML_OK ? mode : -1;
}

static void read_memory_errors(struct nvml *n, struct card_state *out)
{
    unsigned long long errors = 0;
    unsigned corrected = 0, uncorrected = 0, count;
    int mode = 0, next = 0, pending = 0, failed = 0;
    if (n->ecc && n->ecc(n->device, &mode, &next) == NVML_OK)
        out->ecc = mode;
    if (n->ecc_errors && n->ecc_errors(n->device, 0, 0, &errors) == NVML_OK)
        out->ecc_corrected = (int64_t)errors;
    if (n->ecc_errors && n->ecc_errors(n->device, 1, 0, &errors) == NVML_OK)
        out->ecc_uncorrected = (int64_t)errors;
    if (n->remapped &&
        n->remapped(n->device, &corrected, &uncorrected, &pending, &failed) == NVML_OK)
        out->remapped_rows = (int64_t)corrected + uncorrected;
    for (int double_bit = 0; n->retired && double_bit < 2; double_bit++) {
        count = 0; /* without an array, NVML returns only the number of entries */
        int result = n->retired(n->device, double_bit, &count, NULL);
        if (result == NVML_OK || result == TOO_SMALL)
            out->retired_pages = (out->retired_pages > 0 ? out->retired_pages : 0) + count;
    }
}

bool nvml_energy(struct nvml *n, uint64_t *mj, char why[256])
{
    unsigned long long total = 0;
    unsigned mig = 0, pending;
    if (!n->energy) {
        snprintf(why, 256,
                 "this NVML has no nvmlDeviceGetTotalEnergyConsumption; update the driver");
        return false;
    }
    if (n->mig && n->mig(n->device, &mig, &pending) == NVML_OK && mig) {
        snprintf(why, 256,
                 "MIG is on, but NVML measures only the energy of a whole card; turn MIG off");
        return false;
    }
    int result = n->energy(n->device, &total);
    if (result == NOT_SUPPORTED) {
        snprintf(why, 256,
                 "this GPU has no energy counter; use a GPU of the Volta architecture or newer");
        return false;
    }
    *mj = total;
    return nvml_ok(n, result, "reading the energy", why);
}

static int64_t numa_node_of(const char *pci)
{
    char path[128];
    int node;
    snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/numa_node", pci);
    FILE *f = fopen(path, "r");
    if (!f)
        return -1;
    bool read = fscanf(f, "%d", &node) == 1;
    fclose(f);
    return read ? node : -1;
}

void nvml_card(struct nvml *n, struct card_state *out)
{
    unsigned value = 0, pending;
    card_state_clear(out);
    snprintf(out->pci, sizeof out->pci, "%s", n->pci);
    if (n->vbios && n->vbios(n->device, out->vbios, sizeof out->vbios) != NVML_OK)
        out->vbios[0] = '\0';
    read_memory_errors(n, out);
    if (n->mig && n->mig(n->device, &value, &pending) == NVML_OK)
        out->mig = value;
    out->persistence = answer_mode(n->persistence, n->device);
    out->compute_mode = answer_mode(n->compute_mode, n->device);
    int64_t limit = answer(n->power_limit, n->device), most = answer(n->power_default, n->device);
    out->power_limit_w = limit < 0 ? -1 : limit / 1000;
    out->power_limit_default_w = most < 0 ? -1 : most / 1000;
    out->pcie_generation = answer(n->pcie_generation, n->device);
    out->pcie_generation_max = answer(n->pcie_generation_max, n->device);
    out->pcie_width = answer(n->pcie_width, n->device);
    out->pcie_width_max = answer(n->pcie_width_max, n->device);
    value = 0;
    int result = n->processes ? n->processes(n->device, &value, NULL) : -1;
    /* The list normally includes this process. If it is empty, NVML cannot see this process, for
     * example in a container. */
    if (result == NVML_OK || result == TOO_SMALL)
        out->other_processes = value > 0 ? (int64_t)value - 1 : 0;
    out->numa_node = numa_node_of(n->pci);
}

void nvml_settings(struct nvml *n, struct nvml_settings *out)
{
    enum { CLOCKS_SET = 0x02 };
    unsigned value = 0;
    unsigned long long bits = 0;
    *out = (struct nvml_settings){.sm_clock_mhz = -1, .max_clock_mhz = -1, .clocks_set = -1};
    nvml_card(n, &out->card);
    if (n->driver && n->driver(out->driver, sizeof out->driver) != NVML_OK)
        out->driver[0] = '\0';
    if (n->clock(n->device, CLOCK_SM, &value) == NVML_OK)
        out->sm_clock_mhz = (int)value;
    if (n->max_clock && n->max_clock(n->device, CLOCK_SM, &value) == NVML_OK)
        out->max_clock_mhz = (int)value;
    if (n->throttle(n->device, &bits) == NVML_OK)
        out->clocks_set = (bits & CLOCKS_SET) != 0;
}
