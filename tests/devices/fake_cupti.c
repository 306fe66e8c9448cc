/*
 * A fake CUPTI: a shared library that tests load through $REDSWEEP_CUPTI.
 *
 * The fake enforces rules that CUPTI's documentation states or that the real CUPTI was seen to
 * enforce. A call that breaks a rule returns 7. An image must be initialised before use and sized
 * for the schedule's counters. Ranges must not nest. A pass must be started and stopped. Ranges
 * with the same name are merged. Adding a counter with a wrong name makes the host object unusable.
 * The fake returns ranges in reverse order, because the real CUPTI may return them in any order.
 *
 * Environment variables:
 *   FAKE_CUPTI_FAIL    "cuptiRangeProfilerStart:35": this function returns the result 35
 *   FAKE_CUPTI_LEVEL   "vGpu=2": the answer of cuptiProfilerDeviceSupported (2: disabled)
 *   FAKE_CUPTI_PASSES  the number of passes of every schedule, default 1
 *   FAKE_CUPTI_DROP    the number of ranges that the fake reports as dropped
 *   FAKE_CUPTI_CHIP    the chip's name, default FAKE1
 *   FAKE_CUPTI_VERSION the version of the library, default 130001
 * Tests read fake_cupti_log, which has one letter per call (E enable, D disable, I image,
 * C config, S start, P push, p pop, s stop, d decode).
 *
 * Values are made up, unless the program has a fake GPU (fake_cuda.h), which then provides the
 * counters and their values.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/cuda/cupti_library.h"

enum { MAX_RANGES = 2048 };

/* these functions are NULL in a program without the fake GPU */
extern bool fake_cuda_has_counter(const char *name) __attribute__((weak));
extern void fake_cuda_begin_range(int range) __attribute__((weak));
extern void fake_cuda_end_range(int range) __attribute__((weak));
extern double fake_cuda_counter(int range, const char *name) __attribute__((weak));

extern char fake_cupti_log[1 << 14];
char fake_cupti_log[1 << 14];

static struct {
    bool enabled, sized, image_ready, configured, started, pushed, availability_told;
    size_t capacity, passes_run;
    int names[MAX_RANGES], current;
    size_t range_count;
    uint64_t sized_for; /* the hash of the counters for which the image was sized */
} state;

/* a host object and its config image */
struct host {
    bool spoilt;
    uint64_t counters;
};

struct config_image {
    char word[4];
    uint64_t counters;
};

/* Returns a hash of the names and their order (FNV-1a). */
static uint64_t add_names(uint64_t hash, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (const char *c = names[i];; c++) {
            hash = (hash ^ (unsigned char)*c) * 0x100000001b3;
            if (!*c)
                break;
        }
    return hash;
}

/* Resets the fake to its state in a new process. */
void fake_cupti_reset(void);
void fake_cupti_reset(void)
{
    memset(&state, 0, sizeof state);
    memset(fake_cupti_log, 0, sizeof fake_cupti_log);
}

/* Returns the number after "name<separator>" in an environment variable, or −1. */
static int setting(const char *variable, const char *name, char separator)
{
    const char *text = getenv(variable);
    size_t length = strlen(name);
    if (!text || strncmp(text, name, length) != 0 || text[length] != separator)
        return -1;
    return atoi(text + length + 1);
}

static size_t passes_wanted(void)
{
    const char *text = getenv("FAKE_CUPTI_PASSES");
    return text ? (size_t)atoi(text) : 1;
}

static const char *chip_name(void)
{
    const char *name = getenv("FAKE_CUPTI_CHIP");
    return name ? name : "FAKE1";
}

static void log_call(char letter)
{
    size_t used = strlen(fake_cupti_log);
    if (used + 1 < sizeof fake_cupti_log)
        fake_cupti_log[used] = letter;
}

/*
 * The first statement of every function. Returns the result that FAKE_CUPTI_FAIL names for this
 * function, or an error if `rule` is false.
 */
#define BEGIN(letter, rule)                                                                        \
    do {                                                                                           \
        if (letter)                                                                                \
            log_call(letter);                                                                      \
        int injected = setting("FAKE_CUPTI_FAIL", __func__, ':');                                  \
        if (injected >= 0)                                                                         \
            return (CUptiResult)injected;                                                          \
        if (!(rule))                                                                               \
            return CUPTI_ERROR_INVALID_OPERATION;                                                  \
    } while (0)

