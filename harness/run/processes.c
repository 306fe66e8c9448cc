/* Handles the signals that end a run; see processes.h. */
#include "run/processes.h"

#include <stdbool.h>
#include <string.h>
#include <time.h>

/* The first three signals end the run. */
static const int signals[PROCESS_SIGNALS] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ, SIGCHLD};

void signals_catch(void (*handler)(int), struct sigaction before[PROCESS_SIGNALS])
{
    struct sigaction action;
    /* Without SA_RESTART, a signal interrupts poll() and read(). */
    memset(&action, 0, sizeof action);
    for (int i = 0; i < PROCESS_SIGNALS; i++) {
        sigaction(signals[i], NULL, &before[i]);
        action.sa_handler = i < 3 ? handler : signals[i] == SIGCHLD ? SIG_DFL : SIG_IGN;
        if (i >= 3 || before[i].sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
}

void signals_restore(const struct sigaction before[PROCESS_SIGNALS])
{
    for (int i = 0; i < PROCESS_SIGNALS; i++)
        sigaction(signals[i], &before[i], NULL);
}

volatile sig_atomic_t sweep_stop_signal, sweep_stop_count;

static volatile sig_atomic_t stopped_at_s; /* when the last signal arrived that asked the run to
                                              end, in seconds of the monotonic clock */

/*
 * Counts several SIGTERMs within about a second as one, because the same request may arrive twice:
 * a batch system may send it to every process of a job, and the job's shell may pass it on.
 */
void signals_stop(int number)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    bool again = sweep_stop_signal == number && number == SIGTERM &&
                 (sig_atomic_t)now.tv_sec - stopped_at_s <= 1;
    stopped_at_s = (sig_atomic_t)now.tv_sec;
    sweep_stop_signal = number;
    if (!again)
        sweep_stop_count++;
}
