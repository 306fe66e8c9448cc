/*
 * Implements cupti_range.h. NVIDIA's documentation of the CUPTI Range Profiling API prescribes this
 * order of calls:
 *
 *   enable → size and initialize the image → set the config → per pass: start → per range: prepare,
 *   push, launch, pop → stop → decode → evaluate each range → disable
 *
 * CUPTI merges ranges of the same name, so the name of each range is its number. In the image,
 * ranges may be in any order.
 */
#include "devices/cuda/cupti_range.h"
#include "base/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Adds the time that has passed since *since to *sum, and sets *since to the current time. */
static void book(double *sum, double *since)
{
    double now = clock_now_s();
    *sum += now - *since;
    *since = now;
}

/*
 * Enables the profiler, unless it is enabled. It stays enabled between measurements, because the
 * first start after enabling it takes 150 ms, and later starts take 10 ms (H200, CUPTI 13.0). It is
 * started only while ranges are measured.
 */
static bool enable(struct range_session *s, struct error *e)
{
    if (s->profiler)
        return true;
    const struct cupti *l = s->chip->library;
    CUPTI_PARAMS(CUpti_RangeProfiler_Enable, p);
    p.ctx = s->context;
    double since = clock_now_s();
    CUptiResult result = l->cuptiRangeProfilerEnable(&p);
    book(&s->cost.enable_s, &since);
    if (result != CUPTI_SUCCESS)
        return cupti_fail(l, result, "acquiring the GPU's counters", e);
    s->profiler = p.pRangeProfilerObject;
    s->sized = false;
    /* Forces size_image() to ask the new profiler object for the size of the image. Otherwise,
     * CUPTI crashes when it initializes the image. */
    s->capacity = 0;
    return true;
}

/* Disables the profiler. `e` is NULL if the caller already has an error to return. */
static bool disable(struct range_session *s, struct error *e)
{
    if (!s->profiler)
        return true;
    const struct cupti *l = s->chip->library;
    CUPTI_PARAMS(CUpti_RangeProfiler_Disable, p);
    p.pRangeProfilerObject = s->profiler;
    s->profiler = NULL;
    double since = clock_now_s();
    CUptiResult result = l->cuptiRangeProfilerDisable(&p);
    book(&s->cost.enable_s, &since);
    return result == CUPTI_SUCCESS || cupti_fail(l, result, "releasing the GPU's counters", e);
}

bool range_session_try(struct range_session *s, struct error *e)
{
    return enable(s, e) && disable(s, e);
}

/*
 * Determines how large the image must be for `capacity` ranges, and allocates it. CUPTI crashes if
 * the same profiler object is asked for a size twice, for other counters or for more ranges, so
 * each question is put to a new object.
 */
static bool size_image(struct range_session *s, const struct counter_set *set, int capacity,
                       struct error *e)
{
    if (s->capacity >= capacity)
        return true;
    if (s->sized && (!disable(s, e) || !enable(s, e)))
        return false;
    s->sized = true;
    const struct cupti *l = s->chip->library;
    CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataSize, p);
    p.pRangeProfilerObject = s->profiler;
    p.pMetricNames = set->names;
    p.numMetrics = (size_t)set->count;
    p.maxNumOfRanges = (size_t)capacity;
    p.maxNumRangeTreeNodes = (uint32_t)capacity;
    s->capacity = 0;
    CUptiResult result = l->cuptiRangeProfilerGetCounterDataSize(&p);
    if (result != CUPTI_SUCCESS)
        return cupti_fail(l, result, "computing the size of its counter data image", e);
    if (p.counterDataSize > s->image_bytes) {
        free(s->image);
        s->image_bytes = 0;
        s->image = malloc(p.counterDataSize);
        if (!s->image)
            return FAIL(e, ERROR_MEMORY,
                        "not enough memory (%zu bytes) for the counters of %d ranges",
                        p.counterDataSize, capacity);
        s->image_bytes = p.counterDataSize;
    }
    s->image_size = p.counterDataSize;
    s->capacity = capacity;
    return true;
}

/* Removes the ranges of earlier measurements from the image, and gives the profiler the schedule of
 * the set's counters. */
