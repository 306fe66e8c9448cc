/*
 * How long the points that are left will take.
 *
 * A size that was measured takes what it took. Between two that were, the time is a straight line.
 * Beyond them the time goes on from the last one by so much for each byte: the slope between that
 * one and another one, where their times tell it. Where they do not, the slope is the planner's
 * guess, as far as the noise allows it: what a byte takes cannot be seen yet, but it is not more than
 * would have been seen.
 */
#include "run/time_left.h"

#include <float.h>
#include <math.h>

enum { LAUNCH_US = 100, PASS_MS = 2 }; /* of the guess */
#define NOISE 0.25                     /* relative, of the time of a request */
#define FAR_APART 4.0                  /* sizes whose times are compared */

struct point_cost plan_point_cost(const struct config_timing *timing,
                                  const struct device_info *info, int passes)
{
    double bytes_per_s = info->estimate_gbs * 1e9;
    int launches = 1;
    if (info->can_time)
        launches += timing->min_samples + timing->warmup;
    bool counts = !info->count_is_run && passes > 0;
    if (counts)
        launches += passes;
    double launch_s = info->can_time ? LAUNCH_US * 1e-6 : 0;
    double byte_s = bytes_per_s > 0 ? (info->can_time ? 2 : 1) / bytes_per_s : 0;
    return (struct point_cost){launches * launch_s + (counts ? passes * PASS_MS * 1e-3 : 0),
                               launches * byte_s};
}

void time_left_begin(struct time_left *t, struct point_cost planned)
{
    *t = (struct time_left){.planned = planned};
}

void time_left_free(struct time_left *t)
{
    vec_free(&t->sizes);
}

/* The size's place; it is added where there is none. */
static struct size_times *find_size(struct time_left *t, double bytes)
{
    size_t low = 0, high = t->sizes.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->sizes.items[middle].bytes < bytes)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == t->sizes.count || t->sizes.items[low].bytes > bytes) {
        vec_push(&t->sizes, (struct size_times){0});
        struct size_times *at = &t->sizes.items[low];
        memmove(at + 1, at, (t->sizes.count - 1 - low) * sizeof *at);
        *at = (struct size_times){.bytes = bytes};
    }
    return &t->sizes.items[low];
}

void time_left_add(struct time_left *t, double bytes, double points)
{
    find_size(t, bytes)->left += points;
}

void time_left_observe(struct time_left *t, double bytes, double points, double seconds)
{
    struct size_times *s = find_size(t, bytes);
    s->points += points;
    s->seconds += seconds;
}

static bool is_measured(const struct size_times *s)
{
    return s->points > 0;
}

static double measured_s(const struct size_times *s)
{
    return s->seconds / s->points;
}

/*
 * What a byte takes, by the times of two sizes. They tell where their difference is more than noise,
 * or the times grow as the sizes do rather than not at all.
 */
static double slope(const struct time_left *t, const struct size_times *small,
                    const struct size_times *large)
{
    double from = measured_s(small), to = measured_s(large), bytes = large->bytes - small->bytes;
    if (to * (1 - NOISE) > from * (1 + NOISE) || to >= from * sqrt(large->bytes / small->bytes))
        return (to - from) / bytes;
    double most = (to * (1 + NOISE) - from * (1 - NOISE)) / bytes;
    return fmax(0, fmin(t->planned.byte_s, most));
}

static bool far_apart(const struct size_times *a, const struct size_times *b)
{
    return fmax(a->bytes, b->bytes) >= FAR_APART * fmin(a->bytes, b->bytes);
}

/* The same beyond an end of the measured sizes: `step` leads from it towards the others, of which the
 * nearest one that is far from it tells most. */
static double slope_at_end(const struct time_left *t, const struct size_times *end, int step)
{
    const struct size_times *first = t->sizes.items, *last = first + t->sizes.count - 1;
    const struct size_times *other = NULL;
    for (const struct size_times *s = end + step; s >= first && s <= last; s += step) {
        other = is_measured(s) ? s : other;
        if (is_measured(s) && far_apart(s, end))
            break;
    }
    if (!other && step > 0) /* as in the guess: so much of the time is that of bytes */
        return measured_s(end) * t->planned.byte_s /
               fmax(t->planned.point_s + t->planned.byte_s * end->bytes, DBL_MIN);
    if (!other)
        return fmin(t->planned.byte_s, measured_s(end) / end->bytes);
    return step < 0 ? slope(t, other, end) : slope(t, end, other);
}

/* What was measured, from the smallest size to the largest, and what bytes take beyond them. */
struct range {
    const struct size_times *first, *last; /* NULL: nothing was measured */
    double below, above;
};

static struct range find_range(const struct time_left *t)
{
    struct range r = {0};
    for (const struct size_times *s = t->sizes.items; s < t->sizes.items + t->sizes.count; s++)
        if (is_measured(s)) {
            r.first = r.first ? r.first : s;
            r.last = s;
        }
    if (r.first) {
        r.below = slope_at_end(t, r.first, 1);
        r.above = slope_at_end(t, r.last, -1);
    }
    return r;
}

/* Of a size whose nearest measured ones are these; NULL: there is none. */
static double cost_between(const struct time_left *t, const struct range *r, double bytes,
                           const struct size_times *low, const struct size_times *high)
{
    if (low && high && low != high)
        return measured_s(low) + (measured_s(high) - measured_s(low)) * (bytes - low->bytes) /
                                     (high->bytes - low->bytes);
    if (low)
        return measured_s(low) + r->above * (bytes - low->bytes);
    if (high)
        return fmax(measured_s(high) - r->below * (high->bytes - bytes),
                    measured_s(high) * bytes / high->bytes);
    return t->planned.point_s + t->planned.byte_s * bytes;
}

double time_left_s(const struct time_left *t)
{
    struct range r = find_range(t);
    const struct size_times *end = t->sizes.items + t->sizes.count, *low = NULL, *high = r.first;
    double seconds = 0;
    for (const struct size_times *s = t->sizes.items; s < end; s++) {
        if (is_measured(s))
            low = high = s;
        while (high && high < end && (high->bytes < s->bytes || !is_measured(high)))
            high++;
        if (s->left > 0)
            seconds += s->left * cost_between(t, &r, s->bytes, low, high == end ? NULL : high);
    }
    return seconds;
}

double time_left_cost(const struct time_left *t, double bytes)
{
    struct range r = find_range(t);
    const struct size_times *low = NULL, *high = NULL;
    for (const struct size_times *s = r.first; s && s <= r.last; s++) {
        if (is_measured(s) && s->bytes <= bytes)
            low = s;
        if (is_measured(s) && s->bytes >= bytes && !high)
            high = s;
    }
    return cost_between(t, &r, bytes, low, high);
}
