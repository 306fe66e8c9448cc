/*
 * Lists the counters of every NVIDIA chip that CUPTI supports; see devices/counter_tables.h.
 * CUPTI's Host API knows them without a GPU or driver.
 */
#include "devices/counter_tables.h"

#include "devices/cuda/counters.h"

/* Opens CUPTI without a chip, because its list of chips is always the same. */
static bool cuda_chips(void (*name)(void *context, const char *chip), void *context,
                       struct error *e)
{
    struct counters *c = counters_open(-1, "");
    const char *const *names;
    int count = 0;
    bool ok = counters_library(c)[0] ? counters_chips(c, &names, &count, e)
                                     : FAIL_LINES(e, ERROR_SYSTEM, "%s", counters_missing(c));
    for (int i = 0; ok && i < count; i++)
        name(context, names[i]);
    counters_close(c);
    return ok;
}

static bool cuda_open_chip(const char *chip, struct chip_counters **out, struct error *e)
{
    struct counters *c = counters_open(-1, chip);
    if (counters_missing(c)[0]) {
        FAIL_LINES(e, ERROR_SYSTEM, "%s", counters_missing(c));
        counters_close(c);
        return false;
    }
    *out = (struct chip_counters *)c;
    return true;
}

static void cuda_close_chip(struct chip_counters *c)
{
    counters_close((struct counters *)c);
}

static bool cuda_chip_has(struct chip_counters *c, const char *counter, char why[256])
{
    return counters_has((struct counters *)c, counter, why);
}

static int cuda_chip_passes(struct chip_counters *c, const char *const *counters, int count)
{
    return counters_passes((struct counters *)c, counters, count);
}

static bool cuda_chip_describe(struct chip_counters *c, const char *counter, char description[256],
                               char unit[64])
{
    return counters_describe((struct counters *)c, counter, description, unit);
}

extern const struct counter_tables cuda_counter_tables;
const struct counter_tables cuda_counter_tables = {
    .chips = cuda_chips,
    .open = cuda_open_chip,
    .close = cuda_close_chip,
    .has = cuda_chip_has,
    .passes = cuda_chip_passes,
    .describe = cuda_chip_describe,
};
