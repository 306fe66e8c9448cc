/*
 * Reads hardware counters of a GPU through CUPTI, which is opened at run time.
 *
 * This interface has two halves. The host half determines which counters a chip has and how many
 * passes they need. It works without a GPU and without a driver. The range half measures the
 * counters. It runs a list of ranges once per pass. All ranges of a pass are between one start and
 * one stop of the profiler. If the profiler were started and stopped for each range, measuring
 * would take ten times as long. CUPTI itself repeats nothing. The caller's functions run once per
 * pass, and prepare() restores the input each time.
 *
 * It is not an error if CUPTI is missing, if the user lacks the permission to profile, or if the
 * GPU cannot be profiled. counters_open() then succeeds, and counters_missing() explains in one
 * sentence why nothing can be counted and what to do.
 */
#ifndef REDSWEEP_DEVICES_CUDA_COUNTERS_H
#define REDSWEEP_DEVICES_CUDA_COUNTERS_H

#include <stdbool.h>

#include "base/error.h"

struct counters;

/*
 * Opens CUPTI for a device of the CUDA runtime. The primary context of this device must be current
 * in the calling thread, and all later calls must come from that thread. If the ordinal is −1, only
 * the host half is opened, for `chip` ("GH100"), and no driver is touched. The caller must call
 * counters_close() while the context still exists.
 */
struct counters *counters_open(int cuda_device_ordinal, const char *chip);
void counters_close(struct counters *c);

/* Returns a name such as "GH100", or "" if the chip is unknown. */
const char *counters_chip(const struct counters *c);

/* Returns a string such as "CUPTI 13.0", or "" if the library is missing. */
const char *counters_library(const struct counters *c);

/* Returns the reason why nothing can be counted, with the remedy, or "" if counting is possible. */
const char *counters_missing(const struct counters *c);

/* Lists the chips that the library supports, independently of the device that is present. CUPTI
 * owns the memory of `names`. */
bool counters_chips(const struct counters *c, const char *const **names, int *count,
                    struct error *e);

/* Returns whether the chip has a counter ("sm__cycles_active.avg"). If not, writes a one-sentence
 * reason to `why`. Answers are cached, so that repeated calls are cheap. */
bool counters_has(struct counters *c, const char *counter, char why[256]);

/* Writes NVIDIA's description and the base unit of a counter. Returns false if the chip does not
 * have it. */
bool counters_describe(struct counters *c, const char *counter, char description[256],
                       char unit[64]);

/* Returns the number of passes (runs of every range) that these counters need together, or 0 if the
 * number is unknown. */
int counters_passes(struct counters *c, const char *const *names, int count);

/* counters_measure() calls functions of this type for each range. They must return only after the
 * device has finished the work that they started. */
typedef bool counters_step(void *context, int range, struct error *e);

/*
 * Measures `range_count` ranges. In every pass, the function calls prepare() (not counted) and
 * launch() (counted) for every range. values[range * count + i] becomes the value of counter i for
 * that range, or NaN if the device does not have this counter. The profiler occupies the device
 * only during the call. If prepare() or launch() fails, the call ends with the same error. An
 * ERROR_UNSUPPORTED contains CUPTI's reason and the remedy.
 */
bool counters_measure(struct counters *c, const char *const *names, int count, int range_count,
                      counters_step *prepare, counters_step *launch, void *context, double *values,
                      struct error *e);

/* Contains the number of calls to counters_measure(), the number of ranges, and the seconds that
 * each step took, summed over all calls. */
struct counters_cost {
    /* `ranges` counts the ranges that callers passed, regardless of the number of passes. */
    int calls, ranges;
    int range_runs; /* the sum of ranges × passes over all calls */
    /* This time covers the setup of new sets of counters: validation, schedule, size of the
     * image. */
    double set_up_s;
    double enable_s; /* the time for acquiring and releasing the device's counters */
    double image_s;  /* the time for initializing the image and passing on the schedule */
    double prepare_s, launch_s; /* the time for the caller's own steps */
    double push_pop_s;          /* the time for beginning and ending ranges */
    double start_stop_s;        /* the time for beginning and ending passes */
    double decode_s;            /* the time for decoding the device's records into the image */
    double evaluate_s;          /* the time for computing values from the image */
};
struct counters_cost counters_cost(const struct counters *c);

#endif
