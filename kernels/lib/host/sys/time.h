/* These are the types of sys/time.h, as in time.h. */
#ifndef REDSWEEP_HOST_SYS_TIME_H
#define REDSWEEP_HOST_SYS_TIME_H
#include <time.h>
struct timeval {
    time_t tv_sec;
    long tv_usec;
};
struct timezone {
    int tz_minuteswest, tz_dsttime;
};
#endif
