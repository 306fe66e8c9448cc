/*
 * Estimates how much of a lane's current request is done, and how long a sweep still takes.
 *
 * A request has three parts: its points are first checked, then timed, and then launched again to
 * read the counters. Each part is expected to take the same share of the request's time as in
 * earlier requests. Within a part, the worker's reports show the progress. The first points of a
 * part may take longer than its last ones, so a report counts for as much time as it took in
 * earlier requests. Between two reports, the estimate advances with the clock.
 *
 * If a request takes longer than expected, the estimates for the remaining requests are corrected
 * while it is still running. In a resumed run, the first estimates already contain the correction
 * that the earlier sessions suggest.
 */
#include "run/request_time.h"

#include <math.h>

#include "base/clock.h"
#include "run/rows.h"

/*
 * A report that is late is expected to arrive after another 1 / OVERDUE of the time that has passed
 * since the previous report.
 */
#define OVERDUE 8.0

/* Sets the initial shares: every part that requests have takes the same time. */
static void begin_shares(struct request_shares *shares, const struct sweep *s)
{
    const struct device_info *info = &s->lanes[0].supervisor.hello.info;
    bool counts = s->metrics.counter_count > 0 && !info->count_is_run;
    *shares = (struct request_shares){
        .seconds = {[PART_CHECK] = 1, [PART_TIME] = info->can_time, [PART_COUNT] = counts},
        .samples = s->options->setup.config->timing.min_samples};
    for (int i = 0; i < REQUEST_PARTS; i++)
        for (int k = 0; k < REQUEST_STEPS; k++)
            shares->steps[i][k] = (k + 1.0) / REQUEST_STEPS;
}

/*
 * Returns the time that earlier sessions took for the points that have a row, divided by the time
 * that is estimated for these points. Returns 1 if the time is unknown, for example because a
 * session was killed. Of a request that was stopped, only the time until its last row counts,
 * because the points after this row are not part of the estimate.
 */
static double earlier_scale(const struct sweep *s, const struct point_cost cost[2])
{
    const struct conditions *sessions = s->sides[0].manifest.sessions.items;
    double seconds = 0, guessed = 0;
    for (size_t i = 0; i < s->lanes[0].session; i++) {
        if (!(sessions[i].phases.measuring_s > 0))
            return 1;
        seconds += sessions[i].phases.rows_s;
    }
    for (uint32_t i = 0; i < s->plan->point_count; i++) {
        const struct point *p = &s->plan->points[i];
        const struct point_cost *c = &cost[plan_kernel(s->plan, p)->backend == BACKEND_CPU];
        if (rows_has(s, i) && !p->skip)
            guessed += cost_of(c, plan_point_bytes(p));
    }
    return seconds > 0 && guessed > 0 ? seconds / guessed : 1;
}

struct device_info requests_device(const struct sweep *s)
{
    struct device_info info = s->lanes[0].supervisor.hello.info;
    if (s->conditions->start.read_gbs > 0)
        info.estimate_gbs = s->conditions->start.read_gbs;
    return info;
}

void requests_begin(struct sweep *s)
{
    const struct device_info info = requests_device(s), *host = &s->lanes[0].supervisor.hello.cpu;
    struct point_cost cost[2] = {
        plan_point_cost(s->plan, &info, 0),
        plan_point_cost(s->plan, host->backend[0] ? host : &s->lanes[0].supervisor.hello.info, 0)};
    double scale = earlier_scale(s, cost);
    for (int i = 0; i < 2; i++)
        time_left_begin(&s->time_left[i],
                        (struct point_cost){scale * cost[i].point_s, scale * cost[i].byte_s, 0});
    begin_shares(&s->shares, s);
    for (uint32_t i = 0; i < s->plan->point_count; i++)
        if (!rows_has(s, i))
            rows_left(s, &s->plan->points[i], 1);
}

