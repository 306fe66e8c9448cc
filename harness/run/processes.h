/*
 * Handles the signals that end a run.
 */
#ifndef REDSWEEP_RUN_PROCESSES_H
#define REDSWEEP_RUN_PROCESSES_H

#include <signal.h>

enum { PROCESS_SIGNALS = 6 };

/*
 * Installs `handler` for SIGINT, SIGTERM and SIGHUP, except for those that were ignored when the
 * program started (nohup). SIGPIPE and SIGXFSZ are ignored, so that writing to a closed pipe or
 * beyond the limit of a file's size returns an error. SIGCHLD gets its default action, so that
 * children can be waited for. The previous actions are stored in `before`, so that
 * signals_restore() can restore them.
 */
void signals_catch(void (*handler)(int), struct sigaction before[PROCESS_SIGNALS]);
void signals_restore(const struct sigaction before[PROCESS_SIGNALS]);

/*
 * This is the signal that asked the run to end, or 0 if no signal has arrived. The second variable
 * is the number of these signals.
 */
extern volatile sig_atomic_t sweep_stop_signal, sweep_stop_count;

/* Records a signal in these two variables. It is a handler for signals_catch(). */
void signals_stop(int number);

#endif
