/*
 * This clock is for time limits. A process that is silent for longer than its limit is treated as
 * faulty.
 *
 * A process may be stopped (by Ctrl-Z, a suspended job or machine, or a frozen cgroup) and continue
 * later. The host's clock has then advanced by the length of the stop, although the processes that
 * the stopped process waits for were stopped as well. A waiting process therefore waits in steps,
 * and each step counts as no more than its intended length.
 */
#ifndef REDSWEEP_BASE_AWAKE_H
#define REDSWEEP_BASE_AWAKE_H

/* The longest time that a caller of awake_now_s() may wait between two calls, in milliseconds. */
enum { AWAKE_STEP_MS = 200 };

/*
 * Returns the seconds of a clock that runs like clock_now_s(), but advances by at most
 * AWAKE_STEP_MS between two calls from the same thread. Its origin has no meaning, and times from
 * different threads cannot be compared.
 */
double awake_now_s(void);

#endif
