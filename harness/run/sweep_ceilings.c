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

static enum received await_ceilings(struct lane *l, struct message *m)
{
    return supervisor_await(&l->supervisor, SWEEP_CEILINGS_LIMIT_MS, m);
}

/* Takes the answer, or that none came: a lost worker is replaced when the next group comes. */
static void take_ceilings(struct lane *l, enum received received, struct message *m,
                          struct ceilings *out, struct card_state *card)
{
    struct conditions *c = l->conditions;
    if (received == RECEIVED_MESSAGE) {
        const struct ceilings_report *r = (const struct ceilings_report *)m->payload;
        bool measured = m->type == MESSAGE_CEILINGS;
        if (measured)
            *out = r->ceilings;
        if (measured && card)
            *card = r->card;
        if (measured && r->position.period > 0)
            record_position(c, &r->position);
        for (int i = 0; measured && i < r->check_count; i++)
            vec_push(&c->checks, r->checks[i]);
        message_free(m);
    } else {
        supervisor_kill(&l->supervisor, NULL);
        snprintf(out->missing, sizeof out->missing, "%s",
                 sweep_stop_signal ? "the run was stopped"
                                   : "the device's process was lost while they were measured");
    }
}

void sweep_measure_ceilings(struct sweep *s, struct lane *l, struct ceilings *out, bool with_checks)
{
    double since = clock_now_s();
    struct message m = {0};
    enum received received = RECEIVED_END;
    if (l->supervisor.worker != 0 && !sweep_stop_signal) {
        sweep_request_ceilings(s, l, with_checks);
        received = await_ceilings(l, &m);
    }
    struct conditions *c = l->conditions;
    take_ceilings(l, received, &m, out, out == &c->end ? &c->card_end : &c->card);
    c->phases.ceilings_s += clock_now_s() - since;
}

#define SUFFERS_PCT 1.0
#define SUFFERS_STEPS 2

double sweep_suffers_pct(double start_us, double end_us, double together_us, double step_us)
{
    double alone_us = fmax(start_us, end_us), more = together_us - alone_us;
    double pct = more / alone_us * 100;
    return pct > SUFFERS_PCT && !(more <= SUFFERS_STEPS * step_us) ? pct : 0;
}

void sweep_judge_together(struct sweep *s, const struct lane *l)
{
    const struct conditions *c = l->conditions;
    const struct ceilings *a = &c->start, *b = &c->end, *t = &c->together;
    double bytes = (double)a->bytes / 1e3; /* over GB/s: us */
    double step = c->launch.step_us;
    const struct {
        const char *what;
        double pct;
    } seen[] = {{"an empty kernel", sweep_suffers_pct(a->empty_us, b->empty_us, t->empty_us, step)},
                {"reading", sweep_suffers_pct(bytes / a->read_gbs, bytes / b->read_gbs,
                                              bytes / t->read_gbs, step)},
                {"copying", sweep_suffers_pct(bytes / a->copy_gbs, bytes / b->copy_gbs,
                                              bytes / t->copy_gbs, step)},
                {"writing", sweep_suffers_pct(bytes / a->write_gbs, bytes / b->write_gbs,
                                              bytes / t->write_gbs, step)}};
    for (size_t i = 0; i < sizeof seen / sizeof *seen && !s->result->doubt[0]; i++)
        if (seen[i].pct > 0)
            snprintf(s->result->doubt, sizeof s->result->doubt,
                     "%s on %s takes %.1f %% longer while the other devices work: measure with "
                     "--lanes 1",
                     seen[i].what, l->setup.device_name, seen[i].pct);
}

void sweep_measure_together(struct sweep *s)
{
    double since = clock_now_s();
    for (int i = 0; i < s->lane_count; i++)
        if (s->lanes[i].supervisor.worker)
            sweep_request_ceilings(s, &s->lanes[i], true);
    for (int i = 0; i < s->lane_count; i++) {
        struct lane *l = &s->lanes[i];
        struct message m = {0};
        if (l->supervisor.worker)
            take_ceilings(l, await_ceilings(l, &m), &m, &l->conditions->together, NULL);
    }
    for (int i = 0; i < s->lane_count; i++)
        s->lanes[i].conditions->phases.ceilings_s += clock_now_s() - since;
}
