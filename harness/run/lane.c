/*
 * Gives a lane one job after another: opens its device, begins the next job, and watches the lane's
 * worker. Nothing in this file blocks, because the event loop (loop.c) serves all lanes.
 */
#include "run/lane.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/awake.h"
#include "run/job_ceilings.h"
#include "run/job_compile.h"
#include "run/job_open.h"
#include "run/lane_batch.h"

#define REOPEN_WAIT_S 0.5
#define ASK_AGAIN_S 0.005

int sweep_working(const struct sweep *s)
{
    int count = 0;
    for (int i = 0; i < s->lane_count; i++)
        count += s->lanes[i].batch.source != NULL;
    return count;
}

void sweep_fail(struct sweep *s, const struct error *why)
{
    s->over = true;
    s->result->error = *why;
    for (int i = 0; i < s->lane_count; i++) {
        struct lane *l = &s->lanes[i];
        supervisor_kill(&l->supervisor);
        batch_end(l);
        free(l->request);
        l->request = NULL;
    }
}

static void drop_batch(struct lane *l, bool *ok, struct error *e)
{
    struct source *source = l->batch.source;
    if (!source)
        return;
    if (!l->batch.expendable && source->kind->drop)
        *ok = source->kind->drop(source, l, e);
    batch_end(l);
}

/*
 * Gives up a lane whose device no longer works. The points of its batch go back to the source, and
 * other lanes measure them. If no other lane is left, the run stops, and the rows recorded so far
 * are kept.
 */
static bool fail_lane(struct lane *l, struct error *e)
{
    struct sweep *s = l->sweep;
    int left = 0;
    bool ok = true;
    supervisor_kill(&l->supervisor);
    l->state = LANE_ENDED;
    l->failed = false;
    for (int i = 0; i < s->lane_count; i++)
        left += s->lanes[i].state != LANE_ENDED;
    if (left == 0) {
        s->result->stopped = true;
        snprintf(s->result->stopped_why, sizeof s->result->stopped_why,
                 "the device's process was lost %d times without a correct result in between; last "
                 "reason: %s",
                 l->lost_in_a_row, l->lost_why);
        return true;
    }
    progress_clear(&s->progress);
    fprintf(stderr,
            "giving up on %s, because its process was lost %d times in a row; last reason: %s. The "
            "other devices will measure the points that it had begun\n",
            l->supervisor.setup->device_name, l->lost_in_a_row, l->lost_why);
    s->result->lanes_lost++;
    drop_batch(l, &ok, e);
    return ok;
}

static void open_again(struct lane *l)
{
    struct error why = {0};
    if (!open_begin(l, &why))
        open_failed(l, why.text);
}

static bool trust_again(struct lane *l, struct error *e)
{
    l->doubted = false;
    l->lost_in_a_row = 0;
    return batch_settle(l, e);
}

/*
 * Makes the device prove that it still works: its worker measures the ceilings again. The kernels
 * of the ceilings are known to be right, so if they fail, the device is broken. A device that
 * bounds its own work is software, which cannot break, so it is trusted without a proof.
 */
static bool prove(struct lane *l, struct error *e)
{
    if (l->supervisor.hello.info.bounded)
        return trust_again(l, e);
    ceilings_request(l, false);
    l->state = LANE_PROVING;
    return true;
}

static bool hear_proof(struct lane *l, enum received received, const struct message *m,
                       struct error *e)
{
    (void)received;
    bool works = m->type == MESSAGE_CEILINGS &&
                 !((const struct ceilings_report *)m->payload)->ceilings.missing[0];
    l->state = LANE_IDLE;
    l->failed = !works;
    return !works || trust_again(l, e);
}

static bool hear_rest(struct lane *l, enum received received, const struct message *m,
                      struct error *e)
{
    (void)received;
    (void)m;
    (void)e;
    l->state = LANE_IDLE;
    return true;
}

/*
 * For each state of a busy lane, the function that handles a message or the worker's silence, and
 * the number of seconds for which the worker may be silent. While measuring, this number is 0, and
 * batch_silence_limit_s() computes the limit.
 */
