/*
 * What a driver can tell about the counters of a chip that is not here: for `list metrics`, which
 * has to work on a machine without any device.
 */
#ifndef REDSWEEP_DEVICES_COUNTER_TABLES_H
#define REDSWEEP_DEVICES_COUNTER_TABLES_H

#include <stdbool.h>

#include "base/error.h"

struct chip_counters; /* the tables of one chip: each driver defines its own */

struct counter_tables {
    /*
     * Hands each chip's name to `name`; ERROR_SYSTEM when the tables are a library that is not
     * here.
     */
    bool (*chips)(void (*name)(void *context, const char *chip), void *context, struct error *e);

    /* Opens one of these chips. The result is the caller's: close(). */
    bool (*open)(const char *chip, struct chip_counters **out, struct error *e);
    void (*close)(struct chip_counters *c);

    /* Whether the chip has a counter; when not, `why` is one sentence. */
    bool (*has)(struct chip_counters *c, const char *counter, char why[256]);

    /* How often a launch is replayed for these counters together; 0 when unknown. */
    int (*passes)(struct chip_counters *c, const char *const *counters, int count);

    /* The maker's own description and unit; false when there is none. */
    bool (*describe)(struct chip_counters *c, const char *counter, char description[256],
                     char unit[64]);
};

#endif
