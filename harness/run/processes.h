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
 * children can be waited for. The previous actions are stored in `before`, from which
 * signals_restore() restores them.
 */
void signals_catch(void (*handler)(int), struct sigaction before[PROCESS_SIGNALS]);
void signals_restore(const struct sigaction before[PROCESS_SIGNALS]);

/* The signal that asked the run to end (0: none has), and the number of signals that did. */
extern volatile sig_atomic_t sweep_stop_signal, sweep_stop_count;

/* Records a signal in these two variables. It is a handler for signals_catch(). */
void signals_stop(int number);

#endif