CUptiResult cuptiGetVersion(uint32_t *version)
{
    BEGIN(0, true);
    const char *given = getenv("FAKE_CUPTI_VERSION");
    *version = given ? (uint32_t)atoi(given) : 130001;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiGetErrorMessage(CUptiResult result, const char **message)
{
    *message = result == CUPTI_ERROR_INVALID_OPERATION ? "a rule of the fake was broken" : "fake";
    return CUPTI_SUCCESS;
}

CUptiResult cuptiDeviceGetChipName(CUpti_Device_GetChipName_Params *p)
{
    BEGIN(0, true);
    p->pChipName = chip_name();
    return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerInitialize(CUpti_Profiler_Initialize_Params *p)
{
    BEGIN(0, p->structSize > 0);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerDeviceSupported(CUpti_Profiler_DeviceSupported_Params *p)
{
    BEGIN(0, p->api == CUPTI_PROFILER_RANGE_PROFILING);
    CUpti_Profiler_Support_Level *levels[] = {&p->architecture, &p->vGpu, &p->confidentialCompute,
                                              &p->cmp,          &p->wsl,  &p->sli};
    const char *names[] = {"architecture", "vGpu", "confidentialCompute", "cmp", "wsl", "sli"};
    p->isSupported = CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
    for (int i = 0; i < 6; i++) {
        int level = setting("FAKE_CUPTI_LEVEL", names[i], '=');
        *levels[i] = CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
        if (level >= 0) {
            *levels[i] = (CUpti_Profiler_Support_Level)level;
            p->isSupported = CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
        }
    }
    return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerGetCounterAvailability(CUpti_Profiler_GetCounterAvailability_Params *p)
{
    BEGIN(0, !state.enabled);
    if (p->pCounterAvailabilityImage) {
        memcpy(p->pCounterAvailabilityImage, "AVAILABL", 8);
        state.availability_told = true;
    }
    p->counterAvailabilityImageSize = 8;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostInitialize(CUpti_Profiler_Host_Initialize_Params *p)
{
    /* A caller that has requested the GPU's list of available counters must pass it here. */
    BEGIN(0,
          !state.availability_told || (p->pCounterAvailabilityImage &&
                                       memcmp(p->pCounterAvailabilityImage, "AVAILABL", 8) == 0));
    if (strcmp(p->pChipName, chip_name()) != 0)
        return (CUptiResult)CUPTI_INVALID_CHIP_NAME;
    p->pHostObject = calloc(1, sizeof(struct host));
    return p->pHostObject ? CUPTI_SUCCESS : CUPTI_ERROR_OUT_OF_MEMORY;
}

CUptiResult cuptiProfilerHostDeinitialize(CUpti_Profiler_Host_Deinitialize_Params *p)
{
    free(p->pHostObject);
    BEGIN(0, true);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostGetSupportedChips(CUpti_Profiler_Host_GetSupportedChips_Params *p)
{
    static const char *const chips[] = {"FAKE1"};
    BEGIN(0, true);
    p->numChips = 1;
    p->ppChipNames = chips;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostGetBaseMetrics(CUpti_Profiler_Host_GetBaseMetrics_Params *p)
{
    static const char *names[] = {"fake__first", "fake__second"};
    BEGIN(0, true);
    p->ppMetricNames = names;
    p->numMetrics = 2;
    return CUPTI_SUCCESS;
}

static bool is_known(const char *name)
{
    return (fake_cuda_has_counter && fake_cuda_has_counter(name)) ||
           strcmp(name, "fake__first.sum") == 0 || strcmp(name, "fake__second.sum") == 0;
}

CUptiResult cuptiProfilerHostGetMetricProperties(CUpti_Profiler_Host_GetMetricProperties_Params *p)
{
    BEGIN(0, is_known(p->pMetricName));
    p->pDescription = "a fake counter";
    p->pDimUnit = "fakes";
    return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostConfigAddMetrics(CUpti_Profiler_Host_ConfigAddMetrics_Params *p)
{
    struct host *host = (struct host *)p->pHostObject;
    BEGIN(0, true);
    if (host->spoilt)
        return CUPTI_ERROR_UNKNOWN;
    for (size_t i = 0; i < p->numMetrics; i++)
        if (!is_known(p->ppMetricNames[i])) {
            host->spoilt = true;
            return CUPTI_ERROR_INVALID_PARAMETER;
        }
    host->counters = add_names(host->counters, p->ppMetricNames, p->numMetrics);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostGetConfigImageSize(CUpti_Profiler_Host_GetConfigImageSize_Params *p)
{
    BEGIN(0, true);
    p->configImageSize = sizeof(struct config_image);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostGetConfigImage(CUpti_Profiler_Host_GetConfigImage_Params *p)
{
    BEGIN(0, p->configImageSize == sizeof(struct config_image));
    const struct host *host = (const struct host *)p->pHostObject;
    struct config_image image = {.word = "CONF", .counters = host->counters};
    memcpy(p->pConfigImage, &image, sizeof image);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostGetNumOfPasses(CUpti_Profiler_Host_GetNumOfPasses_Params *p)
{
    BEGIN(0, memcmp(p->pConfigImage, "CONF", 4) == 0);
    p->numOfPasses = passes_wanted();
    return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostGetRangeName(CUpti_Profiler_Host_GetRangeName_Params *p)
{
    BEGIN(0, p->rangeIndex < state.range_count);
    char *name = malloc(16);
    if (!name)
        return CUPTI_ERROR_OUT_OF_MEMORY;
    snprintf(name, 16, "%d", state.names[state.range_count - 1 - p->rangeIndex]);
    p->pRangeName = name;
    return CUPTI_SUCCESS;
}

/* Sets counter j of range r to 100·r + j, unless the fake GPU has a value for it. */
CUptiResult cuptiProfilerHostEvaluateToGpuValues(CUpti_Profiler_Host_EvaluateToGpuValues_Params *p)
{
    BEGIN(0, p->rangeIndex < state.range_count && p->pHostObject);
    int name = state.names[state.range_count - 1 - p->rangeIndex];
    for (size_t j = 0; j < p->numMetrics; j++)
        p->pMetricValues[j] = fake_cuda_has_counter && fake_cuda_has_counter(p->ppMetricNames[j])
                                  ? fake_cuda_counter(name, p->ppMetricNames[j])
                                  : 100.0 * name + (double)j;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerEnable(CUpti_RangeProfiler_Enable_Params *p)
{
    BEGIN('E', !state.enabled);
    /*
     * The list of available counters belongs to the GPU, so a new session need not request it
     * again.
     */
    bool told = state.availability_told;
    memset(&state, 0, sizeof state);
    state.availability_told = told;
    state.enabled = true;
    state.sized = false;
    p->pRangeProfilerObject = (CUpti_RangeProfiler_Object *)&state;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerDisable(CUpti_RangeProfiler_Disable_Params *p)
{
    state.enabled = false;
    BEGIN('D', p->pRangeProfilerObject && !state.started);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerGetCounterDataSize(CUpti_RangeProfiler_GetCounterDataSize_Params *p)
{
    BEGIN('z', state.enabled && !state.sized && p->maxNumRangeTreeNodes >= p->maxNumOfRanges);
    state.capacity = p->maxNumOfRanges;
    state.sized = true;
    state.sized_for = add_names(0, p->pMetricNames, p->numMetrics);
    p->counterDataSize = 64 * p->maxNumOfRanges;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerCounterDataImageInitialize(
    CUpti_RangeProfiler_CounterDataImage_Initialize_Params *p)
{
    /* The real CUPTI crashes if the image was not sized. */
    BEGIN('I', state.sized && p->counterDataSize >= 64);
    memset(p->pCounterData, 0, p->counterDataSize); /* the image must have this size */
    state.image_ready = true;
    state.range_count = 0;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerSetConfig(CUpti_RangeProfiler_SetConfig_Params *p)
{
    struct config_image config = {0};
    if (p->configSize == sizeof config)
        memcpy(&config, p->pConfig, sizeof config);
    BEGIN('C', state.image_ready && p->range == CUPTI_UserRange &&
                   p->replayMode == CUPTI_UserReplay && p->numNestingLevels == 1 &&
                   p->minNestingLevel == 1 && p->targetNestingLevel == 1 && p->passIndex == 0 &&
                   p->counterDataImageSize == 64 * p->maxRangesPerPass &&
                   memcmp(config.word, "CONF", 4) == 0 && config.counters == state.sized_for);
    state.capacity = p->maxRangesPerPass;
    state.configured = true;
    state.passes_run = 0;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerStart(CUpti_RangeProfiler_Start_Params *p)
{
    BEGIN('S', p->pRangeProfilerObject && state.configured && !state.started);
    state.started = true;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerStop(CUpti_RangeProfiler_Stop_Params *p)
{
    bool rule = state.started && !state.pushed;
    state.started = false;
    BEGIN('s', rule);
    p->isAllPassSubmitted = ++state.passes_run >= passes_wanted();
    return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerPushRange(CUpti_RangeProfiler_PushRange_Params *p)
{
    BEGIN('P', state.started && !state.pushed);
    state.pushed = true;
    int name = atoi(p->pRangeName);
    if (fake_cuda_begin_range)
        fake_cuda_begin_range(name);
    state.current = name;
    for (size_t i = 0; i < state.range_count; i++)
        if (state.names[i] == name)
            return CUPTI_SUCCESS; /* ranges with the same name are one range */
    if (state.range_count == state.capacity || state.range_count == MAX_RANGES)
        return CUPTI_ERROR_MAX_LIMIT_REACHED;
    state.names[state.range_count++] = name;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerPopRange(CUpti_RangeProfiler_PopRange_Params *p)
{
    bool rule = p->pRangeProfilerObject && state.pushed;
    state.pushed = false;
    if (fake_cuda_end_range)
        fake_cuda_end_range(state.current);
    BEGIN('p', rule);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerDecodeData(CUpti_RangeProfiler_DecodeData_Params *p)
{
    BEGIN('d', !state.started && state.passes_run == passes_wanted());
    const char *dropped = getenv("FAKE_CUPTI_DROP");
    p->numOfRangeDropped = dropped ? (size_t)atoi(dropped) : 0;
    state.image_ready = false; /* the image must be initialised again before its next use */
    state.configured = false;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerGetCounterDataInfo(CUpti_RangeProfiler_GetCounterDataInfo_Params *p)
{
    BEGIN(0, true);
    p->numTotalRanges = state.range_count;
    return CUPTI_SUCCESS;
}
