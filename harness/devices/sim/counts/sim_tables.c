/*
 * Implements devices/counter_tables.h for the simulator. It has two chips with the same counters.
 * In the table of metrics, "transactions" are 32-byte sectors for the chip "sim" and 128-byte lines
 * for "kepler".
 */
#include "devices/counter_tables.h"

#include <string.h>

#include "devices/sim/counts/sim_counts.h"

static bool sim_chips(void (*name)(void *context, const char *chip), void *context, struct error *e)
{
    (void)e;
    name(context, "sim");
    name(context, "kepler");
    return true;
}

/* Chips have no state, so any pointer that is not NULL can stand for one. */
static bool sim_open_chip(const char *chip, struct chip_counters **out, struct error *e)
{
    static char something;
    if (strcmp(chip, "sim") != 0 && strcmp(chip, "kepler") != 0)
        return FAIL(e, ERROR_USAGE, "the simulator has no chip %s", chip);
    *out = (struct chip_counters *)&something;
    return true;
}

static void sim_close_chip(struct chip_counters *c)
{
    (void)c;
}

static bool sim_chip_has(struct chip_counters *c, const char *counter, char why[256])
{
    (void)c;
    return counts_known(counter, why);
}

static int sim_chip_passes(struct chip_counters *c, const char *const *counters, int count)
{
    (void)c, (void)counters;
    return count > 0;
}

static bool sim_chip_describe(struct chip_counters *c, const char *counter, char description[256],
                              char unit[64])
{
    (void)c, (void)counter, (void)description, (void)unit;
    return false;
}

extern const struct counter_tables sim_counter_tables;
const struct counter_tables sim_counter_tables = {
    .chips = sim_chips,
    .open = sim_open_chip,
    .close = sim_close_chip,
    .has = sim_chip_has,
    .passes = sim_chip_passes,
    .describe = sim_chip_describe,
};
