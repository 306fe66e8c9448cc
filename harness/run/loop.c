/*
 * The event loop for the lanes of all sweeps. It gives jobs to idle lanes, and handles messages
 * from the workers of busy lanes as they arrive. Only wait_for_news() blocks: it waits until a
 * worker or a source has something to do, or until rows must be written to disk.
 */
#include "run/loop.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <string.h>

#include "base/awake.h"
#include "base/clock.h"
#include "run/live_page.h"
#include "run/rows.h"

enum { SLICE_MS = AWAKE_STEP_MS }; /* the longest time until a signal is noticed */

typedef VEC(struct pollfd) poll_list;

static bool any_busy(const struct sweep *s)
{
    for (int i = 0; !s->over && i < s->lane_count; i++)
        if (lane_is_busy(&s->lanes[i]))
            return true;
    return false;
}

static bool any_sweep_busy(const struct sweeps *all)
{
    for (int i = 0; i < all->count; i++)
        if (any_busy(&all->items[i]))
            return true;
    return false;
}

/* Calls `function` for every sweep that has not ended, unless `function` is NULL. */
static void for_each(struct sweeps *all, bool (*function)(struct sweep *s, struct error *e))
{
    for (struct sweep *s = all->items; function && s < all->items + all->count; s++) {
        struct error why = {0};
        if (!s->over && !function(s, &why))
            sweep_fail(s, &why);
    }
}

static void advance_all(struct sweeps *all, const struct stage *stage)
{
    for (struct sweep *s = all->items; s < all->items + all->count; s++)
        for (int i = 0; !s->over && i < s->lane_count; i++) {
            struct error why = {0};
            if (stage->in_turn && any_sweep_busy(all))
                return;
            if (!lane_advance(&s->lanes[i], stage->next, &why))
                sweep_fail(s, &why);
        }
}

static bool source_waits(const struct sweep *s)
{
    return !s->over && !s->result->stopped && (s->source->input >= 0 || s->source->output >= 0);
}

static bool goes_on(const struct sweeps *all, const struct stage *stage)
{
    bool waits = false;
    for (int i = 0; stage->asks && !sweep_stop_signal && i < all->count; i++)
        waits = waits || source_waits(&all->items[i]);
    return waits || any_sweep_busy(all);
}

/*
 * Adds to `fds` the descriptors that a sweep waits for. If the sweep must continue in less than
 * *left_s seconds, lowers *left_s accordingly.
 */
static void add_waits(const struct sweep *s, bool asks, poll_list *fds, double *left_s)
{
    double awake_s = awake_now_s();
    bool idle = false;
    if (s->waiting_since_s > 0)
        *left_s = fmin(*left_s, s->waiting_since_s + SWEEP_FLUSH_AFTER_S - clock_now_s());
    for (int i = 0; i < s->lane_count; i++) {
        const struct lane *l = &s->lanes[i];
        struct pollfd worker[2];
        idle = idle || l->state == LANE_IDLE;
        if (!lane_is_busy(l))
            continue;
        double step_s = supervisor_waits(&l->supervisor, worker);
        for (int k = 0; k < 2; k++) /* poll() ignores a descriptor of −1 */
            vec_push(fds, worker[k]);
        *left_s = fmin(*left_s, fmin(step_s, lane_deadline_s(l) - awake_s));
    }
    if (asks && idle) {
        vec_push(fds, (struct pollfd){.fd = s->source->input, .events = POLLIN});
        vec_push(fds, (struct pollfd){.fd = s->source->output, .events = POLLOUT});
    }
}

/*
 * Waits until a worker sends something, a worker has been silent for too long, or rows must be
 * written to disk. If a lane is idle, the wait also ends when its source can read or write.
 */
static bool wait_for_news(const struct sweeps *all, const struct stage *stage, poll_list *fds,
                          struct error *e)
{
    double left_s = SLICE_MS * 1e-3;
    fds->count = 0;
    for (int i = 0; i < all->count; i++)
        if (!all->items[i].over)
            add_waits(&all->items[i], stage->asks, fds, &left_s);
    int left_ms = left_s > 0 ? (int)(left_s * 1e3) + 1 : 0;
    return poll(fds->items, (nfds_t)fds->count, left_ms) >= 0 || errno == EINTR ||
           FAIL(e, ERROR_SYSTEM, "cannot wait for the devices' processes: %s", strerror(errno));
}

static bool listen_to(struct sweep *s, struct error *e)
{
    bool ok = true;
    for (int i = 0; ok && i < s->lane_count; i++)
        if (lane_is_busy(&s->lanes[i]))
            ok = lane_listen(&s->lanes[i], e);
    /* Workers keep measuring while the parent writes to disk. */
    ok = ok && rows_flush_late(s, e);
    if (ok)
        live_page_write(s);
    return ok;
}

static void begin_stage(struct sweep *s, const struct stage *stage)
{
    for (int i = 0; i < s->lane_count; i++)
        s->lanes[i].step = 0;
    if (stage->begin && !s->over)
        stage->begin(s);
}

void loop_run(struct sweeps *all, const struct stage *stage)
{
    poll_list fds = {0};
    for (int i = 0; i < all->count; i++)
        begin_stage(&all->items[i], stage);
    for (advance_all(all, stage); goes_on(all, stage); advance_all(all, stage)) {
        struct error why = {0};
        if (wait_for_news(all, stage, &fds, &why))
            for_each(all, listen_to);
        for (int i = 0; why.kind != ERROR_NONE && i < all->count; i++)
            sweep_fail(&all->items[i], &why);
    }
    for_each(all, stage->end);
    vec_free(&fds);
}
