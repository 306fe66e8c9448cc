/*
 * A clock for time limits. A process that is silent for longer than its limit counts as faulty.
 *
 * A process may be stopped (by Ctrl-Z, a suspended job or machine, or a frozen cgroup) and continue
 * later. The host's clock has then advanced by the length of the stop, although the processes that
 * the stopped one waits for were stopped as well. So it waits in steps, each of which counts as no
 * more than its intended length.
 */
#ifndef REDSWEEP_BASE_AWAKE_H
#define REDSWEEP_BASE_AWAKE_H

/* How long a caller of awake_now_s() may wait between two calls, in milliseconds. */
enum { AWAKE_STEP_MS = 200 };

/*
 * Returns seconds like clock_now_s(), but advances by at most AWAKE_STEP_MS between two calls from
 * the same thread. Where it starts has no meaning, and times from different threads cannot be
 * compared.
 */
double awake_now_s(void);

#endif
