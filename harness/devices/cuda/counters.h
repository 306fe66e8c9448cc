/*
 * Reads a GPU's hardware counters through CUPTI, which is loaded at run time.
 *
 * The interface has two halves. The host half knows which counters a chip has and how many passes
 * they need; it works without a GPU or driver. The range half does the measuring. It runs a list of
 * ranges once per pass, starting and stopping the profiler once for all of them; doing so for each
 * range would take ten times as long. CUPTI itself repeats nothing. The caller's functions run once
 * per pass, and prepare() restores the input each time.
 *
 * A missing CUPTI, a missing permission to profile, or a GPU that cannot be profiled is not an
 * error. counters_open() succeeds anyway, and counters_missing() says in one sentence why nothing
 * can be counted and what to do about it.
 */
#ifndef REDSWEEP_DEVICES_CUDA_COUNTERS_H
#define REDSWEEP_DEVICES_CUDA_COUNTERS_H

#include <stdbool.h>

#include "base/error.h"

struct counters;

/*
 * Opens CUPTI for a CUDA device, whose primary context must be current in the calling thread. All
 * later calls must come from that thread. With ordinal −1, only the host half is opened, for `chip`
 * ("GH100"), and no driver is touched. Call counters_close() while the context still exists.
 */
struct counters *counters_open(int cuda_device_ordinal, const char *chip);
void counters_close(struct counters *c);

/* Returns a name such as "GH100", or "" if the chip is unknown. */
const char *counters_chip(const struct counters *c);

/* Returns a string such as "CUPTI 13.0", or "" if the library is missing. */
const char *counters_library(const struct counters *c);

/* Returns why nothing can be counted and what to do about it, or "" if counting works. */
const char *counters_missing(const struct counters *c);

/* Lists the chips that the library supports, whatever device is present. CUPTI owns `names`. */
bool counters_chips(const struct counters *c, const char *const **names, int *count,
                    struct error *e);

/* Returns whether the chip has a counter ("sm__cycles_active.avg"). If not, writes a one-sentence
 * reason to `why`. Answers are cached, so repeated calls are cheap. */
bool counters_has(struct counters *c, const char *counter, char why[256]);

/* Writes NVIDIA's description of a counter and its base unit. Returns false if the chip lacks
 * it. */
bool counters_describe(struct counters *c, const char *counter, char description[256],
                       char unit[64]);

/* Returns how many passes (runs of every range) it takes to measure these counters together, or 0
 * if unknown. */
int counters_passes(struct counters *c, const char *const *names, int count);

/* counters_measure() calls these functions for each range. They must not return before the device
 * has finished the work that they started. */
typedef bool counters_step(void *context, int range, struct error *e);

/*
 * Measures `range_count` ranges. Every pass calls prepare() (not counted) and launch() (counted)
 * for every range. Stores counter i of a range in values[range * count + i], or NaN if the device
 * lacks the counter. The profiler holds the device only during the call. If prepare() or launch()
 * fails, returns the same error. ERROR_UNSUPPORTED comes with CUPTI's reason and the remedy.
 */
bool counters_measure(struct counters *c, const char *const *names, int count, int range_count,
                      counters_step *prepare, counters_step *launch, void *context, double *values,
                      struct error *e);

/* Totals over all calls to counters_measure(). The times are in seconds. */
struct counters_cost {
    /* ranges passed in, each counted once whatever the number of passes */
    int calls, ranges;
    int range_runs; /* the sum of ranges × passes over all calls */
    /* setting up new counter sets: validation, scheduling, sizing the image */
    double set_up_s;
    double enable_s;            /* acquiring and releasing the device's counters */
    double image_s;             /* initializing the image and passing on the schedule */
    double prepare_s, launch_s; /* the caller's own steps */
    double push_pop_s;          /* beginning and ending ranges */
    double start_stop_s;        /* beginning and ending passes */
    double decode_s;            /* decoding the device's records into the image */
    double evaluate_s;          /* computing values from the image */
};
struct counters_cost counters_cost(const struct counters *c);

#endif
