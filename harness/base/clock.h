/* The clock with which all durations on the host are measured, and the format of times of day. */
#ifndef REDSWEEP_BASE_CLOCK_H
#define REDSWEEP_BASE_CLOCK_H

#include <time.h>

/* Returns the seconds of a clock that only runs forward, from an arbitrary start. */
double clock_now_s(void);

/*
 * Writes `when` in the format that all files use: "2026-11-22T16:30:00Z" (ISO 8601, UTC). Returns
 * `out`.
 */
const char *clock_utc(time_t when, char out[32]);

/*
 * Writes the current time in the same format, but with milliseconds: "2026-11-22T16:30:00.250Z".
 * Returns `out`.
 */
const char *clock_utc_now(char out[32]);

#endif
