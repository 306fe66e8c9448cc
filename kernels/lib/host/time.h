/*
 * These are the types of the C library's time.h. A file may still use them after its host functions are
 * removed. clock() and clock_t are built into the compiler.
 */
#ifndef REDSWEEP_HOST_TIME_H
#define REDSWEEP_HOST_TIME_H
#include <stddef.h>
typedef long time_t;
struct timespec {
    time_t tv_sec;
    long tv_nsec;
};
struct tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
};
#endif
