/*
 * A clock for time limits. A process that is silent for longer than its limit counts as faulty.
 *
 * All processes of a run may be stopped together (by Ctrl-Z, a suspended job or machine, or a
 * frozen cgroup) and continue later. The host's clock advances during the stop, so a process that
 * waits for another would conclude that the other one was silent for too long. Therefore a waiting
 * process reads this clock every AWAKE_STEP_MS, and the clock advances by at most that much between
 * two readings.
 */
#ifndef REDSWEEP_BASE_AWAKE_H
#define REDSWEEP_BASE_AWAKE_H

/*
 * How long a caller of awake_now_s() may wait between two calls, in milliseconds. Any longer wait
 * counts as one of this length.
 */
enum { AWAKE_STEP_MS = 200 };

/*
 * Returns seconds like clock_now_s(), but advances by at most AWAKE_STEP_MS between two calls from
 * the same thread. Only differences between times from the same thread have a meaning.
 */
double awake_now_s(void);

#endif
