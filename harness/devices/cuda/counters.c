/* Implements counters.h with the help of cupti_host.c and cupti_range.c. This file opens CUPTI,
 * finds out why counters are not available, and caches the answers of counters_has(). */
#include "devices/cuda/counters.h"

#include "devices/cuda/runtime.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/vec.h"
#include "devices/cuda/cupti_host.h"
#include "devices/cuda/cupti_library.h"
#include "devices/cuda/cupti_range.h"

/* a cached answer of counters_has() */
struct known_counter {
    char *name;
    char *why; /* NULL if the chip has the counter */
};

struct counters {
    struct cupti library;
    bool library_open;
    char missing[512];
    struct counter_chip chip;
    bool chip_known;
    struct known_counter *known;
    int known_count;
    struct counter_set set; /* the most recently used set */
    struct range_session session;
};

/* Looks up a CUDA driver function at run time, because the program is not linked to the driver. */
static void *driver_function(const char *name)
{
    void *function = NULL;
    enum cudaDriverEntryPointQueryResult found;
    cudaError_t result =
        cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &found);
    return result == cudaSuccess && found == cudaDriverEntryPointSuccess ? function : NULL;
}

static bool find_context(struct counters *c)
{
    CUresult (*get_current)(CUcontext *) =
        (CUresult(*)(CUcontext *))driver_function("cuCtxGetCurrent");
    if (get_current && get_current(&c->session.context) == CUDA_SUCCESS && c->session.context)
        return true;
    snprintf(
        c->missing, sizeof c->missing,
        "the CUDA driver has no current context in which to count (this is a bug in redsweep)");
    return false;
}

static bool missing_because(struct counters *c, CUptiResult result, const char *doing)
{
    if (result == CUPTI_SUCCESS)
        return true;
    cupti_explain(&c->library, result, doing, c->missing, sizeof c->missing);
    return false;
}

/*
 * Checks whether CUPTI supports the device. CUPTI does not return a single result code, but says
 * for each of several conditions, such as the GPU's architecture or virtualization, whether it is
 * supported. If one is not, the reason to report is the explanation of the corresponding result
 * code. Otherwise, later calls will show whether profiling works. p.cuDevice is the device's
 * ordinal, because that is what a CUdevice is.
 */
static bool check_support(struct counters *c, int ordinal)
{
    CUPTI_PARAMS(CUpti_Profiler_DeviceSupported, p);
    p.cuDevice = ordinal;
    p.api = CUPTI_PROFILER_RANGE_PROFILING;
    CUptiResult result = c->library.cuptiProfilerDeviceSupported(&p);
    if (!missing_because(c, result, "asking whether the GPU can be profiled"))
        return false;
    if (p.isSupported == CUPTI_PROFILER_CONFIGURATION_SUPPORTED)
        return true;
    const struct {
        CUpti_Profiler_Support_Level level;
        int result;
    } reasons[] = {
        {p.architecture, CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED},
        {p.vGpu, p.vGpu == CUPTI_PROFILER_CONFIGURATION_DISABLED
                     ? CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES
                     : CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED},
        {p.confidentialCompute, CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED},
        {p.cmp, CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED},
        {p.wsl, CUPTI_WSL},
        {p.sli, CUPTI_SLI},
    };
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (reasons[i].level == CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED ||
            reasons[i].level == CUPTI_PROFILER_CONFIGURATION_DISABLED)
            return missing_because(c, (CUptiResult)reasons[i].result,
                                   "asking whether the GPU can be profiled");
    return true;
}

/* Reads which counters the GPU offers. Must be called before the profiler is enabled, because CUPTI
 * cannot answer afterwards. */
static bool read_availability(struct counters *c)
{
    CUPTI_PARAMS(CUpti_Profiler_GetCounterAvailability, p);
    p.ctx = c->session.context;
    static const char doing[] = "asking which counters the GPU offers";
    if (!missing_because(c, c->library.cuptiProfilerGetCounterAvailability(&p), doing))
        return false;
    c->chip.availability = xmalloc(p.counterAvailabilityImageSize);
    p.pCounterAvailabilityImage = c->chip.availability;
    return missing_because(c, c->library.cuptiProfilerGetCounterAvailability(&p), doing);
}

static bool read_chip_name(struct counters *c, int ordinal)
{
    CUPTI_PARAMS(CUpti_Device_GetChipName, p);
    p.deviceIndex = (size_t)ordinal;
    CUptiResult result = c->library.cuptiDeviceGetChipName(&p);
    if (!missing_because(c, result, "asking for the chip's name"))
        return false;
    snprintf(c->chip.name, sizeof c->chip.name, "%s", p.pChipName);
    c->chip_known = true;
    return true;
}

/* Opens CUPTI for a GPU, and tries whether it can count. A run can then report any problem before
 * it starts. */
