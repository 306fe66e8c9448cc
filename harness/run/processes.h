/*
 * What the processes of a run have in common: the signals that end them, and the pipes between
 * them.
 */
#ifndef REDSWEEP_RUN_PROCESSES_H
#define REDSWEEP_RUN_PROCESSES_H

#include <signal.h>
#include <stdbool.h>

#include "base/error.h"

enum { PROCESS_SIGNALS = 6 };

/*
 * SIGINT, SIGTERM and SIGHUP call `handler`, unless they were ignored when the program started
 * (nohup). A closed pipe and a file that grew too large are errors of the write, and children are
 * waited for, whatever was inherited. `before` is what signals_restore() puts back.
 */
void signals_catch(void (*handler)(int), struct sigaction before[PROCESS_SIGNALS]);
void signals_restore(const struct sigaction before[PROCESS_SIGNALS]);

/* Two pipes, from the parent to a child and back; both or none. The ends are the caller's. */
bool pipes_make(int down[2], int up[2], struct error *e);

#endif
