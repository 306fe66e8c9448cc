/*
 * Clocks, power, temperature and throttling: see health.h.
 */
#include "base/health.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void health_merge(struct device_health *into, const struct device_health *sample)
{
    bool unplaced = into->unplaced || sample->unplaced;
    if (sample->known && !into->known)
        *into = *sample;
    into->unplaced = unplaced;
    if (!sample->known)
        return;
    /* fmin and fmax pass over NaN. */
    into->sm_clock_mhz = fmin(into->sm_clock_mhz, sample->sm_clock_mhz);
    into->memory_clock_mhz = fmin(into->memory_clock_mhz, sample->memory_clock_mhz);
    into->power_w = fmax(into->power_w, sample->power_w);
    into->temperature_c = fmax(into->temperature_c, sample->temperature_c);
    into->throttle |= sample->throttle;
}

const char *throttle_words(unsigned throttle, char words[96])
{
    static const char *const names[THROTTLE_COUNT] = {"power_cap", "sync_boost", "hw_slowdown",
                                                      "thermal",   "hw_thermal", "power_brake"};
    size_t used = 0;
    words[0] = '\0';
    for (int i = 0; i < THROTTLE_COUNT; i++)
        if (throttle & 1u << i)
            used += (size_t)snprintf(words + used, 96 - used, "%s%s", used ? " " : "", names[i]);
    return words;
}