static void open_device(struct counters *c, int ordinal)
{
    CUPTI_PARAMS(CUpti_Profiler_Initialize, p);
    if (!missing_because(c, c->library.cuptiProfilerInitialize(&p), "starting CUPTI") ||
        !read_chip_name(c, ordinal) || !check_support(c, ordinal) || !find_context(c) ||
        !read_availability(c))
        return;
    struct error e = {0};
    if (!range_session_try(&c->session, &e))
        snprintf(c->missing, sizeof c->missing, "%.*s", (int)sizeof c->missing - 1, e.text);
    memset(&c->session.cost, 0, sizeof c->session.cost);
}

struct counters *counters_open(int cuda_device_ordinal, const char *chip)
{
    struct counters *c = xcalloc(1, sizeof *c);
    c->chip.library = &c->library;
    c->session.chip = &c->chip;
    struct error why = {0};
    c->library_open = cupti_open(&c->library, &why);
    if (!c->library_open) {
        snprintf(c->missing, sizeof c->missing, "%.*s", (int)sizeof c->missing - 1, why.text);
        return c;
    }
    if (cuda_device_ordinal >= 0) {
        open_device(c, cuda_device_ordinal);
        return c;
    }
    /* This call fails without a driver, but CUPTI's host API still works. */
    CUPTI_PARAMS(CUpti_Profiler_Initialize, p);
    c->library.cuptiProfilerInitialize(&p);
    snprintf(c->chip.name, sizeof c->chip.name, "%s", chip ? chip : "");
    c->chip_known = c->chip.name[0] != '\0';
    return c;
}

void counters_close(struct counters *c)
{
    if (!c)
        return;
    range_session_close(&c->session);
    counter_set_close(&c->chip, &c->set);
    for (int i = 0; i < c->known_count; i++) {
        free(c->known[i].name);
        free(c->known[i].why);
    }
    free(c->known);
    free(c->chip.availability);
    free(c);
}

const char *counters_chip(const struct counters *c)
{
    return c->chip.name;
}

const char *counters_library(const struct counters *c)
{
    return c->library_open ? c->library.version : "";
}

const char *counters_missing(const struct counters *c)
{
    return c->missing;
}

struct counters_cost counters_cost(const struct counters *c)
{
    return c->session.cost;
}

bool counters_chips(const struct counters *c, const char *const **names, int *count,
                    struct error *e)
{
    if (!c->library_open)
        return FAIL_LINES(e, ERROR_UNSUPPORTED, "%s", c->missing);
    CUPTI_PARAMS(CUpti_Profiler_Host_GetSupportedChips, p);
    CUptiResult result = c->library.cuptiProfilerHostGetSupportedChips(&p);
    if (result != CUPTI_SUCCESS)
        return cupti_fail(&c->library, result, "listing the chips", e);
    *names = p.ppChipNames;
    *count = (int)p.numChips;
    return true;
}

/* Caches the answer of counters_has() for a counter. */
static void remember(struct counters *c, const char *name, const char *why)
{
    array_push(c->known, c->known_count,
               (struct known_counter){xstrdup(name), why ? xstrdup(why) : NULL});
}

bool counters_has(struct counters *c, const char *counter, char why[256])
{
    if (!c->library_open || !c->chip_known) {
        snprintf(why, 256, "%.255s", c->missing[0] ? c->missing : "unknown chip");
        return false;
    }
    for (int i = 0; i < c->known_count; i++)
        if (strcmp(c->known[i].name, counter) == 0) {
            if (c->known[i].why)
                snprintf(why, 256, "%s", c->known[i].why);
            return !c->known[i].why;
        }
    bool has = counter_exists(&c->chip, counter, why);
    remember(c, counter, has ? NULL : why);
    return has;
}

bool counters_describe(struct counters *c, const char *counter, char description[256],
                       char unit[64])
{
    return c->library_open && c->chip_known &&
           counter_describe(&c->chip, counter, description, unit);
}

/* Makes the set of these counters the current set, c->set. */
static bool use_set(struct counters *c, const char *const *names, int count, struct error *e)
{
    if (!c->library_open || !c->chip_known)
        return FAIL(e, ERROR_UNSUPPORTED, "%s", c->missing[0] ? c->missing : "unknown chip");
    if (counter_set_is(&c->set, names, count))
        return true;
    range_session_forget(&c->session);
    counter_set_close(&c->chip, &c->set);
    return counter_set_open(&c->chip, names, count, &c->set, e);
}

int counters_passes(struct counters *c, const char *const *names, int count)
{
    return use_set(c, names, count, NULL) ? c->set.passes : 0;
}

bool counters_measure(struct counters *c, const char *const *names, int count, int range_count,
                      counters_step *prepare, counters_step *launch, void *context, double *values,
                      struct error *e)
{
    if (c->missing[0])
        return FAIL_LINES(e, ERROR_UNSUPPORTED, "%s", c->missing);
    if (!c->session.context)
        return FAIL(e, ERROR_INTERNAL, "counters were opened without a device");
    double since = clock_now_s();
    if (!use_set(c, names, count, e))
        return false;
    c->session.cost.set_up_s += clock_now_s() - since;
    struct range_job job = {.set = &c->set,
                            .range_count = range_count,
                            .prepare = prepare,
                            .launch = launch,
                            .context = context,
                            .values = values};
    return range_session_measure(&c->session, &job, e);
}
