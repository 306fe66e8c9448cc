/* Estimates how much of a request is done, and how long a sweep still takes; see request_time.c. */
#ifndef REDSWEEP_RUN_REQUEST_TIME_H
#define REDSWEEP_RUN_REQUEST_TIME_H

#include "run/sweep_state.h"

/*
 * Begins the estimate of how long a sweep takes, before its first request. Counts the points that
 * have no row yet.
 */
void requests_begin(struct sweep *s);

/*
 * Returns the properties of the first lane's device. The bandwidth in them is the measured read
 * ceiling, if there is one.
 */
struct device_info requests_device(const struct sweep *s);

/*
 * request_heard() notes that a report on the lane's request has arrived. request_ended() notes how
 * long the request took.
 */
void request_heard(struct lane *l, const struct report *r);
void request_ended(struct lane *l, const struct group_request *r);

/* Returns an estimate of how much of a lane's batch is finished, from 0 to 1. */
double batch_passed(const struct lane *l);

/* Returns in how many seconds all points of the plan should have a row. */
double requests_left_s(const struct sweep *s);

#endif
