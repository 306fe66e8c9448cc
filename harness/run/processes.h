/*
 * The signals that end a run.
 */
#ifndef REDSWEEP_RUN_PROCESSES_H
#define REDSWEEP_RUN_PROCESSES_H

#include <signal.h>

enum { PROCESS_SIGNALS = 6 };

/*
 * SIGINT, SIGTERM and SIGHUP call `handler`, unless they were ignored when the program started
 * (nohup). A closed pipe and a file that grew too large become errors of the write, and children
 * are waited for, whatever dispositions were inherited. `before` is what signals_restore() puts
 * back.
 */
void signals_catch(void (*handler)(int), struct sigaction before[PROCESS_SIGNALS]);
void signals_restore(const struct sigaction before[PROCESS_SIGNALS]);

/* The signal that asked the run to end; 0 if none did. The number of such signals. */
extern volatile sig_atomic_t sweep_stop_signal, sweep_stop_count;

/* A handler for signals_catch() that records them there. */
void signals_stop(int number);

#endif
