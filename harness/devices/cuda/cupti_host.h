/*
 * Calls CUPTI's Host API. This API lists the counters of a chip, schedules their passes, and
 * computes their values from the records of a range. It needs no GPU and no driver.
 *
 * Once a wrong name has been passed to a host object, every later call on this object fails. Names
 * are therefore tried on temporary objects (0.3 ms each), and a set is always created as a whole.
 */
#ifndef REDSWEEP_DEVICES_CUDA_CUPTI_HOST_H
#define REDSWEEP_DEVICES_CUDA_CUPTI_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "devices/cuda/cupti_library.h"

/* Describes the chip whose counters are requested. */
struct counter_chip {
    const struct cupti *library;
    char name[16];
    uint8_t *availability; /* the counters that this particular GPU offers, or NULL without a GPU */
};

/* Contains counters that are measured together, and their schedule. */
struct counter_set {
    CUpti_Profiler_Host_Object *host;
    const char **names; /* The set owns the array and the strings. */
    int count;
    uint8_t *config; /* the schedule in the device's format */
    size_t config_size;
    int passes;
};

/* Makes a set. Fails with ERROR_UNSUPPORTED if the chip lacks one of these counters. The error does
 * not state which one is missing. */
bool counter_set_open(const struct counter_chip *chip, const char *const *names, int count,
                      struct counter_set *out, struct error *e);
void counter_set_close(const struct counter_chip *chip, struct counter_set *s);
bool counter_set_is(const struct counter_set *s, const char *const *names, int count);

/* Computes all values for one range of an image, and returns the name of that range. The caller
 * must free the name. */
bool counter_set_evaluate(const struct counter_chip *chip, const struct counter_set *s,
                          const uint8_t *image, size_t image_size, size_t range, double *values,
                          struct error *e);
bool counter_range_name(const struct cupti *l, const uint8_t *image, size_t image_size,
                        size_t range, char **name, struct error *e);

/* Returns whether the chip has this counter. If not, writes a one-sentence reason to `why`. */
bool counter_exists(const struct counter_chip *chip, const char *name, char why[256]);
bool counter_describe(const struct counter_chip *chip, const char *name, char description[256],
                      char unit[64]);

#endif
