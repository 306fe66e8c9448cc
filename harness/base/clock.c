/* Implements clock.h. */
#include "base/clock.h"

#include <stdio.h>
#include <string.h>

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
    clock_gettime(CLOCK_REALTIME, &t);
    size_t zone = strlen(clock_utc(t.tv_sec, out)) - 1;
    snprintf(out + zone, 32 - zone, ".%03dZ", (int)(t.tv_nsec / 1000000));
    return out;
}
