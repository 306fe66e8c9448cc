/*
 * Information of a driver about the counters of a chip that is not present: for `list metrics`,
 * which has to work on a machine without any device.
 */
#ifndef REDSWEEP_DEVICES_COUNTER_TABLES_H
#define REDSWEEP_DEVICES_COUNTER_TABLES_H

#include <stdbool.h>

#include "base/error.h"

struct chip_counters; /* the tables of one chip: each driver defines its own */

struct counter_tables {
    /*
     * Passes each chip's name to `name`; ERROR_SYSTEM if the tables are in a library that is
     * missing.
     */
    bool (*chips)(void (*name)(void *context, const char *chip), void *context, struct error *e);

    /* Opens one of these chips. The result is the caller's: close(). */
    bool (*open)(const char *chip, struct chip_counters **out, struct error *e);
    void (*close)(struct chip_counters *c);

    /* Whether the chip has a counter; if not, `why` is one sentence. */
    bool (*has)(struct chip_counters *c, const char *counter, char why[256]);

    /* The number of replays of a launch for these counters together; 0 if unknown. */
    int (*passes)(struct chip_counters *c, const char *const *counters, int count);

    /* The maker's own description and unit; false if there is none. */
    bool (*describe)(struct chip_counters *c, const char *counter, char description[256],
                     char unit[64]);
};

#endif
