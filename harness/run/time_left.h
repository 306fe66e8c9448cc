/*
 * Estimates how long the remaining points will take, as time_left.c explains.
 */
#ifndef REDSWEEP_RUN_TIME_LEFT_H
#define REDSWEEP_RUN_TIME_LEFT_H

#include "base/vec.h"
#include "devices/device.h"
#include "plan/plan.h"

/* The time of a point in seconds: a constant, and a time for each byte of its input, up to a
 * limit. */
struct point_cost {
    double point_s, byte_s;
    double bytes_most_s; /* the limit of the time for the bytes; 0: there is none */
};

double cost_of(const struct point_cost *cost, double bytes);

#define COMPILE_S 0.045 /* the approximate time to compile a variant */

/*
 * Estimates the time of a point before anything is measured, as the mean over the plan's points.
 * The estimate assumes that each launch reads its input once, and that the input is restored before
 * each launch if the kernel works in place.
 */
struct point_cost launches_cost(const struct plan *plan, const struct device_info *info,
                                double launches);
/* Makes the same estimate for the number of launches that the config requests. `passes` is the
 * number of passes that counting a point takes. */
struct point_cost plan_point_cost(const struct plan *plan, const struct device_info *info,
                                  int passes);

/* The points whose inputs have the same size. */
struct size_times {
    double bytes;           /* the size of a point's input */
    double left;            /* the number of points that are left */
    double points, seconds; /* the number of points that were measured, and their total time */
};

/* The time left on one device, or on several devices of the same model. */
struct time_left {
    struct point_cost planned;
    bool trusts_bytes; /* the estimated time per byte comes from launches at a known bandwidth */
    VEC(struct size_times) sizes; /* in ascending order */
};

/*
 * Begins an estimate, in which no points are left and no points were measured. time_left_free()
 * frees it.
 */
void time_left_begin(struct time_left *t, struct point_cost planned);
void time_left_free(struct time_left *t);
struct time_left time_left_copy(const struct time_left *t); /* time_left_free() frees it */

/*
 * Adds `points` points of `bytes` bytes each to the points that are left. If `points` is negative,
 * removes points.
 */
void time_left_add(struct time_left *t, double bytes, double points);

/* Notes that `points` points of `bytes` bytes each were measured in `seconds` seconds. */
void time_left_observe(struct time_left *t, double bytes, double points, double seconds);

/* Returns the total time of all measured points, divided by the estimate for these points. Returns
 * 1 if nothing was measured. */
double time_left_scale(const struct time_left *t);

/* time_left_cost() estimates the seconds for a point of `bytes` bytes from all measured points.
 * time_left_s() estimates the seconds for all remaining points. */
double time_left_cost(const struct time_left *t, double bytes);
double time_left_s(const struct time_left *t);

#endif