static bool configure(struct range_session *s, const struct counter_set *set, struct error *e)
{
    const struct cupti *l = s->chip->library;
    CUPTI_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize, image);
    image.pRangeProfilerObject = s->profiler;
    image.counterDataSize = s->image_size;
    image.pCounterData = s->image;
    CUptiResult result = l->cuptiRangeProfilerCounterDataImageInitialize(&image);
    if (result != CUPTI_SUCCESS)
        return cupti_fail(l, result, "initializing its counter data image", e);

    CUPTI_PARAMS(CUpti_RangeProfiler_SetConfig, p);
    p.pRangeProfilerObject = s->profiler;
    p.configSize = set->config_size;
    p.pConfig = set->config;
    p.counterDataImageSize = s->image_size;
    p.pCounterDataImage = s->image;
    p.range = CUPTI_UserRange;
    p.replayMode = CUPTI_UserReplay;
    p.maxRangesPerPass = (size_t)s->capacity;
    p.numNestingLevels = 1;
    p.minNestingLevel = 1;
    p.passIndex = 0;
    p.targetNestingLevel = 1;
    result = l->cuptiRangeProfilerSetConfig(&p);
    return result == CUPTI_SUCCESS || cupti_fail(l, result, "setting the schedule", e);
}

static bool push(struct range_session *s, const char *name, struct error *e)
{
    CUPTI_PARAMS(CUpti_RangeProfiler_PushRange, p);
    p.pRangeProfilerObject = s->profiler;
    p.pRangeName = name;
    CUptiResult result = s->chip->library->cuptiRangeProfilerPushRange(&p);
    return result == CUPTI_SUCCESS || cupti_fail(s->chip->library, result, "beginning a range", e);
}

static bool pop(struct range_session *s, struct error *e)
{
    CUPTI_PARAMS(CUpti_RangeProfiler_PopRange, p);
    p.pRangeProfilerObject = s->profiler;
    CUptiResult result = s->chip->library->cuptiRangeProfilerPopRange(&p);
    return result == CUPTI_SUCCESS || cupti_fail(s->chip->library, result, "ending a range", e);
}

static bool start(struct range_session *s, struct error *e)
{
    CUPTI_PARAMS(CUpti_RangeProfiler_Start, p);
    p.pRangeProfilerObject = s->profiler;
    CUptiResult result = s->chip->library->cuptiRangeProfilerStart(&p);
    return result == CUPTI_SUCCESS || cupti_fail(s->chip->library, result, "starting a pass", e);
}

static bool stop(struct range_session *s, bool *all_passes, struct error *e)
{
    CUPTI_PARAMS(CUpti_RangeProfiler_Stop, p);
    p.pRangeProfilerObject = s->profiler;
    CUptiResult result = s->chip->library->cuptiRangeProfilerStop(&p);
    *all_passes = p.isAllPassSubmitted != 0;
    return result == CUPTI_SUCCESS || cupti_fail(s->chip->library, result, "ending a pass", e);
}

/* Runs one range of one pass, and ends the range even if its launch fails. */
static bool run_range(struct range_session *s, const struct range_job *job, int range,
                      const char *name, struct error *e)
{
    double since = clock_now_s();
    bool ok = job->prepare(job->context, range, e);
    book(&s->cost.prepare_s, &since);
    if (!ok || !push(s, name, e))
        return false;
    book(&s->cost.push_pop_s, &since);
    ok = job->launch(job->context, range, e);
    book(&s->cost.launch_s, &since);
    bool lost = !ok && e && e->device_lost;
    ok = (lost || pop(s, ok ? e : NULL)) && ok;
    book(&s->cost.push_pop_s, &since);
    s->cost.range_runs++;
    return ok;
}

static bool run_pass(struct range_session *s, const struct range_job *job, int first, int count,
                     bool *all_passes, struct error *e)
{
    double since = clock_now_s();
    if (!start(s, e))
        return false;
    book(&s->cost.start_stop_s, &since);
    bool ok = true;
    for (int i = 0; ok && i < count; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", i);
        ok = run_range(s, job, first + i, name, e);
    }
    since = clock_now_s();
    bool lost = !ok && e && e->device_lost;
    ok = (lost || stop(s, all_passes, ok ? e : NULL)) && ok;
    book(&s->cost.start_stop_s, &since);
    return ok;
}

