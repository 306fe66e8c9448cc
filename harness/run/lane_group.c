/*
 * One group of points and the lane that measures it: whatever happens to the worker costs the point
 * that it was working on.
 *
 * A worker that dies or exceeds the point's time limit is replaced. When a single point had been
 * begun, that point is blamed, keeps the samples that had come in, and the rest of its group goes
 * on; when a batch was running, the rest of the group is measured one point a request, so that the
 * culprit shows itself. After three points in a row that cost a worker, without a right result
 * between them, the lane ends, unless its device proves that it works (lane.c).
 *
 * What a request brought is on disk, written and synced, before the next one is sent.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/awake.h"
#include "base/clock.h"
#include "run/sweep_state.h"

#define STOP_LIMIT_S 10.0 /* how long a group may take to end after SIGTERM */

enum {
    LOST_IN_A_ROW_MAX = 3,
    REQUEST_MAX = 1024,  /* points measured together: what a loss can cost, at most */
    BATCH_LIMIT_MAX = 30 /* a batch has the time of its points, but of so many at most */
};

void lane_begin_group(struct sweep *s, struct lane *l, uint32_t group)
{
    const struct group *g = &s->plan->groups[group];
    l->group = group;
    l->solo = false;
    memset(l->by_status, 0, sizeof l->by_status);
    l->pending = xcalloc(g->count, sizeof *l->pending);
    l->done = xcalloc(g->count, sizeof *l->done);
    for (uint32_t i = 0; i < g->count; i++)
        l->done[i] = rows_has(s, g->first + i);
}

void lane_end_group(struct sweep *s, struct lane *l)
{
    for (uint32_t i = 0; l->group != NO_GROUP && i < s->plan->groups[l->group].count; i++)
        pending_clear(&l->pending[i]);
    free(l->pending);
    free(l->done);
    lane_search_free(l);
    l->pending = NULL;
    l->done = NULL;
    l->group = NO_GROUP;
}

/*
 * The points of the group that have no row yet, REQUEST_MAX at most; one of them when each is
 * measured alone. The request is the caller's: free().
 */
static struct group_request *next_request(const struct sweep *s, struct lane *l, size_t *length)
{
    const struct group *g = &s->plan->groups[l->group];
    uint32_t most = l->solo ? 1 : g->count < REQUEST_MAX ? g->count : REQUEST_MAX;
    struct group_request *r =
        xcalloc(1, sizeof *r + most * sizeof r->points[0] + s->counter_names.length);
    r->solo = l->solo;
    r->compile = l->search != NULL || sweep_is_asked(s);
    r->energy = s->options->setup.config->timing.energy_s > 0;
    if (l->search)
        r->sampling = *lane_search_sampling(l);
    else
        sampling_race(&s->options->setup.config->search, &r->sampling);
    r->input = plan_input(s->plan, &s->plan->points[g->first]);
    for (uint32_t i = 0; i < g->count && r->count < most; i++) {
        const struct point *point = &s->plan->points[g->first + i];
        if (l->done[i])
            continue;
        pending_clear(&l->pending[i]); /* what a lost worker had sent is measured again */
        r->points[r->count++] = (struct task_point){
            .index = g->first + i, .point = *point, .variant = s->plan->variants[point->variant]};
    }
    *length = sizeof *r + r->count * sizeof r->points[0] + s->counter_names.length;
    if (s->counter_names.length)
        memcpy(r->points + r->count, s->counter_names.bytes, s->counter_names.length);
    return r;
}

bool lane_has_points(const struct sweep *s, const struct lane *l)
{
    for (uint32_t i = 0; i < s->plan->groups[l->group].count; i++)
        if (!l->done[i])
            return true;
    return false;
}

void lane_send_group(struct sweep *s, struct lane *l)
{
    const struct group *g = &s->plan->groups[l->group];
    size_t length;
    l->request = next_request(s, l, &length);
    l->state = LANE_MEASURING;
    l->begun = POINT_BATCH;
    l->heard_s = awake_now_s();
    l->stop_asked_s = 0;
    l->supervisor.asked = (struct asked){.first = g->first,
                                         .count = g->count,
                                         .done = l->done,
                                         .counter_count = s->metrics.counter_count};
    supervisor_request(&l->supervisor, MESSAGE_GROUP, l->request, length);
}

/* How a request ended. */
enum group_end {
    GROUP_GOES_ON,
    GROUP_ENDED,
    GROUP_LOST,
    GROUP_TIMEOUT,
    GROUP_MALFORMED, /* a message that no working worker sends */
    GROUP_STOPPED,
    GROUP_GIVEN_UP, /* a kernel is given up that the request has more points of */
    GROUP_BROKEN    /* nothing can be recorded any more: the error says why */
};

