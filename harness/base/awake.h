/*
 * This clock is for limits after which a silent process is blamed.
 *
 * A process may be stopped (by Ctrl-Z, a suspended job or machine, or a frozen cgroup) and continue
 * later. The clock of the host has then moved by the length of the stop, although the processes
 * that it waits for were stopped as well. A waiting process therefore waits in steps, and each step
 * counts as no more than its intended length.
 */
#ifndef REDSWEEP_BASE_AWAKE_H
#define REDSWEEP_BASE_AWAKE_H

/*
 * This is the longest time that a caller of awake_now_s() may wait between two calls, in
 * milliseconds.
 */
enum { AWAKE_STEP_MS = 200 };

/*
 * Returns the seconds of a clock that runs as clock_now_s() does, but advances by no more than a
 * step between two calls of a thread. Its origin has no meaning, and times of two threads cannot be
 * compared.
 */
double awake_now_s(void);

#endif
