/*
 * The progress of a request, and the estimated time left: see request_time.c.
 */
#ifndef REDSWEEP_RUN_REQUEST_TIME_H
#define REDSWEEP_RUN_REQUEST_TIME_H

#include "run/sweep_state.h"

/* Before the first request of a sweep: counts the points without a row. */
void requests_begin(struct sweep *s);

/* The first lane's device, with the bandwidth that its ceilings have shown. */
struct device_info requests_device(const struct sweep *s);

/* Notes a report on the lane's request, or that the request has ended. */
void request_heard(struct lane *l, const struct report *r);
void request_ended(struct lane *l, const struct group_request *r);

/* The finished share of a lane's batch, 0 to 1, from its reports. */
double batch_passed(const struct lane *l);

/* Seconds until all points of the plan that have no row yet are measured. */
double requests_left_s(const struct sweep *s);

#endif
