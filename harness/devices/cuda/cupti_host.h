/*
 * CUPTI's Host API: the counters of a chip, their schedule of passes, and their values from the
 * records of a range. Needs no GPU and no driver.
 *
 * A wrong name spoils the host object to which it is given: every later call on it fails. Names are
 * therefore tried on temporary objects (0.3 ms each), and a set is always created as a whole.
 */
#ifndef REDSWEEP_DEVICES_CUDA_CUPTI_HOST_H
#define REDSWEEP_DEVICES_CUDA_CUPTI_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "devices/cuda/cupti_library.h"

/* The chip whose counters are requested. */
struct counter_chip {
    const struct cupti *library;
    char name[16];
    uint8_t *availability; /* what this particular GPU offers; NULL without a GPU */
};

/* Counters that are measured together, with their schedule. */
struct counter_set {
    CUpti_Profiler_Host_Object *host;
    const char **names; /* owned with their text */
    int count;
    uint8_t *config; /* the schedule, in the device's format */
    size_t config_size;
    int passes;
};

/* Makes a set; ERROR_UNSUPPORTED if the chip lacks one of the names, without saying which. */
bool counter_set_open(const struct counter_chip *chip, const char *const *names, int count,
                      struct counter_set *out, struct error *e);
void counter_set_close(const struct counter_chip *chip, struct counter_set *s);
bool counter_set_is(const struct counter_set *s, const char *const *names, int count);

/* All values of one range of an image, and the name of that range (to be freed). */
bool counter_set_evaluate(const struct counter_chip *chip, const struct counter_set *s,
                          const uint8_t *image, size_t image_size, size_t range, double *values,
                          struct error *e);
bool counter_range_name(const struct cupti *l, const uint8_t *image, size_t image_size,
                        size_t range, char **name, struct error *e);

/* Whether the chip has this one counter, in one sentence when not. */
bool counter_exists(const struct counter_chip *chip, const char *name, char why[256]);
bool counter_describe(const struct counter_chip *chip, const char *name, char description[256],
                      char unit[64]);

#endif
