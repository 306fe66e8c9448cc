/*
 * How long the points that are left will take.
 *
 * A point costs so many seconds, and so many for each byte of its input. At first the planner's
 * guess of the two holds (plan_point_cost()); then least squares of the relative errors of all
 * requests that were measured.
 */
#ifndef REDSWEEP_RUN_TIME_LEFT_H
#define REDSWEEP_RUN_TIME_LEFT_H

#include <stdbool.h>

/* What a point takes, in seconds: itself, and each byte of its input. */
struct point_cost {
    double point_s, byte_s;
};

struct time_left {
    double points, bytes;      /* that are left */
    double pp, pb, bb, pt, bt; /* sums of weighted products of points, bytes and times */
};

/* Nothing is left; the guess is `planned`. */
void time_left_begin(struct time_left *t, struct point_cost planned);

/* A point of so many bytes is to be measured; a point has been. */
void time_left_add(struct time_left *t, double bytes);
void time_left_remove(struct time_left *t, double bytes);

/* So many points with so many bytes altogether took that long, on one device. */
void time_left_observe(struct time_left *t, double points, double bytes, double seconds);

/* What a point costs by all that was observed. */
struct point_cost time_left_cost(const struct time_left *t);

/* Seconds, while so many devices work at the same time. */
double time_left_s(const struct time_left *t, int devices);

#endif
