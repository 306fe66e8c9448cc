/*
 * One clock for everything that is measured on the host.
 */
#ifndef REDSWEEP_BASE_CLOCK_H
#define REDSWEEP_BASE_CLOCK_H

/* Seconds of a clock that only runs forward; its beginning means nothing. */
double clock_now_s(void);

#endif
