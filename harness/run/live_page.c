/*
 * Writes the HTML page of a run in progress; see live_page.h.
 *
 * A separate process reads the rows that are already on disk and draws the page, so the event loop
 * does not wait for the page.
 */
#include "run/live_page.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "run/rows.h"

enum { EVERY_S = 5, TIMES_AS_LONG = 50, MOST_POINTS = 20000 };

/*
 * If the process that writes the page has ended, notes whether it succeeded and when the next page
 * is due. `options` are those of waitpid().
 */
static void reap(struct sweep *s, int options)
{
    int status = 0;
    pid_t ended;
    while ((ended = waitpid(s->page.process, &status, options)) < 0 && errno == EINTR)
        ;
    if (ended == 0)
        return;
    const double now = clock_now_s();
    s->page.process = 0;
    s->page.failed = ended < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    s->page.due_s = now + fmax(EVERY_S, TIMES_AS_LONG * (now - s->page.began_s));
    s->result->page_written = s->result->page_written || !s->page.failed;
}

void live_page_write(struct sweep *s)
{
    const struct sweep_options *o = s->options;
    if (s->page.process > 0)
        reap(s, WNOHANG);
    if (s->page.process > 0 || s->page.failed || !o->page || s->side_count > 1 ||
        !s->sides[0].record || !s->source || s->plan->point_count > MOST_POINTS ||
        s->result->rows == s->page.rows || clock_now_s() < s->page.due_s)
        return;
    s->page.rows = s->result->rows;
    s->page.began_s = clock_now_s();
    fflush(NULL); /* otherwise, both processes would write the buffered output */
    const pid_t parent = getpid(), process = fork();
    if (process == 0) {
        /* so that this process does not keep the run's lock after the run was killed */
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        /* running out of memory must end only this process */
        (void)memory_set_hook(NULL);
        _exit(getppid() == parent && o->page(s->result->folder, !s->result->page_written) ? 0 : 1);
    }
    s->page.failed = process < 0;
    s->page.process = process > 0 ? process : 0;
}

void live_page_end(struct sweep *s)
{
    if (s->page.process > 0)
        reap(s, 0);
}
