/*
 * How far a request is, and the time that is left by that: see request_time.c.
 */
#ifndef REDSWEEP_RUN_REQUEST_TIME_H
#define REDSWEEP_RUN_REQUEST_TIME_H

#include "run/sweep_state.h"

/* Before the first request of a sweep: the points that have no row yet are left. */
void requests_begin(struct sweep *s);

/* The first lane's device, with the bandwidth that its ceilings have shown. */
struct device_info requests_device(const struct sweep *s);

/* What the worker reported of the lane's request, and that the request has ended. */
void request_heard(struct lane *l, const struct report *r);
void request_ended(struct lane *l, const struct group_request *r);

/* How much of its batch a lane has behind it, 0 to 1, by what was reported. */
double batch_passed(const struct lane *l);

/* Seconds until all points of the plan that have no row yet are measured. */
double requests_left_s(const struct sweep *s);

#endif
