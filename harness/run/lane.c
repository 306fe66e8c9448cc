/*
 * One lane from request to request: opening its device, giving it the next group, and noticing how
 * its worker is. Nothing here waits: what a worker answers is taken when the loop of all lanes
 * (sweep_loop.c) has seen it come.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "run/agenda.h"
#include "run/sweep_state.h"

#define REOPEN_WAIT_S 0.5
#define PROOF_LIMIT_S (SWEEP_CEILINGS_LIMIT_MS * 1e-3)

void lane_fail(struct sweep *s, struct lane *l)
{
    supervisor_kill(&l->supervisor, NULL);
    l->state = LANE_ENDED;
    s->result->stopped = true;
    snprintf(s->result->stopped_why, sizeof s->result->stopped_why,
             "the device's process was lost %d times in a row without a right result between them; "
             "the last time: %s",
             l->lost_in_a_row, l->lost_why);
}

static void note_context(struct lane *l)
{
    const struct device_info *info = &l->supervisor.hello.info;
    conditions_launch(l->conditions, info->contexts, info->time_step_us, info->launch_us,
                      info->launch_most_us);
}

bool lane_start(struct sweep *s, struct lane *l, struct error *e)
{
    sweep_forget_process(s);
    if (!supervisor_start(&l->supervisor, e))
        return false;
    note_context(l);
    return true;
}

/* A device that does not open again counts as a loss; one that is doubted already is lost. */
static void open_failed(struct sweep *s, struct lane *l, const char *why)
{
    progress_clear(&s->progress);
    fprintf(stderr, "the device does not open again: %s\n", why);
    if (l->doubted) {
        lane_fail(s, l);
        return;
    }
    l->state = LANE_RESTING;
    l->heard_s = clock_now_s();
    lane_count_loss(s, l, why);
}

static void open_again(struct sweep *s, struct lane *l)
{
    struct error why = {0};
    sweep_forget_process(s);
    l->state = LANE_OPENING;
    l->heard_s = clock_now_s();
    if (!supervisor_fork(&l->supervisor, &why))
        open_failed(s, l, why.text);
}

static bool is_late(const struct sweep *s, const struct lane *l)
{
    return clock_now_s() >= lane_deadline_s(s, l);
}

static void hear_opening(struct sweep *s, struct lane *l, enum received received, struct message *m)
{
    struct error why = {0};
    if (received == RECEIVED_TIMEOUT && !is_late(s, l))
        return;
    l->state = LANE_IDLE;
    if (supervisor_opened(&l->supervisor, received, m, &why))
        note_context(l);
    else
        open_failed(s, l, why.text);
}

/*
 * Kernels of our own tell a device that is broken from kernels that are: the ceilings' kernels run
 * once more. A device that bounds its own work is software, which works when it opens.
 */
static void prove(struct sweep *s, struct lane *l)
{
    if (l->supervisor.hello.info.bounded) {
        l->doubted = false;
        l->lost_in_a_row = 0;
        return;
    }
    sweep_request_ceilings(s, l, false);
    l->state = LANE_PROVING;
    l->heard_s = clock_now_s();
}

static void hear_proof(struct sweep *s, struct lane *l, enum received received, struct message *m)
{
    if (received == RECEIVED_TIMEOUT && !is_late(s, l))
        return;
    bool works = received == RECEIVED_MESSAGE && m->type == MESSAGE_CEILINGS &&
                 !((const struct ceilings_report *)m->payload)->ceilings.missing[0];
    if (received == RECEIVED_MESSAGE)
        message_free(m);
    l->state = LANE_IDLE;
    if (!works) {
        lane_fail(s, l);
        return;
    }
    l->doubted = false;
    l->lost_in_a_row = 0;
}

double lane_deadline_s(const struct sweep *s, const struct lane *l)
{
    const double limits[] = {[LANE_OPENING] = SUPERVISOR_HELLO_LIMIT_MS * 1e-3,
                             [LANE_PROVING] = PROOF_LIMIT_S,
                             [LANE_RESTING] = REOPEN_WAIT_S};
    if (!lane_is_busy(l))
        return INFINITY;
    return l->heard_s +
           (l->state == LANE_MEASURING ? lane_silence_limit_s(s, l) : limits[l->state]);
}

bool lane_is_busy(const struct lane *l)
{
    return l->state != LANE_IDLE && l->state != LANE_ENDED;
}

bool lane_advance(struct sweep *s, struct lane *l, struct error *e)
{
    while (l->state == LANE_IDLE && !s->result->stopped && !sweep_stop_signal) {
        if (l->group == NO_GROUP) {
            uint32_t group;
            if (!agenda_next(&s->agenda, &group))
                return true;
            lane_begin_group(s, l, group);
            if (!lane_record_unmeasured(s, l, e))
                return false;
        }
        if (!lane_has_points(s, l))
            lane_end_group(s, l);
        else if (l->supervisor.worker == 0)
            open_again(s, l);
        else if (l->doubted)
            prove(s, l);
        else
            lane_send_group(s, l);
    }
    return true;
}

/* The user wants an end: what the lane was about to do is not worth waiting for. */
static void stop(struct sweep *s, struct lane *l, enum received received, struct message *m)
{
    if (received == RECEIVED_MESSAGE)
        message_free(m);
    supervisor_kill(&l->supervisor, NULL);
    l->state = LANE_IDLE;
    s->result->stopped = true;
}

bool lane_listen(struct sweep *s, struct lane *l, struct error *e)
{
    struct message m = {0};
    enum received received = RECEIVED_TIMEOUT;
    if (l->state != LANE_RESTING)
        received = supervisor_receive(&l->supervisor, 0, &m);
    if (received == RECEIVED_INTERRUPT)
        received = RECEIVED_TIMEOUT;
    if (l->state == LANE_MEASURING)
        return lane_hear_group(s, l, received, &m, e);
    if (sweep_stop_signal)
        stop(s, l, received, &m);
    else if (l->state == LANE_OPENING)
        hear_opening(s, l, received, &m);
    else if (l->state == LANE_PROVING)
        hear_proof(s, l, received, &m);
    else if (is_late(s, l))
        l->state = LANE_IDLE;
    return true;
}