/* Whether the device of the group at hand ends each launch itself. */
static bool group_is_bounded(const struct sweep *s, const struct lane *l)
{
    const struct hello *h = &l->supervisor.hello;
    const struct point *first = &s->plan->points[s->plan->groups[l->group].first];
    bool host = h->cpu.backend[0] && plan_kernel(s->plan, first)->backend == BACKEND_CPU;
    return host ? h->cpu.bounded : h->info.bounded;
}

/* A batch speaks only when all of it is done. */
double lane_silence_limit_s(const struct sweep *s, const struct lane *l)
{
    if (group_is_bounded(s, l))
        return INFINITY;
    double limit = s->options->setup.config->timing.point_limit_s;
    if (l->begun != POINT_BATCH)
        return limit;
    uint32_t points = l->request->count;
    return limit * (points < BATCH_LIMIT_MAX ? points : BATCH_LIMIT_MAX);
}

/*
 * SIGTERM, as batch systems send it before they kill, lets the round that runs end: points that
 * have their samples are kept, see stop_timing() in measure/rounds.c. Any other signal, and a
 * second one, end the group at once. False: end now.
 */
static bool let_group_end(struct lane *l)
{
    if (sweep_stop_signal != SIGTERM || sweep_stop_count > 1)
        return false;
    if (l->stop_asked_s == 0) {
        l->stop_asked_s = clock_now_s();
        return kill(l->supervisor.worker, WORKER_STOP_SIGNAL) == 0;
    }
    return clock_now_s() - l->stop_asked_s < STOP_LIMIT_S;
}

/* One valid message of a running group; `ended` becomes true with the group's end. */
static bool take_message(struct sweep *s, struct lane *l, const struct message *m, bool *ended,
                         struct refusal *group_error, struct error *e)
{
    if (m->type == MESSAGE_REPORT) {
        struct report r = message_report(m);
        return lane_take_report(s, l, &r, e);
    }
    if (m->type == MESSAGE_PRINTED) {
        lane_show_printed(s, l, m->payload);
        return true;
    }
    if (m->type == MESSAGE_PHASES) {
        phase_times_add(&l->conditions->phases, (const struct phase_times *)m->payload);
        return true;
    }
    memcpy(group_error, m->payload, sizeof *group_error); /* GROUP_END or REFUSED */
    *ended = true;
    return true;
}

/* The worker would try the request's other points of a kernel that is given up. */
static bool wastes_time(const struct sweep *s, const struct lane *l, const struct group_request *r)
{
    for (uint32_t i = 0; l->failing_kernel != POINT_BATCH && i < r->count; i++)
        if (r->points[i].point.kernel == l->failing_kernel &&
            !l->done[lane_place(s, l, r->points[i].index)])
            return true;
    return false;
}

/* What the worker sent, or that it sent nothing. `why`: of a group that ended with an error. */
static enum group_end hear(struct sweep *s, struct lane *l, enum received received,
                           const struct message *m, struct refusal *why, struct error *e)
{
    bool ended = false;
    if (sweep_stop_signal && !let_group_end(l))
        return GROUP_STOPPED;
    if (received == RECEIVED_END)
        return sweep_stop_signal ? GROUP_STOPPED : GROUP_LOST;
    if (received == RECEIVED_MALFORMED)
        return GROUP_MALFORMED;
    if (received != RECEIVED_MESSAGE)
        return awake_now_s() - l->heard_s < lane_silence_limit_s(s, l) ? GROUP_GOES_ON
                                                                       : GROUP_TIMEOUT;
    if (!take_message(s, l, m, &ended, why, e))
        return GROUP_BROKEN;
    l->heard_s = awake_now_s();
    if (!ended)
        return wastes_time(s, l, l->request) ? GROUP_GIVEN_UP : GROUP_GOES_ON;
    /* The worker gave up what it could not end: no point is to blame. */
    return l->stop_asked_s > 0 && why->kind != ERROR_NONE ? GROUP_STOPPED : GROUP_ENDED;
}

/*
 * Counts a lost worker. Too many in a row end the lane, unless its device still runs what is known
 * to be right, or nothing but one kernel, which is given up, has cost them all.
 */
bool lane_count_loss(struct sweep *s, struct lane *l, const char *why, struct error *e)
{
    if (++l->lost_in_a_row < LOST_IN_A_ROW_MAX)
        return true;
    snprintf(l->lost_why, sizeof l->lost_why, "%.300s", why);
    if (l->supervisor.hello.info.bounded || !l->conditions->start.missing[0])
        l->doubted = true;
    else if (l->failing_kernel != POINT_BATCH)
        l->lost_in_a_row = 0;
    else
        return lane_fail(s, l, e);
    return true;
}

/*
 * Who is to blame for what happened last: the point that had been begun, or the only one that was
 * sent. False: no point in particular.
 */
