/*
 * Implements cupti_host.h.
 */
#include "devices/cuda/cupti_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

static bool open_host(const struct counter_chip *chip, CUpti_Profiler_Host_Object **out,
                      struct error *e)
{
    CUPTI_PARAMS(CUpti_Profiler_Host_Initialize, p);
    p.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    p.pChipName = chip->name;
    p.pCounterAvailabilityImage = chip->availability;
    CUptiResult result = chip->library->cuptiProfilerHostInitialize(&p);
    if (result == CUPTI_ERROR_NOT_SUPPORTED)
        return FAIL(e, ERROR_UNSUPPORTED, "%s lists the chip %s, but has no counters for it",
                    chip->library->version, chip->name);
    if (result != CUPTI_SUCCESS)
        return cupti_fail(chip->library, result, "preparing the chip's list of counters", e);
    *out = p.pHostObject;
    return true;
}

static void close_host(const struct counter_chip *chip, CUpti_Profiler_Host_Object *host)
{
    CUPTI_PARAMS(CUpti_Profiler_Host_Deinitialize, p);
    p.pHostObject = host;
    if (host)
        /* if this fails, there is nothing to be done */
        chip->library->cuptiProfilerHostDeinitialize(&p);
}

static bool add_names(const struct counter_chip *chip, struct counter_set *s, struct error *e)
{
    CUPTI_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics, p);
    p.pHostObject = s->host;
    p.ppMetricNames = s->names;
    p.numMetrics = (size_t)s->count;
    CUptiResult result = chip->library->cuptiProfilerHostConfigAddMetrics(&p);
    if (result != CUPTI_SUCCESS)
        return FAIL(
            e, ERROR_UNSUPPORTED,
            "%s does not have all of the %d requested counters (CUPTI result %d); the first "
            "requested counter is %s",
            chip->name, s->count, (int)result, s->names[0]);
    return true;
}

static bool read_schedule(const struct counter_chip *chip, struct counter_set *s, struct error *e)
{
    const struct cupti *l = chip->library;
    CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImageSize, size);
    size.pHostObject = s->host;
    CUptiResult result = l->cuptiProfilerHostGetConfigImageSize(&size);
    if (result != CUPTI_SUCCESS)
        return cupti_fail(l, result, "scheduling counters", e);
    s->config_size = size.configImageSize;
    s->config = xmalloc(s->config_size);

    CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImage, image);
    image.pHostObject = s->host;
    image.configImageSize = s->config_size;
    image.pConfigImage = s->config;
    result = l->cuptiProfilerHostGetConfigImage(&image);
    if (result != CUPTI_SUCCESS)
        return cupti_fail(l, result, "reading the schedule of counters", e);

    CUPTI_PARAMS(CUpti_Profiler_Host_GetNumOfPasses, passes);
    passes.configImageSize = s->config_size;
    passes.pConfigImage = s->config;
    result = l->cuptiProfilerHostGetNumOfPasses(&passes);
    if (result != CUPTI_SUCCESS)
        return cupti_fail(l, result, "counting passes", e);
    s->passes = (int)passes.numOfPasses;
    return true;
}

static void copy_names(struct counter_set *s, const char *const *names, int count)
{
    s->names = xcalloc((size_t)count, sizeof *s->names);
    for (; s->count < count; s->count++)
        s->names[s->count] = xstrdup(names[s->count]);
}

bool counter_set_open(const struct counter_chip *chip, const char *const *names, int count,
                      struct counter_set *out, struct error *e)
{
    memset(out, 0, sizeof *out);
    if (count < 1)
        return FAIL(e, ERROR_INTERNAL, "cannot open a set of %d counters", count);
    copy_names(out, names, count);
    if (open_host(chip, &out->host, e) && add_names(chip, out, e) && read_schedule(chip, out, e))
        return true;
    counter_set_close(chip, out);
    return false;
}

void counter_set_close(const struct counter_chip *chip, struct counter_set *s)
{
    close_host(chip, s->host);
    for (int i = 0; i < s->count; i++)
        free((char *)s->names[i]);
    free(s->names);
    free(s->config);
    memset(s, 0, sizeof *s);
}

bool counter_set_is(const struct counter_set *s, const char *const *names, int count)
{
    if (!s->host || s->count != count)
        return false;
    for (int i = 0; i < count; i++)
        if (strcmp(s->names[i], names[i]) != 0)
            return false;
    return true;
}

bool counter_set_evaluate(const struct counter_chip *chip, const struct counter_set *s,
                          const uint8_t *image, size_t image_size, size_t range, double *values,
                          struct error *e)
{
    CUPTI_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues, p);
    p.pHostObject = s->host;
    p.pCounterDataImage = image;
    p.counterDataImageSize = image_size;
    p.rangeIndex = range;
    p.ppMetricNames = s->names;
    p.numMetrics = (size_t)s->count;
    p.pMetricValues = values;
    CUptiResult result = chip->library->cuptiProfilerHostEvaluateToGpuValues(&p);
    if (result != CUPTI_SUCCESS)
        return cupti_fail(chip->library, result, "evaluating a range", e);
    return true;
}

