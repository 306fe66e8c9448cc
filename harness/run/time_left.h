/* Estimates how long the remaining points will take; see time_left.c. */
#ifndef REDSWEEP_RUN_TIME_LEFT_H
#define REDSWEEP_RUN_TIME_LEFT_H

#include "base/vec.h"
#include "devices/device.h"
#include "plan/plan.h"

/*
 * The estimated time of a point in seconds: point_s, plus byte_s for each byte of the point's
 * input. The second part is at most bytes_most_s.
 */
struct point_cost {
    double point_s, byte_s;
    double bytes_most_s; /* the limit of the time for the bytes; 0: no limit */
};

double cost_of(const struct point_cost *cost, double bytes);

#define COMPILE_S 0.045 /* roughly, to compile one variant */

/*
 * Estimates the mean time of the plan's points if each is launched `launches` times, before
 * anything is measured. Assumes that each launch reads the input once. If a kernel works in place,
 * its input is also restored before each launch.
 */
struct point_cost launches_cost(const struct plan *plan, const struct device_info *info,
                                double launches);
/*
 * Like launches_cost(), but for the number of launches that the config requests. `passes` is how
 * often each point is launched to read counters.
 */
struct point_cost plan_point_cost(const struct plan *plan, const struct device_info *info,
                                  int passes);

/* All points whose inputs have the same size. */
struct size_times {
    double bytes;           /* size of a point's input */
    double left;            /* number of points that remain to be measured */
    double points, seconds; /* number of measured points, and their total time */
};

/* What is known about the time left on one device, or on several devices of the same model. */
struct time_left {
    struct point_cost planned;
    bool trusts_bytes; /* planned.byte_s is reliable, because it follows from a known bandwidth */
    VEC(struct size_times) sizes; /* one entry for each input size, in ascending order */
};

/*
 * Begins an estimate. No points were measured yet, and none remain. Free it with time_left_free().
 */
void time_left_begin(struct time_left *t, struct point_cost planned);
void time_left_free(struct time_left *t);
struct time_left time_left_copy(const struct time_left *t); /* time_left_free() frees it */

/*
 * Adds `points` points with `bytes` bytes of input each to those that remain to be measured. If
 * `points` is negative, removes them.
 */
void time_left_add(struct time_left *t, double bytes, double points);

/* Notes that measuring `points` points with `bytes` bytes of input each took `seconds` seconds. */
void time_left_observe(struct time_left *t, double bytes, double points, double seconds);

/*
 * Returns the total time of all measured points divided by the time that was planned for them, or 1
 * if no point was measured.
 */
double time_left_scale(const struct time_left *t);

/*
 * time_left_cost() estimates how many seconds it takes to measure a point with `bytes` bytes of
 * input, and time_left_s() how many seconds it takes to measure all remaining points.
 */
double time_left_cost(const struct time_left *t, double bytes);
double time_left_s(const struct time_left *t);

#endif