static const struct job {
    bool (*hear)(struct lane *l, enum received received, const struct message *m, struct error *e);
    double limit_s;
} jobs[LANE_STATES] = {
    [LANE_OPENING] = {open_hear, OPEN_LIMIT_S},
    [LANE_ASKING] = {answer_hear, ANSWER_LIMIT_S},
    [LANE_RESTING] = {hear_rest, REOPEN_WAIT_S},
    [LANE_WAITING] = {hear_rest, ASK_AGAIN_S},
    [LANE_PROVING] = {hear_proof, CEILINGS_LIMIT_S},
    [LANE_COMPILING] = {compile_hear, COMPILE_SILENCE_S},
    [LANE_CEILINGS] = {ceilings_hear, CEILINGS_LIMIT_S},
    [LANE_MEASURING] = {batch_hear, 0},
};

double lane_deadline_s(const struct lane *l)
{
    double limit = jobs[l->state].limit_s;
    if (!lane_is_busy(l))
        return INFINITY;
    return l->supervisor.heard_s + (limit > 0 ? limit : batch_silence_limit_s(l));
}

bool lane_is_busy(const struct lane *l)
{
    return jobs[l->state].hear != NULL;
}

/* Tells the source of the lane's batch that every point has an outcome, and ends the batch. */
static bool finish_batch(struct lane *l, struct error *e)
{
    struct source *source = l->batch.source;
    bool ok = !source->kind->done || source->kind->done(source, l, e);
    batch_end(l);
    return ok;
}

bool lane_advance(struct lane *l, lane_next *next, struct error *e)
{
    struct sweep *s = l->sweep;
    bool ok = true, more = true;
    while (ok && more && l->state == LANE_IDLE && !s->result->stopped && !sweep_stop_signal) {
        bool ends_with_worker = l->batch.expendable && l->supervisor.worker == 0;
        if (!l->batch.source) {
            ok = next(l, e);
            more = l->batch.source || l->state != LANE_IDLE;
        } else if (!l->doubted && (l->left == 0 || ends_with_worker)) {
            ok = finish_batch(l, e);
        } else if (l->supervisor.worker == 0) {
            open_again(l);
        } else if (l->doubted) {
            ok = prove(l, e);
        } else {
            batch_send(l);
        }
        if (ok && l->failed)
            ok = fail_lane(l, e);
    }
    return ok;
}

/*
 * Stops a lane because the user asked the run to end. The lane's worker is killed, and no lane of
 * the sweep begins another job.
 */
static void stop(struct lane *l)
{
    supervisor_kill(&l->supervisor);
    l->state = LANE_IDLE;
    l->sweep->result->stopped = true;
}

static bool is_late(const struct lane *l)
{
    return awake_now_s() >= lane_deadline_s(l) ||
           (l->state == LANE_MEASURING && batch_exceeds_cpu(l));
}

bool lane_listen(struct lane *l, struct error *e)
{
    struct message m = {0};
    enum received received = RECEIVED_TIMEOUT;
    bool ok = true;
    if (l->supervisor.worker != 0)
        received = supervisor_receive(&l->supervisor, &m);
    if (received == RECEIVED_TIMEOUT && !is_late(l))
        received = RECEIVED_INTERRUPT; /* a message may still arrive */
    if (received == RECEIVED_INTERRUPT && l == l->sweep->lanes && l->supervisor.shared)
        open_show_phase(l->sweep, &l->supervisor.shared->phase);
    if (received == RECEIVED_INTERRUPT && l->state == LANE_MEASURING)
        batch_show_progress(l);
    if (received == RECEIVED_INTERRUPT && l->state == LANE_COMPILING)
        progress_show(&l->sweep->progress, l->sweep->progress.done, "");
    if (sweep_stop_signal && l->state != LANE_MEASURING)
        stop(l);
    else if (sweep_stop_signal || received != RECEIVED_INTERRUPT)
        ok = jobs[l->state].hear(l, received, &m, e);
    message_free(&m);
    return ok && l->failed ? fail_lane(l, e) : ok;
}