bool counter_range_name(const struct cupti *l, const uint8_t *image, size_t image_size,
                        size_t range, char **name, struct error *e)
{
    CUPTI_PARAMS(CUpti_Profiler_Host_GetRangeName, p);
    p.pCounterDataImage = image;
    p.counterDataImageSize = image_size;
    p.rangeIndex = range;
    p.delimiter = "/";
    CUptiResult result = l->cuptiProfilerHostGetRangeName(&p);
    if (result != CUPTI_SUCCESS || !p.pRangeName)
        return cupti_fail(l, result, "reading the name of a range", e);
    *name = (char *)p.pRangeName; /* freed by the caller */
    return true;
}

/*
 * Finds the name that is most similar to `base` among the chip's counters without suffixes (such as
 * "sm__cycles_active"), which CUPTI keeps in one list per type. Stores the name in `nearest`, or ""
 * if no name is similar.
 */
static void find_nearest(const struct counter_chip *chip, CUpti_Profiler_Host_Object *host,
                         const char *base, char *nearest, size_t size)
{
    char best[CUPTI_METRIC_TYPE__COUNT][128];
    const char *candidates[CUPTI_METRIC_TYPE__COUNT];
    size_t count = 0;
    for (int type = 0; type < CUPTI_METRIC_TYPE__COUNT; type++) {
        CUPTI_PARAMS(CUpti_Profiler_Host_GetBaseMetrics, p);
        p.pHostObject = host;
        p.metricType = (CUpti_MetricType)type;
        if (chip->library->cuptiProfilerHostGetBaseMetrics(&p) != CUPTI_SUCCESS)
            continue;
        const char *found = text_nearest(base, p.ppMetricNames, p.numMetrics);
        if (!found)
            continue;
        /* a copy, because CUPTI may overwrite the list */
        snprintf(best[count], sizeof best[count], "%s", found);
        candidates[count] = best[count];
        count++;
    }
    const char *found = text_nearest(base, candidates, count);
    snprintf(nearest, size, "%s", found ? found : "");
}

/* Writes why CUPTI refuses a counter: it does not know the name before the first dot, or only the
 * suffix after it is wrong. */
static void explain_refusal(const struct counter_chip *chip, const char *name, char why[256])
{
    char base[160], nearest[128] = "", description[256], unit[64];
    snprintf(base, sizeof base, "%.*s", (int)strcspn(name, "."), name);
    bool known = counter_describe(chip, base, description, unit);
    CUpti_Profiler_Host_Object *host = NULL;
    if (!known && open_host(chip, &host, NULL))
        find_nearest(chip, host, base, nearest, sizeof nearest);
    close_host(chip, host);
    /* Checks `nearest` as well, because CUPTI 12 does not describe names without a suffix. */
    if (known || strcmp(nearest, base) == 0) {
        snprintf(why, 256, "%s has the counter %.100s, but not with the suffix \"%.60s\"",
                 chip->name, base, name + strlen(base));
        return;
    }
    snprintf(why, 256, "%s has no counter %.80s%s%.80s", chip->name, name,
             nearest[0] ? "; the nearest is " : "", nearest);
}

bool counter_exists(const struct counter_chip *chip, const char *name, char why[256])
{
    struct counter_set one;
    struct error e = {0};
    if (counter_set_open(chip, &name, 1, &one, &e)) {
        counter_set_close(chip, &one);
        return true;
    }
    CUpti_Profiler_Host_Object *host = NULL;
    if (open_host(chip, &host, &e))
        explain_refusal(chip, name, why);
    else
        /* the chip is the problem, not the counter */
        snprintf(why, 256, "%.255s", e.text);
    close_host(chip, host);
    return false;
}

bool counter_describe(const struct counter_chip *chip, const char *name, char description[256],
                      char unit[64])
{
    CUpti_Profiler_Host_Object *host = NULL;
    if (!open_host(chip, &host, NULL))
        return false;
    CUPTI_PARAMS(CUpti_Profiler_Host_GetMetricProperties, p);
    p.pHostObject = host;
    p.pMetricName = name;
    bool known = chip->library->cuptiProfilerHostGetMetricProperties(&p) == CUPTI_SUCCESS;
    if (known) {
        snprintf(description, 256, "%s", p.pDescription ? p.pDescription : "");
        snprintf(unit, 64, "%s", p.pDimUnit ? p.pDimUnit : "");
    }
    close_host(chip, host);
    return known;
}
