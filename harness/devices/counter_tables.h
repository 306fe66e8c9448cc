/* Lets a driver describe the counters of chips that are not in this machine. `redsweep list
 * metrics` uses these tables on machines without a GPU. */
#ifndef REDSWEEP_DEVICES_COUNTER_TABLES_H
#define REDSWEEP_DEVICES_COUNTER_TABLES_H

#include <stdbool.h>

#include "base/error.h"

struct chip_counters; /* the counters of one chip, defined by each driver */

struct counter_tables {
    /*
     * Calls `name` once for each supported chip. Fails with ERROR_SYSTEM if the library that
     * describes the chips is missing.
     */
    bool (*chips)(void (*name)(void *context, const char *chip), void *context, struct error *e);

    /* Opens the table of one chip. The caller must call close(). */
    bool (*open)(const char *chip, struct chip_counters **out, struct error *e);
    void (*close)(struct chip_counters *c);

    /* Returns whether the chip has a counter. If not, writes a one-sentence reason to `why`. */
    bool (*has)(struct chip_counters *c, const char *counter, char why[256]);

    /* Returns how many times a launch must be repeated to measure all these counters, or 0 if
     * unknown. */
    int (*passes)(struct chip_counters *c, const char *const *counters, int count);

    /* Writes the vendor's description and unit of a counter. Returns false if there is no
     * description. */
    bool (*describe)(struct chip_counters *c, const char *counter, char description[256],
                     char unit[64]);
};

#endif
