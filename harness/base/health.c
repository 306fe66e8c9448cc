/* Implements health.h. */
#include "base/health.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void health_merge(struct device_health *into, const struct device_health *sample)
{
    bool unplaced = into->unplaced || sample->unplaced;
    enum recalled recalled = sample->recalled > into->recalled ? sample->recalled : into->recalled;
    if (sample->known && !into->known)
        *into = *sample;
    into->unplaced = unplaced;
    into->recalled = recalled;
    if (!sample->known)
        return;
    /* fmin and fmax ignore NaN. */
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

void card_state_clear(struct card_state *c)
{
    *c = (struct card_state){.power_limit_w = -1,
                             .power_limit_default_w = -1,
                             .ecc = -1,
                             .ecc_corrected = -1,
                             .ecc_uncorrected = -1,
                             .remapped_rows = -1,
                             .retired_pages = -1,
                             .mig = -1,
                             .persistence = -1,
                             .compute_mode = -1,
                             .pcie_generation = -1,
                             .pcie_generation_max = -1,
                             .pcie_width = -1,
                             .pcie_width_max = -1,
                             .other_processes = -1,
                             .numa_node = -1};
}

const char *card_doubt(const struct card_state *c, char why[160])
{
    why[0] = '\0';
    if (c->ecc_uncorrected > 0)
        snprintf(why, 160, "it reports %" PRId64 " uncorrected memory errors (ECC)",
                 c->ecc_uncorrected);
    else if (c->mig == 1)
        snprintf(why, 160, "MIG is on");
    else if (c->power_limit_w >= 0 && c->power_limit_w < c->power_limit_default_w)
        snprintf(why, 160, "its power limit is %" PRId64 " W instead of %" PRId64 " W",
                 c->power_limit_w, c->power_limit_default_w);
    else if (c->pcie_width > 0 && c->pcie_width < c->pcie_width_max)
        snprintf(why, 160, "its PCIe link uses %" PRId64 " lanes instead of %" PRId64,
                 c->pcie_width, c->pcie_width_max);
    else if (c->other_processes > 0)
        snprintf(why, 160, "%" PRId64 " other process%s on it", c->other_processes,
                 c->other_processes == 1 ? " computes" : "es compute");
    return why;
}
