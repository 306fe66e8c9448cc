/*
 * The host's clock and poll() for tests of limits (ld --wrap of clock_now_s and poll): no test waits
 * for a limit, and no status depends on how busy the machine is.
 */
#ifndef REDSWEEP_TESTS_FAULTS_SKIPPING_CLOCK_H
#define REDSWEEP_TESTS_FAULTS_SKIPPING_CLOCK_H

/*
 * The calling process hangs from here on: until it has been killed, a poll() of another process
 * that finds nothing advances the clock by its timeout, and takes no time.
 */
void clock_hang(void);

/*
 * Makes the clock jump, as if all processes of the test had been stopped for longer than any limit.
 * Returns when the others have noticed.
 */
void clock_stop(void);

#endif
