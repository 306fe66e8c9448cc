/* Handles the signals that end a run. */
#ifndef REDSWEEP_RUN_PROCESSES_H
#define REDSWEEP_RUN_PROCESSES_H

#include <signal.h>

enum { PROCESS_SIGNALS = 6 };

/*
 * Installs `handler` for SIGINT, SIGTERM and SIGHUP, except for those that were ignored when the
 * program started (nohup). Ignores SIGPIPE and SIGXFSZ, so that writing to a closed pipe or past
 * the file size limit returns an error. Resets SIGCHLD, so that children can be waited for. Stores
 * the previous actions in `before` for signals_restore().
 */
void signals_catch(void (*handler)(int), struct sigaction before[PROCESS_SIGNALS]);
void signals_restore(const struct sigaction before[PROCESS_SIGNALS]);

/* The signal that asked the run to end, or 0, and how many of these signals have arrived. */
extern volatile sig_atomic_t sweep_stop_signal, sweep_stop_count;

/* Records a signal in these two variables. A handler for signals_catch(). */
void signals_stop(int number);

#endif
