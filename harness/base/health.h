/*
 * The state of a device while launches were timed: its clocks, power and temperature, and the
 * reasons for a clock below its maximum.
 */
#ifndef REDSWEEP_BASE_HEALTH_H
#define REDSWEEP_BASE_HEALTH_H

#include <stdbool.h>
#include <stdint.h>

/* These are reasons for a clock below its maximum. throttle_words() returns them as words. */
enum throttle {
    THROTTLE_POWER_CAP = 1,  /* the power limit, which is often reached in normal operation */
    THROTTLE_SYNC_BOOST = 2, /* the clock follows that of other GPUs */
    /* This is hw_slowdown: the device is too hot, or it receives too little power. */
    THROTTLE_HARDWARE = 4,
    THROTTLE_THERMAL = 8, /* the driver cools the device */
    THROTTLE_HARDWARE_THERMAL = 16,
    THROTTLE_POWER_BRAKE = 32, /* the power supply requested it */
    THROTTLE_COUNT = 6,
    /* If one of these reasons applies, times differ from the device's usual times. */
    THROTTLE_SLOWED =
        THROTTLE_HARDWARE | THROTTLE_THERMAL | THROTTLE_HARDWARE_THERMAL | THROTTLE_POWER_BRAKE
};

/*
 * This says whether times were measured or come from another run, and whether that run had samples
 * or only medians.
 */
enum recalled { RECALLED_NOTHING, RECALLED_SAMPLES, RECALLED_MEDIANS };

/* The state of the device while launches were timed. NaN means unknown. */
struct device_health {
    /* If this is false, the members below have no meaning. */
    bool known;
    double sm_clock_mhz, memory_clock_mhz; /* the lowest values observed */
    double power_w, temperature_c;         /* the highest values observed */
    unsigned throttle;                     /* all reasons observed */
    enum recalled recalled;                /* This is valid even if `known` is false. */
    /* This is true if queue slots were not verified. It is valid even if `known` is false. */
    bool unplaced;
};

/* The configuration and state of a card. Unknown numbers are −1, and unknown strings are "". */
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
    int64_t other_processes; /* the number of other processes that compute on the card */
    int64_t numa_node;       /* the node of the host to which the card is attached */
};

/* Sets every member to unknown. */
void card_state_clear(struct card_state *c);

/* Returns in a few words why times of a card in this state are doubtful, or "" if they are not. */
const char *card_doubt(const struct card_state *c, char why[160]);

/* Merges another sample into `into`. */
void health_merge(struct device_health *into, const struct device_health *sample);

/* Writes words such as "power_cap thermal", or "" if there are no reasons. Returns `words`. */
const char *throttle_words(unsigned throttle, char words[96]);

#endif
