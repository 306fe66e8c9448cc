/* Handles the signals that end a run. */
#ifndef REDSWEEP_RUN_PROCESSES_H
#define REDSWEEP_RUN_PROCESSES_H

#include <signal.h>

enum { PROCESS_SIGNALS = 6 };

/*
 * signals_catch() installs `handler` for SIGINT, SIGTERM and SIGHUP. A signal that was ignored when
 * the program started, as with nohup, stays ignored. SIGPIPE and SIGXFSZ are ignored, so that
 * writing to a closed pipe or past the file size limit returns an error. SIGCHLD gets its default
 * action, so that the program can wait for its children. The previous actions are stored in
 * `before`, and signals_restore() restores them.
 */
void signals_catch(void (*handler)(int), struct sigaction before[PROCESS_SIGNALS]);
void signals_restore(const struct sigaction before[PROCESS_SIGNALS]);

/*
 * sweep_stop_signal is the latest signal that asked the run to end, or 0. sweep_stop_count is how
 * many such signals have arrived.
 */
extern volatile sig_atomic_t sweep_stop_signal, sweep_stop_count;

/* A handler for signals_catch(). Records a signal in sweep_stop_signal and sweep_stop_count. */
void signals_stop(int number);

#endif
