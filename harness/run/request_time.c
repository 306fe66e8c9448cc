/*
 * How far the request is that a lane's worker is at, and the time that is left.
 *
 * A request's points are checked, then timed, then counted. Each part takes the share of the time that it
 * took in the requests before, and reports say how far the part is. So a request that takes longer than
 * its size lets expect is known to, and corrects what larger ones are expected to take, before it ends.
 */
#include "run/request_time.h"

#include <math.h>

#include "base/clock.h"
#include "run/rows.h"

void request_shares_begin(struct sweep *s)
{
    const struct device_info *info = &s->lanes[0].supervisor.hello.info;
    bool counts = s->metrics.counter_count > 0 && !info->count_is_run;
    s->shares = (struct request_shares){
        .seconds = {[PART_CHECK] = 1, [PART_TIME] = info->can_time, [PART_COUNT] = counts},
        .samples = s->options->setup.config->timing.min_samples};
}

void request_heard(struct lane *l, const struct report *r)
{
    static const enum request_part parts[REPORT_TYPES] = {[REPORT_BEGIN] = REQUEST_PARTS,
                                                          [REPORT_CHECKED] = PART_CHECK,
                                                          [REPORT_SAMPLES] = PART_TIME,
                                                          [REPORT_COUNTS] = PART_COUNT,
                                                          [REPORT_DONE] = REQUEST_PARTS};
    enum request_part part = parts[r->type];
    if (part == REQUEST_PARTS || (part == PART_COUNT && l->supervisor.hello.info.count_is_run))
        return; /* it was counted when it was checked */
    l->reports.count[part] += part == PART_TIME ? r->count : 1;
    l->reports.last_s[part] = clock_now_s();
}

/* The shares of the last request count as much as those of all before it. */
static void learn_shares(struct request_shares *s, const struct request_reports *r, double began_s,
                         double points)
{
    double all = 0, seconds[REQUEST_PARTS];
    for (int i = 0; i < REQUEST_PARTS; i++) {
        seconds[i] = fmax(0, r->last_s[i] - began_s);
        began_s = fmax(began_s, r->last_s[i]);
        all += seconds[i];
    }
    for (int i = 0; all > 0 && i < REQUEST_PARTS; i++)
        s->seconds[i] = (s->seconds[i] + seconds[i] / all) / 2;
    if (r->count[PART_TIME] > 0)
        s->samples = r->count[PART_TIME] / points;
}

/* What a request took is what its points took, which are of one size. */
void request_ended(struct lane *l, const struct group_request *r)
{
    const struct point *first = &r->points[0].point;
    if (l->batch.expendable)
        return;
    time_left_observe(rows_time_left(l->sweep, first), plan_point_bytes(first), r->count,
                      clock_now_s() - l->began_s);
    learn_shares(&l->sweep->shares, &l->reports, l->began_s, r->count);
}

/* Of the request at hand, 0 to 1. A part is over when the next one has begun. */
static double request_passed(const struct lane *l)
{
    const struct request_shares *s = &l->sweep->shares;
    const double points = l->request->count;
    const double wanted[REQUEST_PARTS] = {points, points * s->samples, points};
    double all = 0, passed = 0;
    bool over = false;
    for (int i = REQUEST_PARTS - 1; i >= 0; i--) {
        double share = over ? 1 : fmin(1, l->reports.count[i] / fmax(wanted[i], 1));
        passed += share * s->seconds[i];
        all += s->seconds[i];
        over = over || l->reports.count[i] > 0;
    }
    return all > 0 ? passed / all : 0;
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

/* Takes what has passed of the lane's request as measured: with it the request takes what it has taken,
 * and the expected time of what has not passed. */
static void add_at_hand(const struct lane *l, struct time_left *t)
{
    const double bytes = plan_point_bytes(&l->request->points[0].point);
    const double points = left_at_hand(l), passed = request_passed(l);
    double seconds = clock_now_s() - l->began_s + (1 - passed) * points * time_left_cost(t, bytes);
    time_left_add(t, bytes, -passed * points);
    time_left_observe(t, bytes, points, seconds);
}

/* Functions of the CPU have one lane at a time. */
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
