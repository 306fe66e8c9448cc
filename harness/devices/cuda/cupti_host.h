/*
 * Wraps CUPTI's Host API, which lists a chip's counters, distributes them over passes, and computes
 * values from what was recorded about a range (counters.h explains ranges and passes). The Host API
 * needs neither a GPU nor a driver.
 *
 * Once a host object has been given an unknown counter name, every later call with that object
 * fails. Each name is therefore tried with a temporary object, which takes 0.3 ms, and a set gets
 * all its names at once.
 */
#ifndef REDSWEEP_DEVICES_CUDA_CUPTI_HOST_H
#define REDSWEEP_DEVICES_CUDA_CUPTI_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "devices/cuda/cupti_library.h"

/* the chip whose counters are requested */
struct counter_chip {
    const struct cupti *library;
    char name[16];
    uint8_t *availability; /* the counters that this particular GPU offers, or NULL without a GPU */
};

/* counters that are measured together, and how they are distributed over passes */
struct counter_set {
    CUpti_Profiler_Host_Object *host;
    const char **names; /* owned by the set, including the strings */
    int count;
    uint8_t *config; /* the distribution over passes, in the device's format */
    size_t config_size;
    int passes;
};

/* Creates a set. Fails with ERROR_UNSUPPORTED if the chip lacks any of these counters. The error
 * does not say which one. */
bool counter_set_open(const struct counter_chip *chip, const char *const *names, int count,
                      struct counter_set *out, struct error *e);
void counter_set_close(const struct counter_chip *chip, struct counter_set *s);
bool counter_set_is(const struct counter_set *s, const char *const *names, int count);

/* counter_set_evaluate() computes the values of all counters for one range in the image.
 * counter_range_name() sets *name to the range's name, which the caller must free. */
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
