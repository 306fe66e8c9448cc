/* Lets a driver describe the counters of chips that are not in this machine. On a
 * machine without a device, `list metrics` uses them. */
#ifndef REDSWEEP_DEVICES_COUNTER_TABLES_H
#define REDSWEEP_DEVICES_COUNTER_TABLES_H

#include <stdbool.h>

#include "base/error.h"

struct chip_counters; /* one chip's tables, defined by each driver */

struct counter_tables {
    /*
     * Passes the name of each chip to `name`. Fails with ERROR_SYSTEM if the library with the
     * tables is missing.
     */
    bool (*chips)(void (*name)(void *context, const char *chip), void *context, struct error *e);

    /* Opens one chip's tables. The caller must call close(). */
    bool (*open)(const char *chip, struct chip_counters **out, struct error *e);
    void (*close)(struct chip_counters *c);

    /* Returns whether the chip has a counter. If not, writes a one-sentence reason to `why`. */
    bool (*has)(struct chip_counters *c, const char *counter, char why[256]);

    /* Returns how many times a launch must be repeated to measure all these counters, or 0 if
     * unknown. */
    int (*passes)(struct chip_counters *c, const char *const *counters, int count);

    /* Writes the vendor's description and unit. Returns false if there is none. */
    bool (*describe)(struct chip_counters *c, const char *counter, char description[256],
                     char unit[64]);
};

#endif
