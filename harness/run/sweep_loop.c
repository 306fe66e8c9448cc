/*
 * The loop over all lanes: free ones are given work, and what the others say is taken as it comes.
 */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/awake.h"
#include "base/clock.h"
#include "run/sweep_state.h"

static bool advance_all(struct sweep *s, bool *busy, struct error *e)
{
    bool ok = true;
    *busy = false;
    for (int i = 0; ok && i < s->lane_count; i++)
        ok = lane_advance(s, &s->lanes[i], e);
    for (int i = 0; i < s->lane_count; i++)
        *busy = *busy || lane_is_busy(&s->lanes[i]);
    return ok;
}

/* Waits until a worker says something, a lane's time is over, or rows have to go to disk. */
static bool wait_for_lanes(const struct sweep *s, struct pollfd *fds, struct error *e)
{
    double left_s = SWEEP_SLICE_MS * 1e-3, awake_s = awake_now_s();
    if (s->waiting_since_s > 0)
        left_s = fmin(left_s, s->waiting_since_s + SWEEP_FLUSH_AFTER_S - clock_now_s());
    for (int i = 0; i < s->lane_count; i++) {
        const struct lane *l = &s->lanes[i];
        bool listens = lane_is_busy(l) && l->supervisor.worker != 0;
        fds[i] = (struct pollfd){.fd = listens ? l->supervisor.from_worker : -1, .events = POLLIN};
        left_s = fmin(left_s, lane_deadline_s(s, l) - awake_s);
    }
    return poll(fds, (nfds_t)s->lane_count, left_s > 0 ? (int)(left_s * 1e3) + 1 : 0) >= 0 ||
           errno == EINTR ||
           FAIL(e, ERROR_SYSTEM, "cannot wait for the devices' processes: %s", strerror(errno));
}

bool sweep_run_groups(struct sweep *s, struct error *e)
{
    struct pollfd *fds = xcalloc((size_t)s->lane_count, sizeof *fds);
    double since = clock_now_s();
    bool busy, ok;
    progress_start(
        &s->progress, "measuring",
        sweep_searches(s) || sweep_is_asked(s) ? 0 : s->plan->point_count - s->recorded_count,
        s->options->quiet);
    agenda_make(&s->agenda, s->plan, s->lane_count);
    while ((ok = advance_all(s, &busy, e)) && busy) {
        ok = wait_for_lanes(s, fds, e);
        for (int i = 0; ok && i < s->lane_count; i++)
            if (lane_is_busy(&s->lanes[i]))
                ok = lane_listen(s, &s->lanes[i], e);
        /* The workers measure at the same time: nothing waits for the disk. */
        ok = ok && sweep_flush_late(s, e);
        if (!ok)
            break;
    }
    if (sweep_stop_signal)
        s->result->stopped = true;
    for (int i = 0; i < s->lane_count; i++) {
        double until = s->lanes[i].measured_until_s;
        s->lanes[i].conditions->phases.measuring_s = until > since ? until - since : 0;
        lane_end_group(s, &s->lanes[i]);
        free(s->lanes[i].request);
        s->lanes[i].request = NULL;
    }
    agenda_free(&s->agenda);
    free(fds);
    ok = ok && sweep_flush(s, e);
    progress_end(&s->progress);
    return ok;
}
