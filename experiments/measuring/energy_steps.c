/*
 * Measures how a real GPU's energy counter steps, and how long reading it takes. measure/energy.c
 * looks for steps every 5 ms and relies on a few of them per second. Reads for three seconds while
 * the GPU is idle. Not part of `make test`:
 *
 *   make stage && build/experiments/measuring/energy_steps [GPU NUMBER]
 *
 * The exit code is 0 if the counter steps at least twice a second, 1 if it does not, and 77 without
 * a GPU or a counter.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/statistics.h"
#include "devices/device.h"

extern const struct device_driver cuda_driver;

enum { EXIT_SKIPPED = 77, READINGS_MOST = 1000000, STEPS_MOST = 100000, STEPS_LEAST = 6 };
#define SECONDS 3.0

static double took_us[READINGS_MOST], step_ms[STEPS_MOST], step_mj[STEPS_MOST];

static void show(const char *what, const char *unit, const double *values, size_t count)
{
    struct summary s;
    if (summarize(values, count, &s))
        printf("%s: %zu, median %.3g %s, %.3g to %.3g\n", what, s.count, s.median, unit, s.min,
               s.max);
}

static bool read_for_a_while(struct device *d, size_t *readings, size_t *steps, struct error *e)
{
    uint64_t mj, before = 0;
    double start_s = clock_now_s(), stepped_s = 0;
    *readings = *steps = 0;
    for (double now_s = start_s; now_s - start_s < SECONDS && *readings < READINGS_MOST;) {
        if (!cuda_driver.energy(d, &mj, e))
            return false;
        double after_s = clock_now_s();
        took_us[(*readings)++] = (after_s - now_s) * 1e6;
        now_s = after_s;
        if (before && mj != before && stepped_s > 0 && *steps < STEPS_MOST) {
            step_ms[*steps] = (now_s - stepped_s) * 1e3;
            step_mj[(*steps)++] = (double)mj - (double)before;
        }
        if (before && mj != before)
            stepped_s = now_s;
        before = mj;
    }
    return true;
}

int main(int count, char **arguments)
{
    struct device *d;
    struct error e = {0};
    struct device_info info;
    size_t readings, steps;
    if (!cuda_driver.open(count > 1 ? arguments[1] : "", NULL, &d, &e)) {
        printf("energy_steps: skipped: %s\n", e.text);
        return EXIT_SKIPPED;
    }
    cuda_driver.describe(d, &info);
    if (!info.can_meter) {
        printf("energy_steps: skipped: %s\n", info.energy_missing);
        cuda_driver.close(d);
        return EXIT_SKIPPED;
    }
    bool ok = read_for_a_while(d, &readings, &steps, &e);
    cuda_driver.close(d);
    if (!ok) {
        printf("energy_steps: FAILED: %s\n", e.text);
        return 1;
    }
    printf("%s, %g s without work\n", info.name, SECONDS);
    show("readings", "us each", took_us, readings);
    show("steps", "ms apart", step_ms, steps);
    show("steps", "mJ each", step_mj, steps);
    printf("energy_steps: %s\n", steps >= STEPS_LEAST ? "passed" : "FAILED: too few steps");
    return steps >= STEPS_LEAST ? 0 : 1;
}
