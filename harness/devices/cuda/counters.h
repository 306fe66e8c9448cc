/*
 * Reads a GPU's hardware counters through CUPTI, which is loaded at run time.
 *
 * A range is a piece of GPU work for which counters are read; here, it consists of the launches of
 * one trial. A GPU can count only a few counters at once, so each range may have to run several
 * times. Each repetition is called a pass.
 *
 * The interface has two halves. The host half knows which counters a chip has and how many passes
 * they need. It works without a GPU or driver. The range half does the measuring. In each pass, it
 * starts the profiler, runs all ranges, and stops the profiler. Starting and stopping it for every
 * range would take ten times as long. CUPTI does not repeat the work itself. Instead, the caller's
 * functions are called in every pass, and prepare() must restore the input each time.
 *
 * If CUPTI is missing, if the user may not profile, or if the GPU cannot be profiled,
 * counters_open() succeeds nevertheless. counters_missing() then returns one sentence that says why
 * nothing can be counted and what to do about it.
 */
#ifndef REDSWEEP_DEVICES_CUDA_COUNTERS_H
#define REDSWEEP_DEVICES_CUDA_COUNTERS_H

#include <stdbool.h>

#include "base/error.h"

struct counters;

/*
 * Opens CUPTI for a CUDA device, whose primary context must be current in the calling thread. All
 * later calls must come from that thread. If cuda_device_ordinal is −1, only the host half is
 * opened, for the chip with the name `chip` ("GH100"), and no driver is needed. Call
 * counters_close() while the context still exists.
 */
struct counters *counters_open(int cuda_device_ordinal, const char *chip);
void counters_close(struct counters *c);

/* Returns a name such as "GH100", or "" if the chip is unknown. */
const char *counters_chip(const struct counters *c);

/* Returns a string such as "CUPTI 13.0", or "" if the library is missing. */
const char *counters_library(const struct counters *c);

/* Returns why nothing can be counted and what to do about it, or "" if counting works. */
const char *counters_missing(const struct counters *c);

/* Lists all chips that CUPTI supports, whatever GPU this machine has. CUPTI owns `names`. */
bool counters_chips(const struct counters *c, const char *const **names, int *count,
                    struct error *e);

/* Returns whether the chip has a counter ("sm__cycles_active.avg"). If not, writes a one-sentence
 * reason to `why`. Answers are cached, so repeated calls are cheap. */
bool counters_has(struct counters *c, const char *counter, char why[256]);

/* Writes NVIDIA's description of a counter and the counter's unit. Returns false if the chip does
 * not have the counter. */
bool counters_describe(struct counters *c, const char *counter, char description[256],
                       char unit[64]);

/* Returns how many passes it takes to measure all of these counters, or 0 if unknown. */
int counters_passes(struct counters *c, const char *const *names, int count);

/* A function that counters_measure() calls for each range. It must not return before the device has
 * finished the work that it started. */
typedef bool counters_step(void *context, int range, struct error *e);

/*
 * Measures `range_count` ranges. In every pass, it calls prepare() and launch() for every range.
 * Only the work of launch() is counted. Stores counter i of a range in values[range * count + i],
 * or NaN if the device lacks the counter. If prepare() or launch() fails, returns its error. If
 * CUPTI fails, the error is ERROR_UNSUPPORTED, with CUPTI's reason and a remedy.
 */
bool counters_measure(struct counters *c, const char *const *names, int count, int range_count,
                      counters_step *prepare, counters_step *launch, void *context, double *values,
                      struct error *e);

/* What all calls to counters_measure() have cost in total, by kind of work. Times are in
 * seconds. */
struct counters_cost {
    /* the number of calls, and the number of ranges passed to them */
    int calls, ranges;
    int range_runs; /* the sum of ranges × passes over all calls */
    /* setting up new sets of counters: validating names, distributing the counters over passes, and
     * computing the size of the image */
    double set_up_s;
    double enable_s; /* acquiring and releasing the device's counters */
    /* initializing the image, the memory in which CUPTI records the counters, and giving the
     * schedule to the profiler */
    double image_s;
    double prepare_s, launch_s; /* the time in prepare() and launch() */
    double push_pop_s;          /* beginning and ending ranges */
    double start_stop_s;        /* beginning and ending passes */
    double decode_s;            /* decoding what the device has recorded into the image */
    double evaluate_s;          /* computing values from the image */
};
struct counters_cost counters_cost(const struct counters *c);

#endif
