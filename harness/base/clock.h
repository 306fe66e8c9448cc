/* The clock of all measurements on the host, and the format of a time of day. */
#ifndef REDSWEEP_BASE_CLOCK_H
#define REDSWEEP_BASE_CLOCK_H

#include <time.h>

/* Returns the seconds of a clock that only runs forward, from an arbitrary start. */
double clock_now_s(void);

/*
 * Writes a time of day as files contain it: "2026-11-22T16:30:00Z" (ISO 8601, UTC). Returns `out`.
 */
const char *clock_utc(time_t when, char out[32]);

/* Writes the current time with milliseconds: "2026-11-22T16:30:00.250Z". Returns `out`. */
const char *clock_utc_now(char out[32]);

#endif
