/*
 * Achievable bandwidth and self-checks of a lane's device: see measure/ceilings.h.
 */
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "run/sweep_state.h"

static void record_position(struct conditions *c, const struct launch_position *p)
{
    c->position = (struct position_seen){.period = p->period,
                                         .samples = p->samples,
                                         .p_shorter = p->p_shorter,
                                         .p_longer = p->p_longer,
                                         .margin_us = isfinite(p->margin_us) ? p->margin_us : NAN,
                                         .unseen_us = p->unseen_us,
                                         .profiles = p->profiles,
                                         .located = p->located,
                                         .batches = (int64_t)p->batches,
                                         .repeated = (int64_t)p->repeated,
                                         .unverified = (int64_t)p->unverified,
                                         .sentinels = (int64_t)p->sentinels};
}

void sweep_request_ceilings(struct sweep *s, struct lane *l, bool with_checks)
{
    /* A run that counts nothing need not open the counters. */
    struct ceilings_request request = {with_checks, s->metrics.counter_count > 0};
    supervisor_request(&l->supervisor, MESSAGE_CEILINGS, &request, sizeof request);
}

static enum received ask_ceilings(struct sweep *s, struct lane *l, bool with_checks,
                                  struct message *m)
{
    if (l->supervisor.worker == 0 || sweep_stop_signal)
        return RECEIVED_END;
    sweep_request_ceilings(s, l, with_checks);
    return supervisor_await(&l->supervisor, SWEEP_CEILINGS_LIMIT_MS, m);
}

/*
 * Ceilings, at the run's beginning and end, and self-checks at its beginning. A run continues
 * without them: a worker that dies of it is replaced when the next group comes.
 */
void sweep_measure_ceilings(struct sweep *s, struct lane *l, struct ceilings *out, bool with_checks)
{
    struct conditions *c = l->conditions;
    double since = clock_now_s();
    struct message m = {0};
    enum received received = ask_ceilings(s, l, with_checks, &m);
    if (received == RECEIVED_MESSAGE) {
        const struct ceilings_report *r = (const struct ceilings_report *)m.payload;
        bool measured = m.type == MESSAGE_CEILINGS;
        if (measured)
            *out = r->ceilings;
        if (measured && r->position.period > 0)
            record_position(c, &r->position);
        for (int i = 0; measured && with_checks && i < r->check_count; i++)
            vec_push(&c->checks, r->checks[i]);
        message_free(&m);
    } else {
        supervisor_kill(&l->supervisor, NULL);
        snprintf(out->missing, sizeof out->missing, "%s",
                 sweep_stop_signal ? "the run was stopped"
                                   : "the device's process was lost while they were measured");
    }
    c->phases.ceilings_s += clock_now_s() - since;
}
