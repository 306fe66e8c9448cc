/* Replaces the host's clock and poll() in tests of limits (ld --wrap of clock_now_s and poll).
 * The tests do not have to wait for limits, and no status depends on how busy the machine is. */
#ifndef REDSWEEP_TESTS_FAULTS_SKIPPING_CLOCK_H
#define REDSWEEP_TESTS_FAULTS_SKIPPING_CLOCK_H

/* Marks the calling process as hanging until it is killed. In other processes, a poll() that
 * finds no event then advances the clock by its timeout and returns immediately. */
void clock_hang(void);

/* Makes the clock jump, as if all of the test's processes had been stopped for longer than any
 * limit. Returns once the other processes have read the clock again. */
void clock_stop(void);

#endif
