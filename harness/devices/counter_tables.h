/* Declares how a driver describes the counters of chips that need not be present. The command `list
 * metrics` needs this on a machine without any device. */
#ifndef REDSWEEP_DEVICES_COUNTER_TABLES_H
#define REDSWEEP_DEVICES_COUNTER_TABLES_H

#include <stdbool.h>

#include "base/error.h"

struct chip_counters; /* the tables of one chip, which each driver defines itself */

struct counter_tables {
    /*
     * Passes the name of each chip to `name`. Fails with ERROR_SYSTEM if the tables are in a
     * library that is missing.
     */
    bool (*chips)(void (*name)(void *context, const char *chip), void *context, struct error *e);

    /* Opens the tables of one of these chips. The caller must call close(). */
    bool (*open)(const char *chip, struct chip_counters **out, struct error *e);
    void (*close)(struct chip_counters *c);

    /* Returns whether the chip has a counter. If not, writes a one-sentence reason to `why`. */
    bool (*has)(struct chip_counters *c, const char *counter, char why[256]);

    /* Returns how many times a launch is repeated to measure all of these counters, or 0 if this is
     * unknown. */
    int (*passes)(struct chip_counters *c, const char *const *counters, int count);

    /* Writes the description and the unit that the chip's maker states. Returns false if there is
     * none. */
    bool (*describe)(struct chip_counters *c, const char *counter, char description[256],
                     char unit[64]);
};

#endif
