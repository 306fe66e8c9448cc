/* Estimates how long the remaining points will take; see time_left.c. */
#ifndef REDSWEEP_RUN_TIME_LEFT_H
#define REDSWEEP_RUN_TIME_LEFT_H

#include "base/vec.h"
#include "devices/device.h"
#include "plan/plan.h"

/* The time of a point in seconds: a constant, plus a time per byte of its input, up to a limit. */
struct point_cost {
    double point_s, byte_s;
    double bytes_most_s; /* limits the time for the bytes; 0: no limit */
};

double cost_of(const struct point_cost *cost, double bytes);

#define COMPILE_S 0.045 /* roughly, per variant */

/*
 * Estimates the mean time of the plan's points before anything is measured. Assumes that each
 * launch reads its input once, and that the input is restored before each launch if the kernel
 * works in place.
 */
struct point_cost launches_cost(const struct plan *plan, const struct device_info *info,
                                double launches);
/*
 * The same for the number of launches that the config requests. `passes` is the number of counting
 * passes per point.
 */
struct point_cost plan_point_cost(const struct plan *plan, const struct device_info *info,
                                  int passes);

/* Points with inputs of the same size. */
struct size_times {
    double bytes;           /* of input per point */
    double left;            /* points left */
    double points, seconds; /* measured points, and their total time */
};

/* The time left on one device, or on several of the same model. */
struct time_left {
    struct point_cost planned;
    bool trusts_bytes; /* the estimated time per byte is for launches at a known bandwidth */
    VEC(struct size_times) sizes; /* in ascending order */
};

/* Begins an estimate with no points left and none measured. Free it with time_left_free(). */
void time_left_begin(struct time_left *t, struct point_cost planned);
void time_left_free(struct time_left *t);
struct time_left time_left_copy(const struct time_left *t); /* time_left_free() frees it */

/* Adds `points` points of `bytes` bytes each to those left, or removes them if negative. */
void time_left_add(struct time_left *t, double bytes, double points);

/* Notes that `points` points of `bytes` bytes each were measured in `seconds` seconds. */
void time_left_observe(struct time_left *t, double bytes, double points, double seconds);

/*
 * Returns the total time of all measured points divided by the estimate for them, or 1 if nothing
 * was measured.
 */
double time_left_scale(const struct time_left *t);

/*
 * time_left_cost() estimates how many seconds a point of `bytes` bytes takes, and time_left_s() all
 * remaining points.
 */
double time_left_cost(const struct time_left *t, double bytes);
double time_left_s(const struct time_left *t);

#endif
