/*
 * One lane from request to request: opening its device, giving it the next group, and noticing how
 * its worker is. Nothing here waits: what a worker answers is taken when the loop of all lanes
 * (sweep_loop.c) has seen it come.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/awake.h"
#include "run/agenda.h"
#include "run/sweep_state.h"

#define REOPEN_WAIT_S 0.5
#define PROOF_LIMIT_S (SWEEP_CEILINGS_LIMIT_MS * 1e-3)

/* Takes out the rows of the lane's group. */
static bool drop_group(struct sweep *s, struct lane *l, struct error *e)
{
    const struct group *g = &s->plan->groups[l->group];
    struct recorded points = {0};
    for (uint32_t i = 0; i < g->count; i++)
        if (l->done[i]) {
            vec_push(&points.ids, s->plan->points[g->first + i].id);
            s->rows[g->first + i].status = STATUS_COUNT;
        }
    recorded_sort(&points);
    bool ok = sweep_flush(s, e) && record_drop(s->sides[0].record, &points, e);
    for (int status = 0; ok && status < STATUS_COUNT; status++) {
        s->result->by_status[status] -= l->by_status[status];
        s->result->rows -= l->by_status[status];
    }
    recorded_free(&points);
    return ok;
}

bool lane_fail(struct sweep *s, struct lane *l, struct error *e)
{
    int left = 0;
    supervisor_kill(&l->supervisor, NULL);
    l->state = LANE_ENDED;
    for (int i = 0; i < s->lane_count; i++)
        left += s->lanes[i].state != LANE_ENDED;
    if (left == 0) {
        s->result->stopped = true;
        snprintf(s->result->stopped_why, sizeof s->result->stopped_why,
                 "the device's process was lost %d times in a row without a right result between "
                 "them; the last time: %s",
                 l->lost_in_a_row, l->lost_why);
        return true;
    }
    progress_clear(&s->progress);
    fprintf(stderr,
            "%s is given up after %d losses of its process in a row; the last time: %s. The other "
            "devices measure what it had begun\n",
            l->supervisor.setup->device_name, l->lost_in_a_row, l->lost_why);
    s->result->lanes_lost++;
    if (l->group == NO_GROUP)
        return true;
    uint32_t group = l->search ? sweep_chain_begin(s, l->group) : l->group;
    if (!l->search && !drop_group(s, l, e)) /* rows of a search come at its end */
        return false;
    lane_end_group(s, l);
    agenda_return(&s->agenda, group);
    return true;
}

static void note_context(struct lane *l)
{
    const struct device_info *info = &l->supervisor.hello.info;
    conditions_launch(l->conditions, info->contexts, info->time_step_us, info->launch_us,
                      info->launch_max_us);
}

bool lane_await_start(struct lane *l, struct error *e)
{
    struct message m = {0};
    enum received received = supervisor_await(&l->supervisor, SUPERVISOR_HELLO_LIMIT_MS, &m);
    if (!supervisor_opened(&l->supervisor, received, &m, e))
        return false;
    note_context(l);
    return true;
}

/* A device that does not open again counts as a loss; one that is doubted already is lost. */
static bool open_failed(struct sweep *s, struct lane *l, const char *why, struct error *e)
{
    progress_clear(&s->progress);
    fprintf(stderr, "the device does not open again: %s\n", why);
    if (l->doubted)
        return lane_fail(s, l, e);
    l->state = LANE_RESTING;
    l->heard_s = awake_now_s();
    return lane_count_loss(s, l, why, e);
}

static bool open_again(struct sweep *s, struct lane *l, struct error *e)
{
    struct error why = {0};
    sweep_forget_process(s);
    l->state = LANE_OPENING;
    l->heard_s = awake_now_s();
    return supervisor_fork(&l->supervisor, &why) || open_failed(s, l, why.text, e);
}

static bool is_late(const struct sweep *s, const struct lane *l)
{
    return awake_now_s() >= lane_deadline_s(s, l);
}

static bool hear_opening(struct sweep *s, struct lane *l, enum received received, struct message *m,
                         struct error *e)
{
    struct error why = {0};
    if (received == RECEIVED_TIMEOUT && !is_late(s, l))
        return true;
    l->state = LANE_IDLE;
    if (!supervisor_opened(&l->supervisor, received, m, &why))
        return open_failed(s, l, why.text, e);
    note_context(l);
    return true;
}

static bool trust_again(struct sweep *s, struct lane *l, struct error *e)
{
    l->doubted = false;
    l->lost_in_a_row = 0;
    return lane_settle(s, l, e);
}

/*
 * Kernels of our own tell a device that is broken from kernels that are: the ceilings' kernels run
 * once more. A device that bounds its own work is software, which works when it opens.
 */
static bool prove(struct sweep *s, struct lane *l, struct error *e)
{
    if (l->supervisor.hello.info.bounded)
        return trust_again(s, l, e);
    sweep_request_ceilings(s, l, false);
    l->state = LANE_PROVING;
    l->heard_s = awake_now_s();
    return true;
}

static bool hear_proof(struct sweep *s, struct lane *l, enum received received, struct message *m,
                       struct error *e)
{
    if (received == RECEIVED_TIMEOUT && !is_late(s, l))
        return true;
    bool works = received == RECEIVED_MESSAGE && m->type == MESSAGE_CEILINGS &&
                 !((const struct ceilings_report *)m->payload)->ceilings.missing[0];
    if (received == RECEIVED_MESSAGE)
        message_free(m);
    l->state = LANE_IDLE;
    return works ? trust_again(s, l, e) : lane_fail(s, l, e);
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

/* How many lanes have a group. */
static int working(const struct sweep *s)
{
    int count = 0;
    for (int i = 0; i < s->lane_count; i++)
        count += s->lanes[i].group != NO_GROUP;
    return count;
}

static bool take_group(struct sweep *s, struct lane *l, bool *taken, struct error *e)
{
    uint32_t group;
    if (sweep_is_asked(s))
        return lane_asked_begin(s, l, taken, e);
    *taken = agenda_next(&s->agenda, working(s), &group);
    if (!*taken)
        return true;
    if (sweep_searches(s)) {
        lane_search_begin(s, l, group);
        return true;
    }
    lane_begin_group(s, l, group);
    return lane_record_unmeasured(s, l, e);
}

bool lane_advance(struct sweep *s, struct lane *l, struct error *e)
{
    bool ok = true, more = true;
    while (ok && more && l->state == LANE_IDLE && !s->result->stopped && !sweep_stop_signal) {
        if (l->group == NO_GROUP)
            ok = take_group(s, l, &more, e);
        else if (l->doubted)
            ok = l->supervisor.worker ? prove(s, l, e) : open_again(s, l, e);
        else if (!lane_has_points(s, l) && l->search)
            ok = lane_search_step(s, l, e);
        else if (!lane_has_points(s, l) && sweep_is_asked(s))
            ok = lane_asked_answer(s, l, e);
        else if (!lane_has_points(s, l))
            lane_end_group(s, l);
        else if (l->supervisor.worker == 0)
            ok = open_again(s, l, e);
        else
            lane_send_group(s, l);
    }
    return ok;
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
        return hear_opening(s, l, received, &m, e);
    else if (l->state == LANE_PROVING)
        return hear_proof(s, l, received, &m, e);
    else if (is_late(s, l))
        l->state = LANE_IDLE;
    return true;
}
