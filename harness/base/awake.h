/*
 * The clock of limits that blame somebody for silence.
 *
 * A process that is stopped (Ctrl-Z, a suspended job or machine, a frozen cgroup) finds, when it
 * goes on, that the host's clock has moved by the whole stop, in which those that it waits for were
 * stopped as well. So whoever waits does that in steps, and each step counts as no more than it was
 * meant to last.
 */
#ifndef REDSWEEP_BASE_AWAKE_H
#define REDSWEEP_BASE_AWAKE_H

/* The longest that a caller of awake_now_s() waits between two calls, in milliseconds. */
enum { AWAKE_STEP_MS = 200 };

/*
 * Seconds of a clock that runs as clock_now_s() does, but by no more than a step between two calls
 * of a thread. Its beginning means nothing, and times of two threads cannot be compared.
 */
double awake_now_s(void);

#endif
