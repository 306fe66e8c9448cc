/*
 * One clock for everything that is measured on the host, and the format of a time of day.
 */
#ifndef REDSWEEP_BASE_CLOCK_H
#define REDSWEEP_BASE_CLOCK_H

#include <time.h>

/* Seconds on a clock that only runs forward; its origin has no meaning. */
double clock_now_s(void);

/* A time of day as files have it: "2026-11-22T16:30:00Z" (ISO 8601, UTC). Returns `out`. */
const char *clock_utc(time_t when, char out[32]);

/* The present time, with milliseconds: "2026-11-22T16:30:00.250Z". Returns `out`. */
const char *clock_utc_now(char out[32]);

#endif
