/*
 * The state of a device while it timed: clocks, power, temperature, and reasons for a lower clock.
 */
#ifndef REDSWEEP_BASE_HEALTH_H
#define REDSWEEP_BASE_HEALTH_H

#include <stdbool.h>
#include <stdint.h>

/* Reasons for a clock below its maximum; words in throttle_words(). */
enum throttle {
    THROTTLE_POWER_CAP = 1,  /* the power limit: common, and part of how the device works */
    THROTTLE_SYNC_BOOST = 2, /* the clock follows that of other GPUs */
    THROTTLE_HARDWARE = 4,   /* hw_slowdown: too hot, or too little power */
    THROTTLE_THERMAL = 8,    /* the driver cools the device */
    THROTTLE_HARDWARE_THERMAL = 16,
    THROTTLE_POWER_BRAKE = 32, /* the power supply asked for it */
    THROTTLE_COUNT = 6,
    /* Reasons that make times differ from those that the device takes otherwise. */
    THROTTLE_SLOWED =
        THROTTLE_HARDWARE | THROTTLE_THERMAL | THROTTLE_HARDWARE_THERMAL | THROTTLE_POWER_BRAKE
};

/* Whether times were measured or come from another run, which had samples or only medians to draw from. */
enum recalled { RECALLED_NOTHING, RECALLED_SAMPLES, RECALLED_MEDIANS };

/* How the device was while it timed; NaN: unknown. */
struct device_health {
    bool known;                            /* false: nothing below counts */
    double sm_clock_mhz, memory_clock_mhz; /* the lowest seen */
    double power_w, temperature_c;         /* the highest seen */
    unsigned throttle;                     /* all reasons seen */
    enum recalled recalled;                /* valid even if `known` is false */
    bool unplaced;                         /* queue slots were not verified (known or not) */
};

/* The configuration and state of a card; −1 and "" if unknown. */
struct card_state {
    char pci[32]; /* "0000:3b:00.0" */
    char vbios[32];
    int64_t power_limit_w, power_limit_default_w;
    int64_t ecc;                            /* 1: on */
    int64_t ecc_corrected, ecc_uncorrected; /* errors since the driver was loaded */
    int64_t remapped_rows, retired_pages;
    int64_t mig, persistence; /* 1: on */
    int64_t compute_mode;     /* NVML's number; 0: any process may use it */
    int64_t pcie_generation, pcie_generation_max, pcie_width, pcie_width_max;
    int64_t other_processes; /* number of processes that compute on it */
    int64_t numa_node;       /* of the host: the node that the card is attached to */
};

/* Sets every member to unknown. */
void card_state_clear(struct card_state *c);

/* Reasons why times of a card in this state are doubtful, in a few words; "" if there are none. */
const char *card_doubt(const struct card_state *c, char why[160]);

/* Merges a further sample into `into`. */
void health_merge(struct device_health *into, const struct device_health *sample);

/* "power_cap thermal"; "" for none. Returns `words`. */
const char *throttle_words(unsigned throttle, char words[96]);

#endif