static bool decode(struct range_session *s, int count, struct error *e)
{
    const struct cupti *l = s->chip->library;
    CUPTI_PARAMS(CUpti_RangeProfiler_DecodeData, p);
    p.pRangeProfilerObject = s->profiler;
    CUptiResult result = l->cuptiRangeProfilerDecodeData(&p);
    if (result != CUPTI_SUCCESS)
        return cupti_fail(l, result, "decoding the counters", e);
    if (p.numOfRangeDropped > 0)
        return FAIL(e, ERROR_INTERNAL, "CUPTI dropped %zu of %d ranges", p.numOfRangeDropped,
                    count);
    CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataInfo, info);
    info.pCounterDataImage = s->image;
    info.counterDataImageSize = s->image_size;
    result = l->cuptiRangeProfilerGetCounterDataInfo(&info);
    if (result != CUPTI_SUCCESS)
        return cupti_fail(l, result, "counting the ranges", e);
    if (info.numTotalRanges != (size_t)count)
        return FAIL(e, ERROR_INTERNAL, "CUPTI recorded %zu of %d ranges", info.numTotalRanges,
                    count);
    return true;
}

/* Returns the number that is the name of the range at `index` in the image. Fails and returns −1 if
 * its name is not a number from 0 to count − 1. */
static int range_number(struct range_session *s, size_t index, int count, struct error *e)
{
    char *name;
    if (!counter_range_name(s->chip->library, s->image, s->image_size, index, &name, e))
        return -1;
    char *end;
    long number = strtol(name, &end, 10);
    bool ours = end != name && *end == '\0' && number >= 0 && number < count;
    if (!ours)
        FAIL(e, ERROR_INTERNAL, "CUPTI recorded a range called \"%s\"", name);
    free(name);
    return ours ? (int)number : -1;
}

static bool evaluate(struct range_session *s, const struct range_job *job, int first, int count,
                     struct error *e)
{
    int width = job->set->count;
    for (size_t i = 0; i < (size_t)count; i++) {
        int number = range_number(s, i, count, e);
        if (number < 0)
            return false;
        double *values = job->values + (size_t)(first + number) * (size_t)width;
        if (!counter_set_evaluate(s->chip, job->set, s->image, s->image_size, i, values, e))
            return false;
    }
    return true;
}

/* Measures up to RANGES_PER_PASS ranges: runs all passes, then computes the values. */
static bool measure_batch(struct range_session *s, const struct range_job *job, int first,
                          int count, struct error *e)
{
    /* Rounds up to a power of two, because every new size needs a new profiler object. */
    int capacity = 8;
    while (capacity < count)
        capacity *= 2;
    double since = clock_now_s();
    if (!size_image(s, job->set, capacity, e))
        return false;
    book(&s->cost.set_up_s, &since);
    if (!configure(s, job->set, e))
        return false;
    book(&s->cost.image_s, &since);
    bool all_passes = false;
    for (int pass = 0; !all_passes; pass++) {
        if (pass == job->set->passes)
            return FAIL(e, ERROR_INTERNAL, "CUPTI needs more passes than it announced (%d)",
                        job->set->passes);
        if (!run_pass(s, job, first, count, &all_passes, e))
            return false;
    }
    since = clock_now_s();
    if (!decode(s, count, e))
        return false;
    book(&s->cost.decode_s, &since);
    bool ok = evaluate(s, job, first, count, e);
    book(&s->cost.evaluate_s, &since);
    return ok;
}

void range_session_forget(struct range_session *s)
{
    s->capacity = 0;
}

bool range_session_measure(struct range_session *s, const struct range_job *job, struct error *e)
{
    struct error local = {0};
    if (!e)
        /* e->device_lost is needed below even if the caller does not want the error. */
        e = &local;
    size_t total = (size_t)job->range_count * (size_t)job->set->count;
    for (size_t i = 0; i < total; i++)
        job->values[i] = NAN;
    if (job->range_count < 1)
        return true;
    if (!enable(s, e))
        return false;
    bool ok = true;
    for (int first = 0; ok && first < job->range_count; first += RANGES_PER_PASS) {
        int left = job->range_count - first;
        ok = measure_batch(s, job, first, left < RANGES_PER_PASS ? left : RANGES_PER_PASS, e);
    }
    if (!ok && e->device_lost) {
        s->profiler = NULL; /* on a lost device, the profiler must not even be disabled */
        return false;
    }
    /* After a failure, the state of the profiler object is unknown, so the next measurement must
     * use a new one. */
    if (!ok)
        disable(s, NULL);
    s->cost.calls++;
    s->cost.ranges += job->range_count;
    return ok;
}

void range_session_close(struct range_session *s)
{
    disable(s, NULL);
    free(s->image);
    memset(s, 0, sizeof *s);
}
