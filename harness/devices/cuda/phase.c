/*
 * Where a timed launch stands among all launches of its stream.
 *
 * With cold caches that decides over a microsecond: on an H200 an empty kernel takes 4.02, 3.40,
 * 3.31 or 2.99 us by its number modulo 4, and so does every other kernel, by as much. Four launches
 * share what the GPU must fetch about them, and a launch whose neighbours were fetched lately finds
 * it in the cache. With warm caches there is no difference. Left alone, a kernel's time would
 * depend on how many launches each trial before it happened to have.
 *
 * So every trial ends where that costs least: empty launches go before the flush until the trial's
 * last launch has that place. Places are tried by timing empty kernels that stand 16 launches
 * apart: closer together, they find what the one before has fetched. The period is looked for
 * once, the best place again whenever something else may have used the stream meanwhile.
 */
#include "devices/cuda/cuda_device.h"

#include <math.h>

#include "base/statistics.h"

enum { PLACES = 16, SAMPLES = 4 };
/* Places differ by this share of the best one's time, or it does not matter which one is taken. */
#define LEAST_EFFECT 0.1
/* Places that are one place, a period apart, differ by less than this share of all differences. */
#define SAME_PLACE 0.4

/* Times an empty kernel SAMPLES times in each of the first `places` of PLACES. */
static bool time_places(struct device *d, unsigned places, double *medians, struct error *e)
{
    struct launch nothing = cuda_empty_launch(d);
    struct trial trials[PLACES * SAMPLES];
    double us[PLACES * SAMPLES], of_place[SAMPLES];
    unsigned count = places * SAMPLES;
    for (unsigned i = 0; i < count; i++)
        trials[i] = (struct trial){.input = d->flush_clean,
                                   .cache = CACHE_COLD,
                                   .launches = &nothing,
                                   .launch_count = 1,
                                   .repeat = 1};
    d->phase = (struct launch_phase){.period = PLACES, .at = 0, .walk = places, .stale = true};
    bool ok = cuda_time_queued(d, trials, (int)count, us, e);
    d->phase.walk = 0;
    for (unsigned place = 0; ok && place < places; place++) {
        for (unsigned i = 0; i < SAMPLES; i++)
            of_place[i] = us[i * places + place];
        medians[place] = median_in_place(of_place, SAMPLES);
    }
    return ok;
}

/* The largest distance of two of the medians that are `stride` apart from `first` on. */
static double range(const double *medians, unsigned first, unsigned stride)
{
    double least = INFINITY, most = -INFINITY;
    for (unsigned i = first; i < PLACES; i += stride) {
        least = fmin(least, medians[i]);
        most = fmax(most, medians[i]);
    }
    return most - least;
}

/* The shortest period that the times have; 1 when there is none. */
static unsigned period_of(const double medians[PLACES])
{
    double all = range(medians, 0, 1);
    if (all < LEAST_EFFECT * medians[0])
        return 1;
    for (unsigned period = 2; period < PLACES; period *= 2) {
        double most = 0;
        for (unsigned i = 0; i < period; i++)
            most = fmax(most, range(medians, i, period));
        if (most < SAME_PLACE * all)
            return period;
    }
    return 1;
}

/* A failure leaves all unknown. */
static bool find_place(struct device *d, struct error *e)
{
    double medians[PLACES];
    unsigned period = d->phase.period, places = period > 0 ? period : PLACES, best = 0;
    bool found = period == 1 || time_places(d, places, medians, e);
    d->phase.period = 0;
    if (!found)
        return false;
    if (period == 0)
        period = period_of(medians);
    for (unsigned i = 1; i < period; i++)
        if (medians[i] < medians[best])
            best = i;
    d->phase.period = period;
    d->phase.at = best;
    d->phase.stale = false;
    return true;
}

bool cuda_time(struct device *d, const struct trial *trials, int count, double *us, struct error *e)
{
    if (!cuda_timing_open(d, e))
        return false;
    for (int i = 0; i < count; i++)
        for (int l = 0; l < trials[i].launch_count; l++)
            if (!cuda_count_host(d, &trials[i].launches[l], e))
                return false;
    return ((!d->phase.stale && d->phase.period > 0) || find_place(d, e)) &&
           cuda_time_queued(d, trials, count, us, e);
}