/*
 * Adds the time since the previous row of the request, or since its beginning, to the time that the
 * session has spent on rows.
 */
static void count_row(struct lane *l)
{
    struct request_reports *to = &l->reports;
    double now_s = clock_now_s();
    if (!l->batch.expendable)
        l->conditions->phases.rows_s += now_s - fmax(to->last_row_s, l->began_s);
    to->last_row_s = now_s;
}

void request_heard(struct lane *l, const struct report *r)
{
    static const enum request_part parts[REPORT_TYPES] = {[REPORT_BEGIN] = REQUEST_PARTS,
                                                          [REPORT_CHECKED] = PART_CHECK,
                                                          [REPORT_SAMPLES] = PART_TIME,
                                                          [REPORT_COUNTS] = PART_COUNT,
                                                          [REPORT_DONE] = REQUEST_PARTS};
    enum request_part part = parts[r->type];
    if (r->type == REPORT_DONE)
        count_row(l);
    /*
     * The reports BEGIN and DONE belong to no part. If the same launch is used for the check and
     * for the counters, it was already noted as a check.
     */
    if (part == REQUEST_PARTS || (part == PART_COUNT && l->supervisor.hello.info.count_is_run))
        return;
    struct request_reports *to = &l->reports;
    to->count[part] += part == PART_TIME ? r->count : 1;
    to->last_s[part] = clock_now_s();
    int step = (int)(to->count[part] * REQUEST_STEPS / l->request->count);
    if (part != PART_TIME && step > 0 && step <= REQUEST_STEPS && to->steps_s[part][step - 1] == 0)
        to->steps_s[part][step - 1] = to->last_s[part];
}

/*
 * Averages the steps of earlier requests with those of the latest request. Only checking and
 * counting have steps. Timing progresses evenly, because each round takes samples of all points.
 */
static void learn_steps(double steps[REQUEST_STEPS], const double steps_s[REQUEST_STEPS],
                        double began_s, double seconds)
{
    for (int k = 0; k < REQUEST_STEPS; k++)
        steps[k] = (steps[k] + (steps_s[k] - began_s) / seconds) / 2;
}

/*
 * Averages the shares of earlier requests with those of the latest request, so the latest request
 * weighs as much as all earlier ones together.
 */
static void learn_shares(struct request_shares *s, const struct request_reports *r, double began_s,
                         double points)
{
    double all = 0, seconds[REQUEST_PARTS];
    for (int i = 0; i < REQUEST_PARTS; i++) {
        seconds[i] = fmax(0, r->last_s[i] - began_s);
        if (i != PART_TIME && r->count[i] >= points && points >= REQUEST_STEPS && seconds[i] > 0)
            learn_steps(s->steps[i], r->steps_s[i], began_s, seconds[i]);
        began_s = fmax(began_s, r->last_s[i]);
        all += seconds[i];
    }
    for (int i = 0; all > 0 && i < REQUEST_PARTS; i++)
        s->seconds[i] = (s->seconds[i] + seconds[i] / all) / 2;
    if (r->count[PART_TIME] > 0)
        s->samples = r->count[PART_TIME] / points;
}

/* All points of a request have inputs of the same size. */
void request_ended(struct lane *l, const struct group_request *r)
{
    const struct point *first = &r->points[0].point;
    if (l->batch.expendable)
        return;
    time_left_observe(rows_time_left(l->sweep, first), plan_point_bytes(first), r->count,
                      clock_now_s() - l->began_s);
    learn_shares(&l->sweep->shares, &l->reports, l->began_s, r->count);
}

/*
 * Returns the share of a part's time that has passed when the share `reported` of the part's
 * reports has arrived.
 */
static double part_passed(const double steps[REQUEST_STEPS], double reported)
{
    double at = reported * REQUEST_STEPS;
    int step = (int)at;
    if (reported >= 1)
        return 1;
    double low = step > 0 ? steps[step - 1] : 0;
    return low + (at - step) * (steps[step] - low);
}