static bool find_blamed(struct sweep *s, struct lane *l, const struct group_request *r,
                        uint32_t *blamed)
{
    *blamed = r->count == 1 ? r->points[0].index : l->begun;
    return *blamed != POINT_BATCH && !l->done[lane_place(s, l, *blamed)];
}

/* The status and reason of the point that a lost worker is blamed on. */
static enum status judge_loss(const struct sweep *s, enum group_end how,
                              const struct worker_end *end, char reason[512])
{
    if (how == GROUP_TIMEOUT) {
        snprintf(reason, 512, "did not end within %g s (timing.point_limit_s of the config)",
                 s->options->setup.config->timing.point_limit_s);
        return STATUS_TIMEOUT;
    }
    if (end->out_of_memory) {
        int used = snprintf(reason, 512, "its process ran out of host memory");
        if (end->bytes)
            snprintf(reason + used, 512 - (size_t)used, ": %" PRIu64 " bytes requested",
                     end->bytes);
        return STATUS_OOM;
    }
    if (how == GROUP_MALFORMED)
        snprintf(reason, 512, "its process sent a malformed message");
    else
        snprintf(reason, 512, "its process ended unexpectedly: %s",
                 end->how[0] ? end->how : "no exit status");
    return STATUS_CRASHED;
}

/* The worker is gone, hangs or sends malformed messages: blame a point, or measure the rest one by
 * one. */
static bool handle_loss(struct sweep *s, struct lane *l, const struct group_request *r,
                        enum group_end how, struct error *e)
{
    struct worker_end end = {0};
    char reason[512];
    supervisor_kill(&l->supervisor, how == GROUP_LOST ? &end : NULL);
    enum status status = judge_loss(s, how, &end, reason);
    uint32_t blamed;
    if (!find_blamed(s, l, r, &blamed)) {
        l->solo = r->count > 1;
        return true;
    }
    if (!lane_record_failure(s, l, blamed, status, reason, e))
        return false;
    return lane_count_loss(s, l, reason, e);
}

/* A worker that says that all went well has to have reported on every point. */
static bool handle_success(struct sweep *s, struct lane *l, const struct group_request *r,
                           struct error *e)
{
    for (uint32_t i = 0; i < r->count; i++) {
        if (l->done[lane_place(s, l, r->points[i].index)])
            continue;
        if (r->count == 1)
            return lane_record_failure(s, l, r->points[0].index, STATUS_CRASHED,
                                       "the worker returned no result", e);
        l->solo = true;
    }
    return true;
}

/* The group ended, perhaps with an error that the worker could not put into a point's row. */
static bool handle_end(struct sweep *s, struct lane *l, const struct group_request *r,
                       const struct refusal *why, struct error *e)
{
    if (why->kind == ERROR_NONE)
        return handle_success(s, l, r, e);
    uint32_t blamed;
    bool alone = r->count == 1, known = find_blamed(s, l, r, &blamed);
    uint32_t last = alone ? r->points[0].index : l->begun;
    bool reported = last != POINT_BATCH && l->done[lane_place(s, l, last)];
    if (why->device_lost) /* the worker ends itself */
        supervisor_kill(&l->supervisor, NULL);
    bool blame = known && (alone || why->device_lost);
    struct error cause = {.kind = why->kind};
    if (blame && !lane_record_failure(s, l, blamed, status_of_error(&cause), why->text, e))
        return false;
    if (why->device_lost && (known || reported) && !lane_count_loss(s, l, why->text, e))
        return false;
    if (!blame && !reported)
        l->solo = true;
    return true;
}

bool lane_hear_group(struct sweep *s, struct lane *l, enum received received, struct message *m,
                     struct error *e)
{
    struct refusal why = {0};
    enum group_end end = hear(s, l, received, m, &why, e);
    if (received == RECEIVED_MESSAGE)
        message_free(m);
    if (end == GROUP_GOES_ON)
        return true;
    struct group_request *r = l->request;
    bool ok = end != GROUP_BROKEN;
    l->request = NULL;
    l->state = LANE_IDLE;
    l->measured_until_s = clock_now_s();
    if (sweep_stop_signal)
        s->result->stopped = true;
    if (end == GROUP_ENDED)
        ok = handle_end(s, l, r, &why, e);
    else if (end == GROUP_GIVEN_UP)
        supervisor_kill(&l->supervisor, NULL);
    else if (ok && end != GROUP_STOPPED)
        ok = handle_loss(s, l, r, end, e);
    free(r);
    return ok && lane_settle(s, l, e);
}

bool lane_settle(struct sweep *s, struct lane *l, struct error *e)
{
    if (l->group != NO_GROUP && !l->doubted && !s->result->stopped) {
        give_up_settle(s, l);
        if (!lane_record_unmeasured(s, l, e))
            return false;
    }
    return sweep_flush(s, e);
}
