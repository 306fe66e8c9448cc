/*
 * The clock for limits after which a silent process is blamed.
 *
 * When a process is stopped (Ctrl-Z, a suspended job or machine, a frozen cgroup) and continues,
 * the host's clock has moved by the length of the stop, during which the processes that it waits
 * for were stopped as well. A waiting process therefore waits in steps, and each step counts as no
 * more than its intended length.
 */
#ifndef REDSWEEP_BASE_AWAKE_H
#define REDSWEEP_BASE_AWAKE_H

/* The longest that a caller of awake_now_s() waits between two calls, in milliseconds. */
enum { AWAKE_STEP_MS = 200 };

/*
 * Seconds of a clock that runs as clock_now_s() does, but by no more than a step between two calls
 * of a thread. Its origin has no meaning, and times of two threads cannot be compared.
 */
double awake_now_s(void);

#endif
