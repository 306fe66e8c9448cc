/* Estimates the progress of a request and how long a sweep still takes; see request_time.c. */
#ifndef REDSWEEP_RUN_REQUEST_TIME_H
#define REDSWEEP_RUN_REQUEST_TIME_H

#include "run/sweep_state.h"

/* Begins the estimate of a sweep before its first request, and counts the points without a row. */
void requests_begin(struct sweep *s);

/* Returns the description of the first lane's device, with the bandwidth from its ceilings. */
struct device_info requests_device(const struct sweep *s);

/* request_heard() notes a report on the lane's request. request_ended() notes that the request has
 * ended. */
void request_heard(struct lane *l, const struct report *r);
void request_ended(struct lane *l, const struct group_request *r);

/* Returns how much of a lane's batch is finished, from 0 to 1, according to the reports. */
double batch_passed(const struct lane *l);

/* Returns in how many seconds all points of the plan should have a row. */
double requests_left_s(const struct sweep *s);

#endif
