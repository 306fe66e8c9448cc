/* Measures a device's achievable bandwidth and checks the device; see job_ceilings.h. */
#include "run/job_ceilings.h"

#include <math.h>
#include <stdio.h>

#include "base/clock.h"

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

void ceilings_request(struct lane *l, bool with_checks)
{
    struct sweep *s = l->sweep;
    /* If the run uses no counters, they are not checked, so that they need not be opened. */
    struct ceilings_request request = {with_checks, s->metrics.counter_count > 0};
    l->began_s = clock_now_s();
    supervisor_request(&l->supervisor, MESSAGE_CEILINGS, &request, sizeof request);
}

void ceilings_begin(struct lane *l, struct ceilings *out, bool with_checks)
{
    l->ceilings = out;
    l->state = LANE_CEILINGS;
    ceilings_request(l, with_checks);
}

void ceilings_note_missing(struct ceilings *out)
{
    snprintf(out->missing, sizeof out->missing, "%s",
             sweep_stop_signal ? "the run was stopped before they were measured"
                               : "the device's process was lost while they were measured");
}

static void take_report(struct lane *l, const struct ceilings_report *r)
{
    struct conditions *c = l->conditions;
    *l->ceilings = r->ceilings;
    if (l->ceilings == &c->start)
        c->card = r->card;
    if (l->ceilings == &c->end)
        c->card_end = r->card;
    if (r->position.period > 0)
        record_position(c, &r->position);
    for (int i = 0; i < r->check_count; i++)
        vec_push(&c->checks, r->checks[i]);
}

bool ceilings_hear(struct lane *l, enum received received, const struct message *m, struct error *e)
{
    (void)e;
    if (m->type == MESSAGE_CEILINGS) {
        take_report(l, (const struct ceilings_report *)m->payload);
    } else if (received != RECEIVED_MESSAGE) {
        supervisor_kill(&l->supervisor);
        ceilings_note_missing(l->ceilings);
    }
    l->conditions->phases.ceilings_s += clock_now_s() - l->began_s;
    l->state = LANE_IDLE;
    return true;
}
