/*
 * Hardware counters of a GPU, through CUPTI, which is opened at run time.
 *
 * Two halves. The host half (which counters a chip has, how many passes they need) works without
 * a GPU and a driver. The range half measures: a list of ranges is run once per pass, all of them
 * between one start and stop of the profiler, because a start and stop per range costs ten times
 * as much. Nothing is replayed by CUPTI: the caller's prepare() restores the input each time.
 *
 * A machine without CUPTI, without permission, or with a GPU that cannot be profiled is not an
 * error: counters_open() succeeds, and counters_missing() says in one sentence why and what to do.
 */
#ifndef REDSWEEP_DEVICES_CUDA_COUNTERS_H
#define REDSWEEP_DEVICES_CUDA_COUNTERS_H

#include <stdbool.h>

#include "base/error.h"

struct counters;

/*
 * Opens CUPTI for a device of the CUDA runtime, whose primary context must be current in the
 * calling thread; all later calls come from that thread. Ordinal −1: the host half only, for
 * `chip` ("GH100"), without touching a driver. The result is the caller's: counters_close(), while
 * the context still exists.
 */
struct counters *counters_open(int cuda_device_ordinal, const char *chip);
void counters_close(struct counters *c);

/* "GH100"; "" when unknown. */
const char *counters_chip(const struct counters *c);

/* "CUPTI 13.0"; "" when the library is missing. */
const char *counters_library(const struct counters *c);

/* Why nothing can be counted, with the remedy; "" if counting is possible. */
const char *counters_missing(const struct counters *c);

/* The chips that the library knows, whatever device is present. `names` is CUPTI's own memory. */
bool counters_chips(const struct counters *c, const char *const **names, int *count,
                    struct error *e);

/*
 * Whether the chip has a counter ("sm__cycles_active.avg"). When not, `why` is one sentence.
 * Answers are remembered, so asking again is cheap.
 */
bool counters_has(struct counters *c, const char *counter, char why[256]);

/* NVIDIA's description and base unit of a counter; false if the chip does not have it. */
bool counters_describe(struct counters *c, const char *counter, char description[256],
                       char unit[64]);

/* The number of passes (runs of every range) that these counters need together; 0 if unknown. */
int counters_passes(struct counters *c, const char *const *names, int count);

/* The functions that are run for each range. Both return after the device has finished what they
 * started. */
typedef bool counters_step(void *context, int range, struct error *e);

/*
 * Measures `range_count` ranges: for every pass and every range, prepare (not counted), launch
 * (counted). values[range * count + i] is counter i of that range, NaN if the device does not have
 * it. The profiler holds the device only during the call. A failing prepare or launch ends it with
 * that step's error. ERROR_UNSUPPORTED carries CUPTI's reason and the remedy.
 */
bool counters_measure(struct counters *c, const char *const *names, int count, int range_count,
                      counters_step *prepare, counters_step *launch, void *context, double *values,
                      struct error *e);

/* The time of all counters_measure() calls by step, in seconds, and the number of calls and
 * ranges. */
struct counters_cost {
    int calls, ranges;          /* ranges: as the caller sees them, whatever the number of passes */
    int range_runs;             /* ranges × passes */
    double set_up_s;            /* new sets of counters: validation, schedule, size of the image */
    double enable_s;            /* taking and releasing the device's counters */
    double image_s;             /* initialising the image, handing over the schedule */
    double prepare_s, launch_s; /* the caller's own steps */
    double push_pop_s;          /* beginning and ending ranges */
    double start_stop_s;        /* beginning and ending passes */
    double decode_s;            /* from the device's records to the image */
    double evaluate_s;          /* from the image to values */
};
struct counters_cost counters_cost(const struct counters *c);

#endif
