/*
 * How long the remaining points will take: see time_left.c.
 */
#ifndef REDSWEEP_RUN_TIME_LEFT_H
#define REDSWEEP_RUN_TIME_LEFT_H

#include "base/vec.h"
#include "devices/device.h"
#include "plan/plan.h"

/* The time of a point, in seconds: a constant, and a time for each byte of its input, up to a
 * limit. */
struct point_cost {
    double point_s, byte_s;
    double bytes_most_s; /* 0: no limit */
};

double cost_of(const struct point_cost *cost, double bytes);

#define COMPILE_S 0.045 /* a variant, about */

/* A guess, before anything is measured: each launch reads its input once, and rewrites it if the
 * kernel works in place. The mean over the plan's points. */
struct point_cost launches_cost(const struct plan *plan, const struct device_info *info,
                                double launches);
/* The same with the number of launches that the config requests. `passes`: number of passes for
 * counting a point. */
struct point_cost plan_point_cost(const struct plan *plan, const struct device_info *info,
                                  int passes);

/* The points of a size. */
struct size_times {
    double bytes;           /* of a point's input */
    double left;            /* points that are left */
    double points, seconds; /* points that were measured, and their total time */
};

/* For one device, or for several of the same model. */
struct time_left {
    struct point_cost planned;
    bool
        trusts_bytes; /* the guess of what bytes take: it is that of launches at a known bandwidth */
    VEC(struct size_times) sizes; /* ascending */
};

/* Starts with no points left and none measured. Free with time_left_free(). */
void time_left_begin(struct time_left *t, struct point_cost planned);
void time_left_free(struct time_left *t);
struct time_left time_left_copy(const struct time_left *t); /* time_left_free() */

/* Adds this many points (below 0: removes them) of this many bytes each to those that are left. */
void time_left_add(struct time_left *t, double bytes, double points);

/* This many points of this many bytes each were measured in that time. */
void time_left_observe(struct time_left *t, double bytes, double points, double seconds);

/* The total time of all measured points, divided by the guess; 1: nothing was measured. */
double time_left_scale(const struct time_left *t);

/* Seconds for a point of this many bytes, estimated from all measured points; and for all remaining
 * points. */
double time_left_cost(const struct time_left *t, double bytes);
double time_left_s(const struct time_left *t);

#endif
