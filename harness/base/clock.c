/*
 * The host's clock: see clock.h.
 */
#include "base/clock.h"

#include <stdio.h>

double clock_now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

const char *clock_utc(time_t when, char out[32])
{
    struct tm utc;
    gmtime_r(&when, &utc);
    strftime(out, 32, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return out;
}

const char *clock_utc_now(char out[32])
{
    struct timespec t;
    struct tm utc;
    char seconds[24];
    clock_gettime(CLOCK_REALTIME, &t);
    gmtime_r(&t.tv_sec, &utc);
    strftime(seconds, sizeof seconds, "%Y-%m-%dT%H:%M:%S", &utc);
    snprintf(out, 32, "%s.%03dZ", seconds, (int)(t.tv_nsec / 1000000));
    return out;
}
