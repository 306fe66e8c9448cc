/*
 * The loop over all lanes of a sweep: free ones are given jobs, and what the others' workers say is
 * taken as it comes. It waits in one place, for workers, for a source's input and output, and for
 * rows that have to go to disk; nothing that it calls waits.
 */
#include "run/loop.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/awake.h"
#include "base/clock.h"
#include "run/rows.h"

enum { SLICE_MS = AWAKE_STEP_MS }; /* how soon a signal is noticed, at the latest */

static bool any_busy(const struct sweep *s)
{
    for (int i = 0; i < s->lane_count; i++)
        if (lane_is_busy(&s->lanes[i]))
            return true;
    return false;
}

static bool advance_all(struct sweep *s, lane_next *next, bool in_turn, struct error *e)
{
    bool ok = true;
    for (int i = 0; ok && i < s->lane_count && !(in_turn && any_busy(s)); i++)
        ok = lane_advance(s, &s->lanes[i], next, e);
    return ok;
}

static bool source_waits(const struct source *source)
{
    return source && (source->input >= 0 || source->output >= 0);
}

/*
 * Waits until a worker says something, a lane's time is over, rows have to go to disk, or the
 * source, if a lane is free for what it then gives, can go on.
 */
static bool wait_for_news(const struct sweep *s, const struct source *source, struct pollfd *fds,
                          struct error *e)
{
    double left_s = SLICE_MS * 1e-3, awake_s = awake_now_s();
    bool idle = false;
    if (s->waiting_since_s > 0)
        left_s = fmin(left_s, s->waiting_since_s + SWEEP_FLUSH_AFTER_S - clock_now_s());
    for (int i = 0; i < s->lane_count; i++) {
        const struct lane *l = &s->lanes[i];
        bool listens = lane_is_busy(l) && l->supervisor.worker != 0;
        fds[i] = (struct pollfd){.fd = listens ? l->supervisor.from_worker : -1, .events = POLLIN};
        left_s = fmin(left_s, lane_deadline_s(s, l) - awake_s);
        idle = idle || l->state == LANE_IDLE;
    }
    bool asks = source && idle;
    fds[s->lane_count] = (struct pollfd){.fd = asks ? source->input : -1, .events = POLLIN};
    fds[s->lane_count + 1] = (struct pollfd){.fd = asks ? source->output : -1, .events = POLLOUT};
    int left_ms = left_s > 0 ? (int)(left_s * 1e3) + 1 : 0;
    return poll(fds, (nfds_t)s->lane_count + 2, left_ms) >= 0 || errno == EINTR ||
           FAIL(e, ERROR_SYSTEM, "cannot wait for the devices' processes: %s", strerror(errno));
}

bool loop_run(struct sweep *s, lane_next *next, bool in_turn, const struct source *source,
              struct error *e)
{
    struct pollfd *fds = xcalloc((size_t)s->lane_count + 2, sizeof *fds);
    bool ok;
    while ((ok = advance_all(s, next, in_turn, e)) &&
           (any_busy(s) || (source_waits(source) && !sweep_stop_signal && !s->result->stopped))) {
        ok = wait_for_news(s, source, fds, e);
        for (int i = 0; ok && i < s->lane_count; i++)
            if (lane_is_busy(&s->lanes[i]))
                ok = lane_listen(s, &s->lanes[i], e);
        /* The workers measure at the same time: nothing waits for the disk. */
        ok = ok && rows_flush_late(s, e);
        if (!ok)
            break;
    }
    free(fds);
    return ok;
}
