/*
 * A device's state while launches were timed: its clocks, power and temperature, and why its clock
 * was below the maximum.
 */
#ifndef REDSWEEP_BASE_HEALTH_H
#define REDSWEEP_BASE_HEALTH_H

#include <stdbool.h>
#include <stdint.h>

/* Why a clock is below its maximum. throttle_words() puts these into words. */
enum throttle {
    THROTTLE_POWER_CAP = 1,  /* often reached in normal operation */
    THROTTLE_SYNC_BOOST = 2, /* the clock follows that of other GPUs */
    /* hw_slowdown: the device is too hot or gets too little power. */
    THROTTLE_HARDWARE = 4,
    THROTTLE_THERMAL = 8, /* the driver cools the device */
    THROTTLE_HARDWARE_THERMAL = 16,
    THROTTLE_POWER_BRAKE = 32, /* at the request of the power supply */
    THROTTLE_COUNT = 6,
    /* reasons that make times longer than usual on the device */
    THROTTLE_SLOWED =
        THROTTLE_HARDWARE | THROTTLE_THERMAL | THROTTLE_HARDWARE_THERMAL | THROTTLE_POWER_BRAKE
};

/*
 * Whether times were measured (RECALLED_NOTHING) or come from another run, and whether that run
 * contained samples or only medians.
 */
enum recalled { RECALLED_NOTHING, RECALLED_SAMPLES, RECALLED_MEDIANS };

/* The device's state while launches were timed. NaN means unknown. */
struct device_health {
    /* If false, the members below are meaningless. */
    bool known;
    double sm_clock_mhz, memory_clock_mhz; /* the lowest values observed */
    double power_w, temperature_c;         /* the highest values observed */
    unsigned throttle;                     /* all reasons observed (enum throttle) */
    enum recalled recalled;                /* valid even if `known` is false */
    /*
     * True if it was not verified that the timed launches were in the cheapest queue slot: the
     * position in the stream at which launches take the least time (docs/measuring.md). Valid even
     * if `known` is false.
     */
    bool unplaced;
};

/* A card's configuration and state. Unknown numbers are −1, and unknown strings "". */
struct card_state {
    char pci[32]; /* "0000:3b:00.0" */
    char vbios[32];
    int64_t power_limit_w, power_limit_default_w;
    int64_t ecc;                            /* 1: on */
    int64_t ecc_corrected, ecc_uncorrected; /* errors since the driver was loaded */
    int64_t remapped_rows, retired_pages;
    int64_t mig, persistence; /* 1: on */
    int64_t compute_mode;     /* NVML's number; with 0, any process may use the card */
    int64_t pcie_generation, pcie_generation_max, pcie_width, pcie_width_max;
    int64_t other_processes; /* other processes that compute on the card */
    int64_t numa_node;       /* the host's NUMA node that the card is attached to */
};

/* Sets every member to unknown. */
void card_state_clear(struct card_state *c);

/*
 * Writes in a few words why times from a card in this state are doubtful, or "" if they are not.
 * Returns `why`.
 */
const char *card_doubt(const struct card_state *c, char why[160]);

/*
 * Merges `sample` into `into`: keeps the lowest clocks, the highest power and temperature, and all
 * reasons for throttling.
 */
void health_merge(struct device_health *into, const struct device_health *sample);

/* Writes words such as "power_cap thermal", or "" if there are no reasons. Returns `words`. */
const char *throttle_words(unsigned throttle, char words[96]);

#endif
