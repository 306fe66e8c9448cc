/*
 * Replaces counters.c in builds without CUPTI's range profiler. Counters are then not available,
 * and counters_missing() says why. The Makefile picks this file for toolkits older than CUDA 12.6.
 */
#include "devices/cuda/counters.h"

#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

struct counters {
    char missing[512];
};

struct counters *counters_open(int cuda_device_ordinal, const char *chip)
{
    (void)cuda_device_ordinal, (void)chip;
    struct counters *c = xcalloc(1, sizeof *c);
    snprintf(c->missing, sizeof c->missing,
             "counters need the range profiler of CUPTI 12.6 or newer, but this redsweep was built "
             "with CUDA %d.%d; build it with a newer CUDA Toolkit (`make TOOLKIT=12` fetches one)",
             CUDA_VERSION / 1000, CUDA_VERSION % 1000 / 10);
    return c;
}

void counters_close(struct counters *c)
{
    free(c);
}

const char *counters_chip(const struct counters *c)
{
    (void)c;
    return "";
}

const char *counters_library(const struct counters *c)
{
    (void)c;
    return "";
}

const char *counters_missing(const struct counters *c)
{
    return c->missing;
}

bool counters_chips(const struct counters *c, const char *const **names, int *count,
                    struct error *e)
{
    (void)names, (void)count;
    return FAIL(e, ERROR_UNSUPPORTED, "%s", c->missing);
}

bool counters_has(struct counters *c, const char *counter, char why[256])
{
    (void)counter;
    snprintf(why, 256, "%.255s", c->missing);
    return false;
}

bool counters_describe(struct counters *c, const char *counter, char description[256],
                       char unit[64])
{
    (void)c, (void)counter, (void)description, (void)unit;
    return false;
}

int counters_passes(struct counters *c, const char *const *names, int count)
{
    (void)c, (void)names, (void)count;
    return 0;
}

bool counters_measure(struct counters *c, const char *const *names, int count, int range_count,
                      counters_step *prepare, counters_step *launch, void *context, double *values,
                      struct error *e)
{
    (void)names, (void)count, (void)range_count, (void)prepare, (void)launch, (void)context;
    (void)values;
    return FAIL(e, ERROR_UNSUPPORTED, "%s", c->missing);
}

struct counters_cost counters_cost(const struct counters *c)
{
    (void)c;
    return (struct counters_cost){0};
}
