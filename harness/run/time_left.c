/*
 * Estimates how long the remaining points will take.
 *
 * If points of some input size were measured, the remaining points of this size are expected to
 * take the same time. Between two measured sizes, the time is interpolated linearly. Below the
 * smallest and above the largest measured size, it is the plan's estimate, a time per point plus a
 * time per byte. Both of these times are corrected by the measurements.
 *
 * Two measured times may differ by chance, which says nothing about how the time depends on the
 * size. Therefore, the time per byte is corrected strongly only if the times of several sizes
 * agree. If it follows from a measured bandwidth, it is hardly corrected at all.
 */
#include "run/time_left.h"

#include <math.h>

enum { LAUNCH_US = 100 }; /* assumed time of a launch without reading its input */
enum { PASS_MS = 2 };     /* assumed time of a counting pass, in addition to its launch */
enum { STEPS_MOST = 40 }; /* most steps of the Gauss-Newton method */

/*
 * Parameters of correct(), which explains them. An error is the standard deviation of the logarithm
 * of a time.
 */
#define NOISE 0.25     /* the expected error of a measured time */
#define NOISE_WEIGHT 2 /* NOISE weighs as much as the measured times of this many sizes */
#define SKEW 1.4       /* the expected skew (struct correction); e^SKEW is a factor of 4 */
/* the expected error of a trusted time per byte (trusts_bytes) */
#define BYTES 0.5
#define FAR_APART 16.0 /* a size that differs from the end by this factor has half the weight */
#define NEGLIGIBLE 1e-6

static double bytes_part(const struct point_cost *c, double bytes)
{
    double seconds = c->byte_s * bytes;
    return c->bytes_most_s > 0 ? fmin(seconds, c->bytes_most_s) : seconds;
}

double cost_of(const struct point_cost *cost, double bytes)
{
    return cost->point_s + bytes_part(cost, bytes);
}

static double share_in_place(const struct plan *plan)
{
    double points = 0, in_place = 0;
    for (uint32_t i = 0; i < plan->point_count; i++) {
        const struct point *p = &plan->points[i];
        points += !p->skip;
        in_place += !p->skip && plan_kernel(plan, p)->in_place;
    }
    return points > 0 ? in_place / points : 0;
}

struct point_cost launches_cost(const struct plan *plan, const struct device_info *info,
                                double launches)
{
    double bytes_per_s = info->estimate_gbs * 1e9;
    double moves = info->can_time ? 1 + share_in_place(plan) : 1;
    return (struct point_cost){launches * LAUNCH_US * 1e-6,
                               bytes_per_s > 0 ? launches * moves / bytes_per_s : 0, 0};
}

struct point_cost plan_point_cost(const struct plan *plan, const struct device_info *info,
                                  int passes)
{
    const struct config_timing *timing = &plan->config->timing;
    bool counts = !info->count_is_run && passes > 0;
    int launches = 1;
    if (info->can_time)
        launches += timing->min_samples + timing->warmup;
    if (counts)
        launches += passes;
    struct point_cost cost = launches_cost(plan, info, launches);
    cost.point_s += counts ? passes * PASS_MS * 1e-3 : 0;
    return cost;
}

void time_left_begin(struct time_left *t, struct point_cost planned)
{
    *t = (struct time_left){.planned = planned};
}

void time_left_free(struct time_left *t)
{
    vec_free(&t->sizes);
}

struct time_left time_left_copy(const struct time_left *t)
{
    struct time_left copy = {.planned = t->planned, .trusts_bytes = t->trusts_bytes};
    for (size_t i = 0; i < t->sizes.count; i++)
        vec_push(&copy.sizes, t->sizes.items[i]);
    return copy;
}

/* Returns the entry for inputs of `bytes` bytes. Adds it if there is none. */
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
 * A correction of the plan's estimate by two factors. The first, e^scale, multiplies both the time
 * per point and the time per byte. The second, e^skew, multiplies the time per point and divides
 * the time per byte.
 */
struct correction {
    double scale, skew; /* the logarithms of the factors */
};

static double corrected(struct point_cost guess, struct correction c, double bytes)
{
    return exp(c.scale + c.skew) * guess.point_s +
           exp(c.scale - c.skew) * bytes_part(&guess, bytes);
}

/*
 * Returns the plan's estimate, with tiny numbers in place of zeros, because no factor can correct a
 * zero.
 */
static struct point_cost usable_guess(const struct time_left *t, double bytes)
{
    struct point_cost g = t->planned;
    if (g.point_s <= 0 && g.byte_s <= 0)
        return (struct point_cost){1, 1 / bytes, 0};
    g.point_s = fmax(g.point_s, NEGLIGIBLE * g.byte_s * bytes);
    g.byte_s = fmax(g.byte_s, NEGLIGIBLE * g.point_s / bytes);
    return g;
}

