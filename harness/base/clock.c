/*
 * The host's clock: see clock.h.
 */
#include "base/clock.h"

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