/*
 * Returns how much of the current request was done when its last report arrived, from 0 to 1. A
 * part is over once the next one has begun.
 */
static double reported_share(const struct lane *l)
{
    const struct request_shares *s = &l->sweep->shares;
    const double points = l->request->count;
    const double wanted[REQUEST_PARTS] = {points, points * s->samples, points};
    double all = 0, passed = 0;
    bool over = false;
    for (int i = REQUEST_PARTS - 1; i >= 0; i--) {
        double share =
            over ? 1 : part_passed(s->steps[i], l->reports.count[i] / fmax(wanted[i], 1));
        passed += share * s->seconds[i];
        all += s->seconds[i];
        over = over || l->reports.count[i] > 0;
    }
    return all > 0 ? passed / all : 0;
}

/*
 * Returns when the last report on the current request arrived, or when the request began if there
 * is no report yet.
 */
static double last_report_s(const struct lane *l)
{
    double last_s = l->began_s;
    for (int i = 0; i < REQUEST_PARTS; i++)
        last_s = fmax(last_s, l->reports.last_s[i]);
    return last_s;
}

/*
 * Returns how much of the current request is done, from 0 to 1. Much time may pass between two
 * reports: a profiler, for example, reports the counts of all points at the very end. Between
 * reports, the expected remaining time therefore shrinks with the clock. If this time runs out and
 * no report has arrived, 1 / OVERDUE of the time since the last report is expected to be left.
 */
static double request_passed(const struct lane *l)
{
    const struct point *first = &l->request->points[0].point;
    const double cost = time_left_cost(rows_time_left(l->sweep, first), plan_point_bytes(first));
    const double reported = reported_share(l), last_s = last_report_s(l);
    const double expected_s = last_s - l->began_s + (1 - reported) * cost * l->request->count;
    const double left_s = (1 - reported) * expected_s, since_s = clock_now_s() - last_s;
    if (expected_s <= 0)
        return reported;
    return 1 - fmax(left_s - since_s, fmin(left_s, since_s / OVERDUE)) / expected_s;
}

static double left_at_hand(const struct lane *l)
{
    return !l->request ? 0 : l->left < l->request->count ? l->left : l->request->count;
}

double batch_passed(const struct lane *l)
{
    const double points = (double)l->batch.points.count, at_hand = left_at_hand(l);
    double passed = at_hand > 0 ? at_hand * request_passed(l) : 0;
    return points > 0 ? (points - l->left + passed) / points : 0;
}

/*
 * Corrects the estimate with the lane's current request, as if the request were complete. The time
 * that it takes is the elapsed time plus the expected remaining time.
 */
static void add_at_hand(const struct lane *l, struct time_left *t)
{
    const double bytes = plan_point_bytes(&l->request->points[0].point);
    const double points = left_at_hand(l), passed = request_passed(l);
    double seconds = clock_now_s() - l->began_s + (1 - passed) * points * time_left_cost(t, bytes);
    time_left_add(t, bytes, -passed * points);
    time_left_observe(t, bytes, points, seconds);
}

/*
 * Only one lane at a time measures CPU functions, so the time for them is not divided by the number
 * of lanes.
 */
double requests_left_s(const struct sweep *s)
{
    struct time_left copies[2] = {time_left_copy(&s->time_left[0]),
                                  time_left_copy(&s->time_left[1])};
    for (int i = 0; i < s->lane_count; i++) {
        const struct lane *l = &s->lanes[i];
        if (left_at_hand(l) > 0 && !l->batch.expendable)
            add_at_hand(
                l, &copies[rows_time_left(l->sweep, &l->request->points[0].point) - s->time_left]);
    }
    double left = time_left_s(&copies[0]) / s->lane_count + time_left_s(&copies[1]);
    time_left_free(&copies[0]);
    time_left_free(&copies[1]);
    return fmax(1e-3, left);
}