/*
 * Improves the correction `c` by a step of the Gauss-Newton method, and updates `noise`, the
 * variance of the logarithm of a measured time. Returns the larger of the step's two components.
 */
static double improve(const struct time_left *t, struct point_cost guess, double end,
                      struct correction *c, double *noise)
{
    const double trust = t->trusts_bytes ? 1 / (BYTES * BYTES) : 0, off_bytes = c->scale - c->skew;
    double scale2 = trust, both = -trust, skew2 = 1 / (SKEW * SKEW) + trust;
    double to_scale = trust * off_bytes, to_skew = c->skew / (SKEW * SKEW) - trust * off_bytes;
    double weights = 0, squares = 0;
    for (size_t i = 0; i < t->sizes.count; i++) {
        const struct size_times *s = &t->sizes.items[i];
        if (!is_measured(s))
            continue;
        double far = log(s->bytes / end) / log(FAR_APART), weight = 1 / (1 + far * far);
        double found = corrected(guess, *c, s->bytes);
        double point = exp(c->scale + c->skew) * guess.point_s / found, slope = 2 * point - 1;
        double off = log(found / measured_s(s));
        scale2 += weight / *noise;
        both += weight / *noise * slope;
        skew2 += weight / *noise * slope * slope;
        to_scale += weight / *noise * off;
        to_skew += weight / *noise * off * slope;
        weights += weight;
        squares += weight * off * off;
    }
    double determinant = scale2 * skew2 - both * both;
    double scale = (skew2 * to_scale - both * to_skew) / determinant;
    double skew = (scale2 * to_skew - both * to_scale) / determinant;
    double length = fmax(fabs(scale), fabs(skew)), shorter = length > 1 ? 1 / length : 1;
    c->scale -= shorter * scale;
    c->skew -= shorter * skew;
    *noise = (NOISE_WEIGHT * NOISE * NOISE + squares) / (NOISE_WEIGHT + weights);
    return length;
}

/*
 * Returns the corrected estimate for sizes below the smallest or above the largest measured size;
 * `end` is the one or the other. The correction maximizes the posterior probability, assuming that
 * the logarithms of measured times have normal errors. The standard deviation of these errors
 * starts at NOISE and is updated by the data. The skew has a normal prior with the standard
 * deviation SKEW; the scale has no prior. The farther a size is from `end`, the less it weighs.
 */
static struct point_cost correct(const struct time_left *t, const struct size_times *end)
{
    struct point_cost guess = usable_guess(t, end->bytes);
    struct correction c = {log(measured_s(end) / cost_of(&guess, end->bytes)), 0};
    double noise = NOISE * NOISE;
    for (int i = 0; i < STEPS_MOST && improve(t, guess, end->bytes, &c, &noise) > 1e-6; i++)
        ;
    double bytes = exp(c.scale - c.skew);
    return (struct point_cost){exp(c.scale + c.skew) * guess.point_s, bytes * guess.byte_s,
                               bytes * guess.bytes_most_s};
}

/* The range of measured sizes, and the corrected estimates for sizes below and above it. */
struct range {
    const struct size_times *first, *last; /* smallest and largest measured size; NULL: none */
    struct point_cost below, above;
};

static struct range find_range(const struct time_left *t)
{
    struct range r = {.below = t->planned, .above = t->planned};
    for (const struct size_times *s = t->sizes.items; s < t->sizes.items + t->sizes.count; s++)
        if (is_measured(s)) {
            r.first = r.first ? r.first : s;
            r.last = s;
        }
    if (r.first) {
        r.below = correct(t, r.first);
        r.above = correct(t, r.last);
    }
    return r;
}

/*
 * Returns the expected time of a point with `bytes` bytes of input. `low` and `high` are the
 * nearest measured sizes that are not larger and not smaller; NULL: there is none.
 */
static double cost_between(const struct range *r, double bytes, const struct size_times *low,
                           const struct size_times *high)
{
    if (low && high && low != high)
        return measured_s(low) + (measured_s(high) - measured_s(low)) * (bytes - low->bytes) /
                                     (high->bytes - low->bytes);
    if (low && high)
        return measured_s(low);
    const struct point_cost *beyond = high ? &r->below : &r->above;
    return cost_of(beyond, bytes);
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
            seconds += s->left * cost_between(&r, s->bytes, low, high == end ? NULL : high);
    }
    return seconds;
}

double time_left_scale(const struct time_left *t)
{
    double guessed = 0, seconds = 0;
    for (size_t i = 0; i < t->sizes.count; i++) {
        const struct size_times *s = &t->sizes.items[i];
        guessed += s->points * cost_of(&t->planned, s->bytes);
        seconds += s->seconds;
    }
    return guessed > 0 ? seconds / guessed : 1;
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
    return cost_between(&r, bytes, low, high);
}
